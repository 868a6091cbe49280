import LegacyStore
import PushBridgeCore

extension SourceRecord {
    /// Reads a kept record again, as if it still lay in its source.
    init(_ preserved: PreservedRecord) {
        let item = LegacyItem(
            position: .index(0),
            service: LegacyService(preserved.kind),
            key: preserved.key,
            payload: LegacyItem.Payload(preserved)
        )
        self.init(NamedItem(item: item, fingerprint: preserved.record))
    }
}

extension LegacyItem.Payload {
    /// The bytes of a kept record in their encoding.
    init(_ preserved: PreservedRecord) {
        switch preserved.format {
        case .archive: self = .archive(preserved.payload)
        case .json: self = .json(preserved.payload)
        case .exportedJSON: self = .exportedJSON(preserved.payload)
        case .newSDK: self = .newSDK(preserved.payload)
        }
    }
}

extension LegacyService {
    /// The service that holds records of a kind; only mechanisms can be too strange to have one.
    init(_ kind: LegacyRecordKind) {
        switch kind {
        case .account: self = .account
        case .push, .totp, .hotp, .unknown: self = .mechanism
        case .notification: self = .notification
        case .deviceToken: self = .deviceToken
        }
    }
}
