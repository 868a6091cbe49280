import AuthenticatorCore
import LegacyStore

extension SourceRecord {
    /// Reads a kept record again, as if it still lay in its source; `nil` if its kind is unknown.
    init?(_ preserved: PreservedRecord) {
        guard let service = LegacyService(preserved.kind) else { return nil }
        let item = LegacyItem(
            position: .index(0),
            service: service,
            key: preserved.key,
            payload: preserved.format == .json ? .json(preserved.payload) : .archive(preserved.payload)
        )
        self.init(NamedItem(item: item, fingerprint: preserved.record))
    }
}

extension LegacyService {
    /// The service that holds records of a kind.
    init?(_ kind: LegacyRecordKind) {
        switch kind {
        case .account: self = .account
        case .push, .totp, .hotp: self = .mechanism
        case .notification: self = .notification
        case .deviceToken: self = .deviceToken
        case .unknown: return nil
        }
    }
}
