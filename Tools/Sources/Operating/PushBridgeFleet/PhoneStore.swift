@_spi(PushBridgeTools) import CredentialMigration
import PushBridgeCore

/// The records of a simulated phone's legacy store.
struct PhoneStore {
    let accounts: Int
    let push: Int
    let totp: Int
    let hotp: Int
    let notifications: Int

    init(_ random: inout SplitMix) {
        accounts = 1 + random.geometric(0.7, limit: 9)
        var (push, totp, hotp) = (0, 0, 0)
        for _ in 0..<accounts {
            let hasPush = random.happens(0.85)
            if hasPush { push += 1 }
            if !hasPush || random.happens(0.4) { if random.happens(0.05) { hotp += 1 } else { totp += 1 } }
        }
        (self.push, self.totp, self.hotp) = (push, totp, hotp)
        notifications = push == 0 ? 0 : random.geometric(0.15, limit: 20)
    }

    var records: Int { accounts + push + totp + hotp + notifications + (push > 0 ? 1 : 0) }

    /// Returns the counts of the store's records.
    ///
    /// If `troubled` is not `nil`, one credential has the outcome `troubled`.
    func counts(troubled: MigrationOutcome? = nil, proven: Bool = true) -> [MigrationEvent.Count] {
        var kinds: [(LegacyRecordKind, Int)] = [
            (.account, accounts), (.push, push), (.totp, totp), (.hotp, hotp), (.notification, notifications),
            (.deviceToken, push > 0 ? 1 : 0),
        ]
        var counts: [MigrationEvent.Count] = []
        if let troubled {
            let index = push > 0 ? 1 : totp > 0 ? 2 : 3
            counts.append(.init(madeUp: 1, kinds[index].0, troubled, proven: proven))
            kinds[index].1 -= 1
        }
        return counts + kinds.filter { $0.1 > 0 }.map { .init(madeUp: $0.1, $0.0, .migrated, proven: true) }
    }
}
