import Foundation
import LegacyStore
import PushBridgeCore

/// Compares source records with what is stored, by what both can do.
struct Prover {
    let view: any CredentialReading

    /// Reads back what holds the record, which had this outcome, and compares.
    func proof(of value: LegacyValue, record: SourceRecord, as outcome: MigrationOutcome) throws -> Proof {
        if outcome == .kept {
            let proof = try proofOfKeeping(record)
            if proof != .absent { return proof }
        }
        if case .account(let account) = value { return try proof(of: account, record: record) }
        return try proof(of: value)
    }

    private func proof(of value: LegacyValue) throws -> Proof {
        switch value {
        case .push(let mechanism, let parameters, _):
            guard let stored = try view.pushCredential(id: mechanism.mechanismUUID) else { return .absent }
            return PushProof(mechanism: mechanism, parameters: parameters, stored: stored).run()
        case .oath(let mechanism, _):
            guard let stored = try view.oathCredential(id: mechanism.mechanismUUID) else { return .absent }
            return OathProof(mechanism: mechanism, stored: stored).run()
        case .notification(let notification):
            return try proof(of: notification)
        case .deviceToken(let token):
            return try proof(of: token)
        case .account:
            return .absent
        }
    }

    /// Compares the kept record with the source's, byte by byte.
    private func proofOfKeeping(_ record: SourceRecord) throws -> Proof {
        guard let kept = try view.preservedRecord(for: record.fingerprint) else { return .absent }
        return Proof(
            kept.payload == record.item.payload.bytes && kept.format == record.item.payload.format,
            else: "The kept record differs from the source."
        )
    }

    /// A credential carries the account as the record says it, or did so once and was changed since.
    private func proof(of account: LegacyAccount, record: SourceRecord) throws -> Proof {
        let carried = try view.legacyAccounts(of: account.profile.key)
        guard !carried.isEmpty else { return .absent }
        return Proof(
            try carried.contains(account) || view.hasTakenOver(record.fingerprint),
            else: "The destination's account has other details."
        )
    }

    private func proof(of notification: PushNotification) throws -> Proof {
        guard let stored = try view.stored(notification) else { return .absent }
        guard stored.isSamePush(as: notification) else {
            return .different("The destination holds another push under this id.")
        }
        return Proof(
            stored.answered(by: notification) == nil,
            else: "The destination does not know the answer."
        )
    }

    private func proof(of token: PushDeviceToken) throws -> Proof {
        guard let stored = try view.deviceToken() else { return .absent }
        return Proof(
            stored.isSameDevice(as: token) || stored.createdAt >= token.createdAt,
            else: "The destination holds an older device token."
        )
    }
}
