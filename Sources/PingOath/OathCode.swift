import Foundation
public import PushBridgeCore

/// A one-time password and how long it lasts.
public struct OathCodeInfo: Equatable, Sendable {
    /// The digits.
    public let code: String
    /// How many whole seconds, begun ones included, the code still lasts; -1 for HOTP, which lasts until it is used.
    public let timeRemaining: Int
    /// The counter the code was made for; -1 for TOTP.
    public let counter: Int
    /// How much of the period has passed, 0..<1; 0 for HOTP.
    public let progress: Double
    /// The period in seconds; 0 for HOTP.
    public let totalPeriod: Int
}

extension OathCodeInfo: CustomStringConvertible, CustomReflectable {
    /// How long the code lasts, never the code.
    public var description: String { "OathCodeInfo(\(timeRemaining) of \(totalPeriod) s)" }
    /// An empty mirror, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OathCredential {
    /// The code at a time, or the code for the present counter, which it moves on.
    ///
    /// Where RFC 4226 has no code for a counter, the counter moves on all the same: it would never work again.
    mutating func nextCode(at date: Date) throws(OathError) -> Result<OathCodeInfo, OathError> {
        switch movingFactor {
        case .time(let period): return timeCode(at: date, period: period)
        case .counter(let counter):
            let (next, overflow) = counter.addingReportingOverflow(1)
            guard !overflow else { throw .codeGenerationFailed("The counter is at its end.", nil) }
            let code = counterCode(counter)
            movingFactor = .counter(next)
            return code
        }
    }

    private func timeCode(at date: Date, period: Int) -> Result<OathCodeInfo, OathError> {
        do throws(OneTimePasswordError) {
            let code = try password.code(at: date, period: period)
            let elapsed = date.timeIntervalSince1970.truncatingRemainder(dividingBy: Double(period))
            return .success(
                OathCodeInfo(
                    code: code,
                    timeRemaining: period - Int(elapsed),
                    counter: -1,
                    progress: elapsed / Double(period),
                    totalPeriod: period
                )
            )
        } catch {
            return .failure(OathError(error))
        }
    }

    private func counterCode(_ counter: Int) -> Result<OathCodeInfo, OathError> {
        do throws(OneTimePasswordError) {
            let code = try password.code(counter: counter)
            return .success(
                OathCodeInfo(code: code, timeRemaining: -1, counter: counter, progress: 0, totalPeriod: 0)
            )
        } catch {
            return .failure(OathError(error))
        }
    }
}

extension OathCredential {
    /// The credential that a registration code would make, under a new id; stores nothing.
    ///
    /// ``OathClient/addCredentialFromUri(_:)`` is what enrols.
    /// - Parameter uri: The text of the code.
    /// - Returns: The credential.
    /// - Throws: ``OathError/invalidUri(_:)`` and its like for a code that cannot be read.
    public static func fromUri(_ uri: String) throws -> OathCredential {
        try OathRegistration(oathURI: uri).credential(id: UUID().uuidString, createdAt: Date())
    }

    /// The credential as an `otpauth` URI, which holds the secret.
    public func toUri() -> String {
        var registration = OathRegistration(account: account, password: password, movingFactor: movingFactor)
        registration.userId = userId
        registration.resourceId = resourceId
        return registration.uri()
    }
}

extension OathRegistration {
    /// Reads a registration code with the API's errors.
    init(oathURI uri: String) throws(OathError) {
        do {
            try self.init(uri: uri)
        } catch {
            throw OathError(error, in: uri)
        }
    }
}
