import Foundation
import PushBridgeCore

extension DecodedItem {
    /// Reads one JSON object in the shape in which the new SDK keeps its records.
    init(newSDK json: Data, service: LegacyService) throws(LegacyRecordError) {
        do {
            try self.init(decoding: json, service: service, JSONDecoder())
        } catch {
            throw LegacyRecordError(error)
        }
    }

    private init(decoding json: Data, service: LegacyService, _ decoder: JSONDecoder) throws {
        switch service {
        case .account: throw LegacyRecordError.damaged("The new SDK has no account records.")
        case .mechanism:
            let element = try decoder.decode(NewCredentialElement.self, from: json)
            self.init(record: .mechanism(element.mechanism), embeddedAccount: element.account)
        case .notification:
            let element = try decoder.decode(NewNotificationJSON.self, from: json)
            self.init(record: .notification(element.notification), receipt: try element.receipt())
        case .deviceToken:
            let element = try decoder.decode(NewDeviceTokenJSON.self, from: json)
            self.init(record: .deviceToken(try element.deviceToken()))
        }
    }
}

/// One credential of the new SDK, of either kind.
private struct NewCredentialElement: Decodable {
    let mechanism: LegacyMechanism
    let account: LegacyAccount

    private enum Key: CodingKey {
        case oathType
    }

    init(from decoder: any Decoder) throws {
        let common = try NewCredentialJSON(from: decoder)
        if try decoder.container(keyedBy: Key.self).contains(.oathType) {
            let oath = try NewOathJSON(from: decoder)
            mechanism = try common.mechanism(oath.factor(), secret: oath.key())
        } else {
            let push = try NewPushJSON(from: decoder)
            mechanism = try common.mechanism(push.factor(), secret: push.sharedSecret)
        }
        account = common.account
    }
}
