public import Foundation

extension String {
    /// The text, unless it is empty.
    package var nonEmpty: String? { isEmpty ? nil : self }
}

extension Date {
    /// Whole milliseconds since 1970, clamped to 64 bits: the legacy SDK's JSON dates.
    public var millisecondsSince1970: Int64 {
        let value = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: value) ?? (value > 0 ? .max : .min)
    }

    /// Creates a date from the legacy SDK's JSON dates.
    public init(millisecondsSince1970 milliseconds: Int64) {
        self.init(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
    }
}
