import AuthenticatorCore
import Foundation

/// Proves that a stored one-time-password credential makes the codes of its legacy mechanism.
struct OathProof {
    let source: OathCredential
    let stored: OathCredential

    /// Compares codes at three times, or at the source's counter and the next.
    func run() -> Proof {
        switch (source.movingFactor, stored.movingFactor) {
        case (.time(let period), .time(let storedPeriod)):
            let times = Self.times.map { Date(timeIntervalSince1970: $0) }
            return Proof(
                times.allSatisfy { time in
                    source.code(at: time, period: period) == stored.code(at: time, period: storedPeriod)
                },
                else: "The stored credential makes other codes."
            )
        case (.counter(let counter), .counter(let storedCounter)):
            guard storedCounter >= counter else { return .different("The stored counter is behind.") }
            let next = counter == .max ? counter : counter + 1
            return Proof(
                [counter, next].allSatisfy { source.code(counter: $0) == stored.code(counter: $0) },
                else: "The stored credential makes other codes."
            )
        default:
            return .different("The stored credential is of another type.")
        }
    }

    /// Three times far apart, each in another 32-bit half and phase of the usual periods.
    private static let times: [TimeInterval] = [59, 1_700_000_015, 20_000_000_000]
}

extension OathCredential {
    /// The code, or why there is none: where no right code exists, both sides must agree on that.
    fileprivate func code(counter: Int) -> Result<String, OneTimePasswordError> {
        Result { () throws(OneTimePasswordError) in try password.code(counter: counter) }
    }

    fileprivate func code(at time: Date, period: Int) -> Result<String, OneTimePasswordError> {
        Result { () throws(OneTimePasswordError) in try password.code(at: time, period: period) }
    }
}
