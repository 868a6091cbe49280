public import Foundation

extension String {
    /// The text; `nil` if it is empty.
    package var nonEmpty: String? { isEmpty ? nil : self }
}

extension Date {
    /// The date as the legacy SDK's JSON stores it: milliseconds since 1970, rounded and clamped to 64 bits.
    public var millisecondsSince1970: Int64 {
        let value = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: value) ?? (value > 0 ? .max : .min)
    }

    /// Creates a date from the milliseconds since 1970 that the legacy SDK's JSON contains.
    public init(millisecondsSince1970 milliseconds: Int64) {
        self.init(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
    }
}
