public import Foundation
public import PushBridgeCore

/// One record of a legacy store in its stored form; it is not decoded.
public struct LegacyItem: Equatable, Sendable {
    /// The position of an item in its store; valid until the store changes.
    public enum Position: Hashable, Sendable {
        /// A row of a SQLite table.
        case row(Int64)
        /// The index of an item among all items that the container contains, in source order.
        case index(Int)
        /// An item of the keychain, identified by its service, its keychain account and its access group.
        case key(service: String, account: String, accessGroup: String? = nil)
    }

    /// The content of an item.
    public enum Payload: Equatable, Sendable {
        /// A keyed archive; not validated.
        case archive(Data)
        /// One JSON object in the format of the legacy SDK's `toJson()`; not validated.
        case json(Data)
        /// One JSON object of a migration export, which may omit more fields than `toJson()`; not validated.
        case exportedJSON(Data)
        /// One JSON object in the format of the successor SDK; not validated.
        case newSDK(Data)
        /// The secret of a one-time-password credential, which the successor SDK stores in a separate item; not
        /// validated.
        case newSDKSecret(Data)
        /// A value that could not be read, with the reason.
        case unreadable(LegacyRecordError)
    }

    /// The position of the item in its store.
    public let position: Position
    /// The service of the item.
    public let service: LegacyService
    /// The key of the item in the store.
    public let key: String
    /// The keychain access group; `nil` if the container does not contain this information.
    public let accessGroup: String?
    /// The accessibility class of the item; `nil` if the container does not contain this information.
    public let accessibility: KeychainAccessibility?
    /// The content of the item.
    public internal(set) var payload: Payload
    /// The module of the classes in the item's archive.
    var module = ArchiveModule.legacySDK

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - position: The position of the item in its store.
    ///   - service: The service of the item.
    ///   - key: The key of the item in the store.
    ///   - accessGroup: The keychain access group; `nil` if the container does not contain this information.
    ///   - accessibility: The accessibility class of the item; `nil` if the container does not contain this
    ///     information.
    ///   - payload: The content of the item.
    public init(
        position: Position,
        service: LegacyService,
        key: String,
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility? = nil,
        payload: Payload
    ) {
        self.position = position
        self.service = service
        self.key = key
        self.accessGroup = accessGroup
        self.accessibility = accessibility
        self.payload = payload
    }
}

extension LegacyItem {
    /// Creates an item from a record that a migration kept verbatim.
    package init(kept payload: Payload, service: LegacyService, key: String) {
        self.init(position: .index(0), service: service, key: key, payload: payload)
        module = .any
    }
}

extension LegacyItem: CustomStringConvertible, Concealed {
    /// The service and the key of the item, without its bytes.
    public var description: String { "LegacyItem(\(service), \(key))" }
}

extension LegacyItem {
    /// The maximum size of a value in bytes; a larger value counts as damaged.
    package static let largestValue = 16 * 1024 * 1024
}

extension LegacyItem.Payload {
    package static func damaged(_ reason: String) -> LegacyItem.Payload {
        .unreadable(.damaged(reason))
    }
}

extension LegacyItem {
    /// The kind of the record, derived from the item's service and key.
    ///
    /// This kind is used for records that cannot be read.
    public var presumedKind: LegacyRecordKind {
        switch service {
        case .account: .account
        case .notification: .notification
        case .deviceToken: .deviceToken
        case .mechanism: [.push, .totp, .hotp].first { key.hasSuffix("-\($0.rawValue)") } ?? .unknown
        }
    }
}

extension LegacyItem {
    /// Whether the item's position is used as its key, because the key in the store is not known.
    package var isNameless: Bool {
        let words = key.split(separator: " ", omittingEmptySubsequences: false)
        return words.count == 2 && ["line", "record", "row"].contains(words[0]) && Int(words[1]) != nil
    }
}

extension LegacyItem {
    /// A hash that covers the name and the content of an item, but not its position.
    public typealias Digest = RecordFingerprint

    /// A value that distinguishes this item from a later item at the same position.
    public var digest: Digest {
        let group = [accessGroup == nil ? "" : "group", accessGroup ?? ""]
        return Digest(parts: [service.rawValue, key] + group, payload: payload.content, occurrence: 0)
    }
}

extension LegacyItem {
    /// The number of bytes of the key and the value.
    package var size: Int { key.utf8.count + payload.content.count }
}

extension LegacyItem.Payload {
    /// The bytes that distinguish two payloads: the value or, if the value is unreadable, the reason.
    var content: Data {
        switch self {
        case .archive(let bytes), .json(let bytes), .exportedJSON(let bytes), .newSDK(let bytes),
            .newSDKSecret(let bytes):
            bytes
        case .unreadable(let error): Data(error.reason.utf8)
        }
    }
}
