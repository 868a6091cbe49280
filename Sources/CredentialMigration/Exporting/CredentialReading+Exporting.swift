import LegacyStore
import PushBridgeCore

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
        _ = try forEachReadablePushCredential { try add($0.legacyAccount) }
        _ = try forEachReadableOathCredential { try add($0.legacyAccount) }
        try forEachKept([.push, .totp, .hotp]) { try add($0.account) }
        try forEachKept([.account], body)
    }

    private func forEachMechanism(_ body: (ExportedRecord) throws -> Void) throws {
        let lostPush = try forEachReadablePushCredential { credential in
            try body(.legacy(.mechanism(credential.legacyMechanism), .account(credential.legacyAccount)))
        }
        let lostOath = try forEachReadableOathCredential { credential in
            try body(.legacy(.mechanism(credential.legacyMechanism), .account(credential.legacyAccount)))
        }
        for id in lostPush + lostOath { try body(.unreadable(id)) }
        try forEachKept([.push, .totp, .hotp, .unknown], body)
        for _ in try forEachReadablePreservedRecord({ _ in }) { try body(.unreadable("kept record")) }
    }

    /// Kept records of some kinds, with what they say as far as this version can tell.
    private func forEachKept(
        _ kinds: Set<LegacyRecordKind>,
        _ body: (ExportedRecord) throws -> Void
    ) throws {
        _ = try forEachReadablePreservedRecord { kept in
            guard kinds.contains(kept.kind) else { return }
            switch SourceRecord(kept).content {
            case .success(let decoded): try body(.kept(kept, decoded))
            case .failure: try body(.kept(kept, nil))
            }
        }
    }
}
