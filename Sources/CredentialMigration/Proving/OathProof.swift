import Foundation
import PushBridgeCore

/// Proves that a stored one-time-password credential makes the codes of its legacy mechanism.
struct OathProof {
    let mechanism: LegacyMechanism
    let stored: OathCredential

    /// Computes codes by the legacy rule from the source record, and by the new rule from the stored credential: at
    /// three times, or at the source's counter and the next.
    func run() -> Proof {
        switch (mechanism.factor, stored.movingFactor) {
        case (.totp(let parameters, let period), .time(let storedPeriod)):
            guard period > 0 else { return .different("The source's period makes no codes.") }
            return proof(
                legacyCodes(parameters, counters: Self.times.map { $0 / period }),
                Self.times.map { newCode(at: $0, period: storedPeriod) }
            )
        case (.hotp(let parameters, let counter), .counter(let storedCounter)):
            guard storedCounter >= counter else { return .different("The stored counter is behind.") }
            let next = counter == .max ? counter : counter + 1
            return proof(
                legacyCodes(parameters, counters: [counter, next]),
                [counter, next].map(newCode)
            )
        default:
            return .different("The stored credential is of another type.")
        }
    }

    /// Three times far apart, in seconds since 1970.
    private static let times = [59, 1_700_000_015, 20_000_000_000]

    private func proof(_ legacy: [String?], _ new: [String?]) -> Proof {
        Proof(legacy == new, else: "The stored credential makes other codes.")
    }

    private func legacyCodes(_ parameters: LegacyOathParameters, counters: [Int]) -> [String?] {
        mechanism.secret.withUTF8 {
            LegacyRules.codes(secret: $0, parameters: parameters, counters: counters)
        }
    }

    /// The code, or `nil` where no right code exists: on that, both sides must agree.
    private func newCode(counter: Int) -> String? {
        do {
            return try stored.password.code(counter: counter)
        } catch {
            return nil
        }
    }

    private func newCode(at time: Int, period: Int) -> String? {
        do {
            return try stored.password.code(
                at: Date(timeIntervalSince1970: TimeInterval(time)),
                period: period
            )
        } catch {
            return nil
        }
    }
}
