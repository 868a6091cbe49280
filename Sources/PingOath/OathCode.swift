import Foundation
package import PushBridgeCore

/// A one-time password and how long it lasts.
///
/// Its JSON holds the code, so it is for no log.
public struct OathCodeInfo: Codable, Equatable, Sendable {
    /// The digits.
    public let code: String
    /// How many whole seconds, begun ones included, the code still lasts; -1 for HOTP, which lasts until it is used.
    public let timeRemaining: Int
    /// The counter of the next code; -1 for TOTP.
    public let counter: Int
    /// How much of the period has passed, 0..<1; 0 for HOTP.
    public let progress: Double
    /// The period in seconds; 0 for HOTP.
    public let totalPeriod: Int

    /// A code that lasts for a time.
    /// - Parameters:
    ///   - code: The digits.
    ///   - timeRemaining: How many seconds the code still lasts.
    ///   - totalPeriod: The period in seconds.
    /// - Returns: The code and its validity.
    public static func forTotp(code: String, timeRemaining: Int, totalPeriod: Int) -> OathCodeInfo {
        let passed = totalPeriod > 0 ? 1 - Double(timeRemaining) / Double(totalPeriod) : 0
        return OathCodeInfo(
            code: code,
            timeRemaining: timeRemaining,
            counter: -1,
            progress: min(max(0, passed), 1),
            totalPeriod: totalPeriod
        )
    }

    /// A code that lasts until it is used.
    /// - Parameters:
    ///   - code: The digits.
    ///   - counter: The counter of the next code.
    /// - Returns: The code and its validity.
    public static func forHotp(code: String, counter: Int) -> OathCodeInfo {
        OathCodeInfo(code: code, timeRemaining: -1, counter: counter, progress: 0, totalPeriod: 0)
    }

    /// The code and its validity as JSON text.
    /// - Returns: The text, which holds the code.
    /// - Throws: `EncodingError` for a progress that is not a number.
    public func toJson() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

    /// Reads JSON text.
    /// - Parameter jsonString: Text of the shape of ``toJson()``.
    /// - Returns: The code and its validity.
    /// - Throws: `DecodingError` for text that is not such JSON.
    public static func fromJson(_ jsonString: String) throws -> OathCodeInfo {
        try JSONDecoder().decode(OathCodeInfo.self, from: Data(jsonString.utf8))
    }
}

extension OathCodeInfo: CustomStringConvertible, Concealed {
    /// How long the code lasts, never the code.
    public var description: String { "OathCodeInfo(\(timeRemaining) of \(totalPeriod) s)" }
}

extension OathCredential {
    /// The code at a time, or the code for the present counter, which it moves on.
    ///
    /// Where RFC 4226 has no code for a counter, the counter moves on all the same: it would never work again.
    mutating func nextCode(at date: Date) throws(OathError) -> Result<OathCodeInfo, OathError> {
        switch movingFactor {
        case .time(let period):
            let elapsed = date.timeIntervalSince1970.truncatingRemainder(dividingBy: Double(period))
            return made { () throws(OneTimePasswordError) in
                OathCodeInfo(
                    code: try password.code(at: date, period: period),
                    timeRemaining: period - Int(elapsed),
                    counter: -1,
                    progress: elapsed / Double(period),
                    totalPeriod: period
                )
            }
        case .counter(let counter):
            let (next, overflow) = counter.addingReportingOverflow(1)
            guard !overflow else { throw .codeGenerationFailed("The counter is at its end.", nil) }
            movingFactor = .counter(next)
            return made { () throws(OneTimePasswordError) in
                .forHotp(code: try password.code(counter: counter), counter: next)
            }
        }
    }

    private func made(
        _ code: () throws(OneTimePasswordError) -> OathCodeInfo
    ) -> Result<OathCodeInfo, OathError> {
        do throws(OneTimePasswordError) {
            return .success(try code())
        } catch {
            return .failure(OathError(error))
        }
    }
}
