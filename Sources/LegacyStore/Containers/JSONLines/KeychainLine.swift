import Foundation
import PushBridgeCore

/// One keychain item as a line of JSON.
struct KeychainLine: Decodable {
    /// The service; `nil` if it is none of ours.
    let service: RecordService?
    let key: String
    let accessGroup: String?
    /// The value; `nil` if it is not base64, which must not hide the key beside it.
    let data: Data?

    private enum Key: String, CodingKey {
        case service = "svce"
        case key = "acct"
        case accessGroup = "agrp"
        case data
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        service = RecordService(name: try members.decode(String.self, forKey: .service))
        key = Self.text(members, .key) ?? ""
        accessGroup = Self.text(members, .accessGroup)
        data = Self.text(members, .data).flatMap { Data(base64Encoded: $0) ?? Base64.decode($0) }
    }

    /// Parses a line; `nil` if it is not JSON or names no service.
    init?(_ line: [UInt8]) {
        do {
            self = try JSONDecoder().decode(KeychainLine.self, from: Data(line))
        } catch {
            return nil
        }
    }

    /// What an item of its service holds.
    func payload(in service: RecordService) -> LegacyItem.Payload {
        data.map(service.payload) ?? .damaged("The field data is not base64.")
    }

    private static func text(_ members: KeyedDecodingContainer<Key>, _ key: Key) -> String? {
        do {
            return try members.decode(String.self, forKey: key)
        } catch {
            return nil
        }
    }
}
