public import Foundation
public import PushBridgeCore

/// One record of a legacy store as it is stored, not decoded.
public struct LegacyItem: Equatable, Sendable {
    /// The position of an item in its store; valid as long as nothing else changes the store.
    public enum Position: Hashable, Sendable {
        /// A row of a SQLite table.
        case row(Int64)
        /// The n-th item of our services, counted from 0 in source order.
        case index(Int)
        /// An item of the keychain itself, by the names it has there.
        case key(service: String, account: String, accessGroup: String? = nil)
    }

    /// The content of an item.
    public enum Payload: Equatable, Sendable {
        /// A keyed archive; may be anything at all.
        case archive(Data)
        /// One JSON object in the legacy SDK's `toJson()` shape; may be anything at all.
        case json(Data)
        /// One JSON object of a migration export, which may leave out more; may be anything at all.
        case exportedJSON(Data)
        /// One JSON object in the shape in which the successor SDK keeps its records; may be anything at all.
        case newSDK(Data)
        /// The secret of a one-time-password credential that the successor SDK keeps in another item; may be anything
        /// at all.
        case newSDKSecret(Data)
        /// The value could not be opened, for this reason.
        case unreadable(LegacyRecordError)
    }

    /// Where it lies.
    public let position: Position
    /// The service it belongs to.
    public let service: LegacyService
    /// Its key in the store.
    public let key: String
    /// The keychain access group, where the container records one.
    public let accessGroup: String?
    /// When the keychain lets it be read, if its store has that information.
    public let accessibility: KeychainAccessibility?
    /// Its content.
    public internal(set) var payload: Payload
    /// The module of the classes of its archive.
    var module = ArchiveModule.legacySDK

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - position: Its position in its store.
    ///   - service: The service it belongs to.
    ///   - key: Its key in the store.
    ///   - accessGroup: The keychain access group, where the container records one.
    ///   - accessibility: When the keychain lets it be read, where the container records it.
    ///   - payload: Its content.
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
    /// Creates an item of a record that was read before and is kept.
    package init(kept payload: Payload, service: LegacyService, key: String) {
        self.init(position: .index(0), service: service, key: key, payload: payload)
        module = .any
    }
}

extension LegacyItem: CustomStringConvertible, Concealed {
    /// Its kind, never the bytes.
    public var description: String { "LegacyItem(\(service), \(key))" }
}

extension LegacyItem {
    /// The largest value that is read, in bytes; a larger one is damaged.
    package static let largestValue = 16 * 1024 * 1024
}

extension LegacyItem.Payload {
    package static func damaged(_ reason: String) -> LegacyItem.Payload {
        .unreadable(.damaged(reason))
    }
}

extension LegacyItem {
    /// The kind of record by where it lies, for records that cannot be read.
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
    /// Whether a reader named the item by its place, because its key in the store is not known.
    package var isNameless: Bool {
        let words = key.split(separator: " ", omittingEmptySubsequences: false)
        return words.count == 2 && ["line", "record", "row"].contains(words[0]) && Int(words[1]) != nil
    }
}

extension LegacyItem {
    /// The name and the content of an item; its position does not count.
    public typealias Digest = RecordFingerprint

    /// Distinguishes this item from a later one at its position.
    public var digest: Digest {
        let group = [accessGroup == nil ? "" : "group", accessGroup ?? ""]
        return Digest(parts: [service.rawValue, key] + group, payload: payload.content, occurrence: 0)
    }
}

extension LegacyItem {
    /// The bytes of the key and of the value.
    package var size: Int { key.utf8.count + payload.content.count }
}

extension LegacyItem.Payload {
    /// The bytes that distinguish two payloads; for a readable one, its value.
    var content: Data {
        switch self {
        case .archive(let bytes), .json(let bytes), .exportedJSON(let bytes), .newSDK(let bytes),
            .newSDKSecret(let bytes):
            bytes
        case .unreadable(let error): Data(error.reason.utf8)
        }
    }
}
