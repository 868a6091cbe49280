import AuthenticatorCore
import LegacyStore

extension CredentialReading {
    /// Calls `body` with every record of the way back: accounts, mechanisms, notifications, the device token.
    func forEachExportedRecord(_ body: (ExportedRecord) throws -> Void) throws {
        try forEachAccount(body)
        try forEachMechanism(body)
        try forEachNotification(.all) { try body(.legacy(.notification($0.legacyNotification), .none)) }
        try forEachKept([.notification], body)
        if let token = try deviceToken() { try body(.legacy(.deviceToken(token), .none)) }
    }

    /// Accounts come from their credentials, once each, and from what was kept.
    private func forEachAccount(_ body: (ExportedRecord) throws -> Void) throws {
        var seen: Set<AccountKey> = []
        func add(_ account: LegacyAccount?) throws {
            guard let account, seen.insert(account.profile.key).inserted else { return }
            try body(.legacy(.account(account), .mechanism))
        }
        try forEachPushCredential { try add($0.legacyAccount) }
        try forEachOathCredential { try add($0.legacyAccount) }
        try forEachKept([.push, .totp, .hotp]) { try add($0.account) }
        try forEachKept([.account], body)
    }

    private func forEachMechanism(_ body: (ExportedRecord) throws -> Void) throws {
        try forEachPushCredential {
            try body(.legacy(.mechanism($0.legacyMechanism), .account($0.legacyAccount)))
        }
        try forEachOathCredential {
            try body(.legacy(.mechanism($0.legacyMechanism), .account($0.legacyAccount)))
        }
        try forEachKept([.push, .totp, .hotp], body)
    }

    /// Kept records of some kinds.
    ///
    /// They could be read when they were kept, so one that cannot is damage of ours.
    private func forEachKept(
        _ kinds: Set<LegacyRecordKind>,
        _ body: (ExportedRecord) throws -> Void
    ) throws {
        try forEachPreservedRecord { kept in
            guard kinds.contains(kept.kind) else { return }
            guard let decoded = try SourceRecord(kept)?.content.get() else { return }
            try body(.kept(kept, decoded))
        }
    }
}
