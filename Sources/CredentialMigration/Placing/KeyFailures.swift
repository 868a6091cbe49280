import Foundation
import LegacyStore
import PushBridgePlatform

/// Counts the starts at which the device's key failed, in an item beside the legacy items.
///
/// The Secure Enclave can fail for a short time, but a restored backup can also contain a key that never works again.
final class KeyFailures: Sendable {
    private let keychain: LegacyKeychain
    private let clock: @Sendable () -> Date
    /// Whether a failure of this process was counted.
    private let isCounted = Lock(false)

    /// The number of starts after which a key can count as lost.
    private static let starts = 3
    /// The seconds after the first failure, after which a key can count as lost.
    private static let duration: TimeInterval = 24 * 60 * 60

    private struct Record: Codable {
        /// The time of the first failure.
        var since: Date
        /// The number of starts at which the key failed.
        var starts = 0
    }

    init(of keychain: LegacyKeychain, clock: @escaping @Sendable () -> Date) {
        (self.keychain, self.clock) = (keychain, clock)
    }

    /// Returns whether a key that fails now may work again; counts the first failure of this process.
    ///
    /// The key counts as lost if it failed at more than three starts, and if the first failure was at least a day ago.
    func mayKeyWorkAgain() throws -> Bool {
        let now = clock()
        var record = read() ?? Record(since: now)
        if record.since > now { record = Record(since: now) }
        if !isCounted.withValue({ $0 }) {
            record.starts += 1
            try keychain.keep(JSONEncoder().encode(record), beside: .keyFailure)
            isCounted.withValue { $0 = true }
        }
        return record.starts <= Self.starts || now < record.since + Self.duration
    }

    /// Forgets the failures, because the key works, or because the move has ended.
    func forget() {
        // If this call fails, a move waits for a shorter time when the key fails later.
        bestEffort { try keychain.keep(nil, beside: .keyFailure) }
    }

    /// Reads the failures; `nil` if there were none, or if they cannot be read.
    private func read() -> Record? {
        do {
            guard let data = try keychain.beside(.keyFailure) else { return nil }
            return try JSONDecoder().decode(Record.self, from: data)
        } catch {
            return nil
        }
    }
}
