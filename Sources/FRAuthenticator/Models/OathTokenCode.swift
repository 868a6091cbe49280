public import Foundation

/// A one-time password and how long it holds.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class OathTokenCode: NSObject, Codable, Sendable {
    /// `totp` or `hotp`.
    public let tokenType: String
    /// The code.
    public let code: String
    /// When the code began to hold, in seconds since 1970.
    public let start: TimeInterval
    /// When the code stops to hold, in seconds since 1970; `nil` for a code that follows a counter.
    public let until: TimeInterval?

    init(tokenType: String, code: String, start: TimeInterval, until: TimeInterval?) {
        self.tokenType = tokenType
        self.code = code
        self.start = start
        self.until = until
    }

    /// Whether the code holds now; one that follows a counter holds until it is used.
    public var isValid: Bool {
        until.map { Date().timeIntervalSince1970 < $0 } ?? true
    }

    /// How much of its time is over, 0...1; 0 for a code that follows a counter.
    public var progress: Float {
        guard let until, until > start else { return 0 }
        let elapsed = Date().timeIntervalSince1970 - start
        return Float(min(max(0, elapsed / (until - start)), 1))
    }

    /// The code as JSON text, its dates in seconds.
    public func toJson() -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            return nil
        }
    }
}
