import Foundation
package import LegacyStore
package import PushBridgeCore

/// One record of a source: its fingerprint, its content, and its converted value.
final class SourceRecord: Sendable {
    let item: LegacyItem
    let fingerprint: RecordFingerprint
    /// The kind that the record names or, if the record is unreadable, that the item's service and key suggest.
    let kind: LegacyRecordKind
    /// Whether the record is a push credential of the successor SDK whose secret is URL-safe or unpadded base64.
    let hasRawSecret: Bool
    /// The converted record, or the reason why it cannot be converted.
    let value: Result<SourceValue, LegacyRecordError>

    init(_ item: LegacyItem, fingerprint: RecordFingerprint) {
        self.item = item
        self.fingerprint = fingerprint
        do throws(LegacyRecordError) {
            let decoded = try item.decoded()
            kind = decoded.record.kind
            hasRawSecret = item.signingFault(decoded) == .rawSecret
            value = Result { () throws(LegacyRecordError) in try SourceValue(decoded) }
        } catch {
            kind = item.presumedKind
            hasRawSecret = false
            value = .failure(error)
        }
    }

    /// `locked` or `undecryptable` if the record could not be opened, otherwise `nil`.
    var seal: MigrationOutcome? {
        guard case .failure(let error) = value else { return nil }
        return [.locked, .undecryptable].first { $0 == MigrationOutcome(error.code) }
    }

    /// Whether the record is an account that cannot be read.
    var isUnreadableAccount: Bool {
        guard case .failure = value else { return false }
        return kind == .account
    }

    /// The bytes of the record, unchanged.
    var verbatim: VerbatimRecord { VerbatimRecord(item.payload) }
}

extension SourceRecord {
    /// Reads the record that a ledger entry keeps.
    ///
    /// The result is `nil` if the entry keeps no record.
    convenience init?(_ entry: LedgerEntry) {
        guard let item = LegacyItem(entry) else { return nil }
        self.init(item, fingerprint: entry.record)
    }
}

/// A converted legacy record.
///
/// If the record has a secret, the value also contains a probe for the proof.
///
/// The enum is indirect because its values are large.
indirect enum SourceValue: Sendable {
    case account(AccountProfile)
    case push(PushCredential, PushProbe)
    case oath(OathCredential, OathProbe)
    case notification(PushNotification)
    case deviceToken(PushDeviceToken)

    /// Converts a record.
    ///
    /// If the record is a mechanism that does not contain its account, the credential's account contains only the
    /// issuer and the account name.
    init(_ decoded: DecodedItem) throws(LegacyRecordError) {
        switch decoded.record {
        case .account(let account):
            self = .account(account.profile)
        case .mechanism(let mechanism):
            let account = decoded.embeddedAccount
            if case .push(let parameters) = mechanism.factor {
                let credential = try PushCredential(
                    mechanism: mechanism,
                    parameters: parameters,
                    account: account
                )
                self = .push(credential, PushProbe(mechanism, parameters))
            } else {
                let credential = try OathCredential(mechanism: mechanism, account: account)
                self = .oath(credential, OathProbe(mechanism))
            }
        case .notification(let notification):
            self = .notification(try notification.checked())
        case .deviceToken(let token):
            self = .deviceToken(token)
        }
    }

    /// The id of the credential or, for a notification, of the credential to which it belongs; otherwise `nil`.
    var credentialId: String? {
        switch self {
        case .push(let credential, _): credential.id
        case .oath(let credential, _): credential.id
        case .notification(let notification): notification.credentialId
        case .account, .deviceToken: nil
        }
    }
}

extension MigrationResult {
    /// Creates the result of a record that cannot be converted.
    init(_ error: LegacyRecordError) {
        self.init(MigrationOutcome(error.code), issue: error.issue)
    }
}

extension MigrationOutcome {
    fileprivate init(_ code: LegacyRecordError.Code) {
        self =
            switch code {
            case .damaged: .damaged
            case .unsupported: .unsupported
            case .locked: .locked
            case .undecryptable: .undecryptable
            }
    }
}

extension LedgerEntry {
    /// Returns the decoded record that the entry keeps, or `nil` if the entry keeps no record.
    package func decoded() throws(LegacyRecordError) -> DecodedItem? {
        guard let item = LegacyItem(self) else { return nil }
        return try item.decoded()
    }
}

extension LegacyItem {
    fileprivate init?(_ entry: LedgerEntry) {
        guard let verbatim = entry.verbatim else { return nil }
        let payload: Payload =
            switch verbatim.format {
            case .archive: .archive(verbatim.payload)
            case .json: .json(verbatim.payload)
            case .exportedJSON: .exportedJSON(verbatim.payload)
            case .newSDK: .newSDK(verbatim.payload)
            }
        self.init(kept: payload, service: LegacyService(entry.kind), key: entry.key)
    }
}

extension VerbatimRecord {
    init(_ payload: LegacyItem.Payload) {
        switch payload {
        case .archive(let bytes): self.init(format: .archive, payload: bytes)
        case .json(let bytes): self.init(format: .json, payload: bytes)
        case .exportedJSON(let bytes): self.init(format: .exportedJSON, payload: bytes)
        case .newSDK(let bytes): self.init(format: .newSDK, payload: bytes)
        case .newSDKSecret, .unreadable: self.init(format: .archive, payload: Data())
        }
    }
}
