import Foundation
package import PushBridgeCore

/// A one-time password with its validity.
///
/// Never log the JSON of this value, because it contains the one-time password.
public struct OathCodeInfo: Codable, Equatable, Sendable {
    /// The digits of the one-time password.
    public let code: String
    /// The remaining validity in seconds, rounded up.
    ///
    /// For HOTP the value is -1, because the one-time password is valid until it is used.
    public let timeRemaining: Int
    /// The counter of the next one-time password; -1 for TOTP.
    public let counter: Int
    /// The part of the period that has elapsed, from 0 to 1; 0 for HOTP.
    public let progress: Double
    /// The period in seconds; 0 for HOTP.
    public let totalPeriod: Int

    /// Creates a one-time password that is valid for a period (TOTP).
    /// - Parameters:
    ///   - code: The digits.
    ///   - timeRemaining: The remaining validity in seconds.
    ///   - totalPeriod: The period in seconds.
    /// - Returns: The one-time password and its validity.
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

    /// Creates a one-time password that depends on a counter (HOTP).
    /// - Parameters:
    ///   - code: The digits.
    ///   - counter: The counter of the next one-time password.
    /// - Returns: The one-time password and its validity.
    public static func forHotp(code: String, counter: Int) -> OathCodeInfo {
        OathCodeInfo(code: code, timeRemaining: -1, counter: counter, progress: 0, totalPeriod: 0)
    }

    /// Returns the one-time password and its validity as JSON text.
    /// - Returns: The text, which contains the one-time password: never log it.
    /// - Throws: `EncodingError` if ``progress`` is not a finite number.
    public func toJson() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

    /// Reads the JSON that ``toJson()`` writes.
    /// - Parameter jsonString: The text.
    /// - Returns: The one-time password and its validity.
    /// - Throws: `DecodingError` if the text is not JSON or lacks a member that ``toJson()`` writes.
    public static func fromJson(_ jsonString: String) throws -> OathCodeInfo {
        try JSONDecoder().decode(OathCodeInfo.self, from: Data(jsonString.utf8))
    }
}

extension OathCodeInfo: CustomStringConvertible, Concealed {
    /// A description of the validity, without the one-time password.
    public var description: String { "OathCodeInfo(\(timeRemaining) of \(totalPeriod) s)" }
}

extension OathCredential {
    /// Generates the one-time password for a time (TOTP), or for the current counter (HOTP), which is then increased.
    ///
    /// The counter is increased even if RFC 4226 does not define the one-time password of the current counter, because
    /// otherwise every later call would fail.
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
            guard !overflow else { throw .codeGenerationFailed("The counter is at its maximum.", nil) }
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
