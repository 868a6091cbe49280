import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeFiles

/// Lines of JSON that are keychain items; some of the items may belong to services that the SDKs do not use.
struct JSONLinesSource: DocumentSource {
    /// An item of an SDK must occur within this number of bytes from the start of a file; otherwise, the file
    /// is rejected.
    private static let searched = 64 * 1024 * 1024
    /// The maximum number of lines that are not keychain items.
    ///
    /// The number is limited because a report lists each of these lines.
    private static let mostStrangeLines = 100_000

    let url: URL
    let container = "jsonLines"
    let status: FileStatus

    /// Opens a file whose first 64 MiB (`searched`) contain an item of a service that PushBridge reads; returns `nil`
    /// if they contain no keychain item.
    ///
    /// An empty file, and a file whose items all belong to other services, are opened only with `mayBeEmpty`;
    /// without it, they cause an error.
    init?(_ url: URL, _ status: FileStatus, mayBeEmpty: Bool = false) throws(LegacyStoreError) {
        guard try Self.isOurs(url, status, mayBeEmpty: mayBeEmpty) else { return nil }
        self.url = url
        self.status = status
    }

    /// Returns whether the file starts with a keychain item.
    ///
    /// Lines that are blank or too long are ignored, and so are damaged items. If the first item has no value, the
    /// result is `false`, because the value may have a different name, as in some dumps.
    static func begins(_ url: URL) throws(LegacyStoreError) -> Bool {
        var lines = try KeychainLines(url, until: searched)
        while let line = try lines.next() {
            guard let bytes = line.bytes, !line.isBlank else { continue }
            guard line.mayBeItem else { return false }
            if let item = KeychainLine(bytes) { return item.hasValue }
        }
        return false
    }

    /// Returns whether a line in the first 64 MiB of the file (`searched`) is an item with a value, in a service that
    /// PushBridge reads.
    static func hasItem(_ url: URL) throws(LegacyStoreError) -> Bool {
        var lines = try KeychainLines(url, until: searched)
        while let line = try lines.next(), line.extent.upperBound <= searched {
            guard line.mayBeItem, let item = line.bytes.flatMap(KeychainLine.init) else { continue }
            if item.service != nil, item.hasValue { return true }
        }
        return false
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        var lines = try KeychainLines(url)
        var (count, strange) = (0, 0)
        return LegacyItems { () throws(LegacyStoreError) in
            while let line = try lines.next() {
                guard let item = line.item(at: count) else { continue }
                count += 1
                if item.payload.isStrangeLine { strange += 1 }
                guard strange <= Self.mostStrangeLines else {
                    throw .notALegacyStore(
                        "\(url.relativePath) has more than \(Self.mostStrangeLines) lines that are not keychain items."
                    )
                }
                return item
            }
            try LegacyFile.requireUnchanged(url, since: status)
            return nil
        }
    }

    /// Counts the deleted items of the SDKs, which `items()` leaves out.
    ///
    /// - Parameter progress: Called after every 500 lines with the number of lines that have been searched.
    /// - Returns: The number of deleted items.
    /// - Throws: ``LegacyStoreError`` if the file cannot be read.
    func deletedItems(progress: (Int) -> Void = { _ in }) throws(LegacyStoreError) -> Int {
        var lines = try KeychainLines(url)
        var count = 0
        while let line = try lines.next() {
            if line.number.isMultiple(of: 500) { progress(line.number) }
            guard line.mayBeDeleted, let parsed = line.bytes.flatMap(KeychainLine.init) else { continue }
            if parsed.isDeleted, parsed.service != nil { count += 1 }
        }
        return count
    }

    func hasOtherContents() throws(LegacyStoreError) -> Bool {
        var lines = try KeychainLines(url)
        while let line = try lines.next() {
            guard line.mayBeItem, let parsed = line.bytes.flatMap(KeychainLine.init) else { continue }
            if parsed.service == nil { return true }
        }
        return false
    }

    private static func isOurs(
        _ url: URL,
        _ status: FileStatus,
        mayBeEmpty: Bool
    ) throws(LegacyStoreError) -> Bool {
        var lines = try KeychainLines(url, until: searched)
        var hasItems = status.size == 0
        var hashedItems = HashedItems()
        while let line = try lines.next(), line.extent.upperBound <= searched {
            guard line.mayBeItem, let parsed = line.bytes.flatMap(KeychainLine.init) else { continue }
            if parsed.service != nil { return true }
            if let hash = parsed.serviceHash, parsed.hasHashedKey || hashedItems.contains(hash) {
                hashedItems.add(hash, isDeleted: parsed.isDeleted)
            }
            hasItems = true
        }
        if let sentence = hashedItems.sentence {
            throw .notALegacyStore("\(url.relativePath) \(sentence)")
        }
        guard !hasItems || mayBeEmpty else {
            throw status.size > 0
                ? .holdsNothing(url)
                : .notALegacyStore("\(url.relativePath) is an empty file and not a legacy store.")
        }
        return hasItems
    }
}

/// The lines of a file, which are read one at a time.
///
/// No line uses more memory than the largest item needs.
struct KeychainLines {
    struct Line {
        /// The text without its line ending; `nil` if the line is too long.
        let bytes: [UInt8]?
        /// The range of the line in the file, with its line ending.
        let extent: Range<Int>
        let number: Int

        /// Whether the line may contain a service.
        ///
        /// The line is searched and not parsed, because a file may have millions of lines.
        var mayBeItem: Bool {
            guard let bytes else { return false }
            // If the line contains a backslash, the name of the member may be written with escapes.
            return bytes.contains(bytesOf: "\\") || bytes.contains(bytesOf: "svce")
                || bytes.contains(bytesOf: "service")
        }

        /// Whether the line may contain a tombstone.
        ///
        /// The line is searched and not parsed.
        var mayBeDeleted: Bool { bytes?.contains(bytesOf: "tomb") == true && mayBeItem }

        var isBlank: Bool { bytes?.allSatisfy(\.isJSONSpace) ?? false }
    }

    private let url: URL
    private let reader: ByteReader
    private let limit: Int
    private let stop: Int
    private var number = 0

    /// Creates a reader for the lines of a file.
    ///
    /// Base64 needs four bytes for three bytes of data, so a line may be longer than the largest value. A
    /// line that continues beyond `stop` is not read to its end.
    init(
        _ url: URL,
        limit: Int = LegacyItem.largestValue / 3 * 4 + 64 * 1024,
        until stop: Int = .max
    ) throws(LegacyStoreError) {
        self.url = url
        self.limit = limit
        self.stop = stop
        reader = try reading(url) { try ByteReader(url) }
    }

    mutating func next() throws(LegacyStoreError) -> Line? {
        let (reader, limit, stop) = (reader, limit, stop)
        let line = try reading(url) { try reader.line(limit: limit, until: stop) }
        guard let line else { return nil }
        var bytes = line.bytes
        if bytes?.last == UInt8(ascii: "\r") { bytes?.removeLast() }
        number += 1
        return Line(bytes: bytes, extent: line.extent, number: number)
    }
}

extension KeychainLines.Line {
    /// Returns the item of the line; returns `nil` if the line is blank, or if it contains a deleted item or
    /// an item of another service.
    func item(at index: Int) -> LegacyItem? {
        guard !isBlank else { return nil }
        guard let bytes else { return damaged(index, "The line is longer than 16 MB.") }
        guard mayBeItem, let parsed = KeychainLine(bytes) else {
            return damaged(index, Self.notAnItem)
        }
        guard !parsed.isDeleted else {
            if FurtherServices.isCounting, let service = parsed.service {
                service.countDeleted(parsed.payload(in: service), under: parsed.key)
            }
            return nil
        }
        return parsed.service.map { service in
            let payload = parsed.payload(in: service)
            return LegacyItem(
                position: .index(index),
                service: service.kind(of: payload, under: parsed.key),
                key: parsed.key,
                accessGroup: parsed.accessGroup,
                payload: payload
            )
        }
    }

    fileprivate static let notAnItem = "The line is not a keychain item in JSON."

    private func damaged(_ index: Int, _ reason: String) -> LegacyItem {
        LegacyItem(
            position: .index(index),
            service: .mechanism,
            key: "line \(number)",
            payload: .damaged(reason)
        )
    }
}

extension LegacyItem.Payload {
    fileprivate var isStrangeLine: Bool {
        if case .damaged(KeychainLines.Line.notAnItem) = self { true } else { false }
    }
}

private struct KeychainLine: Decodable {
    /// The service; `nil` if PushBridge does not read the service.
    let service: RecordService?
    let key: String
    let accessGroup: String?
    /// Whether the item has been deleted; the keychain keeps a deleted item for the user's other devices.
    let isDeleted: Bool
    /// The value; `nil` if it is missing or cannot be decoded, or if the item belongs to another service.
    ///
    /// The key of an item is read even if the item's value cannot be decoded.
    let data: Data?
    /// Whether the line has a member for the value.
    let hasValue: Bool
    /// The hash that the line contains instead of a service; `nil` for other lines.
    let serviceHash: Data?
    /// Whether the line contains a hash instead of the key.
    let hasHashedKey: Bool

    private enum Key: String, CodingKey {
        case service = "svce"
        case key = "acct"
        case accessGroup = "agrp"
        case data
        case tomb
        // The names that some dump tools use.
        case dumpedService = "service"
        case dumpedKey = "account"
        case dumpedData = "v_Data"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let name = try Self.text(members, .service) ?? members.decode(String.self, forKey: .dumpedService)
        let service = RecordService(name: name)
        let key = Self.text(members, .key) ?? Self.text(members, .dumpedKey) ?? ""
        let value = (Self.text(members, .data) ?? Self.text(members, .dumpedData)).map(DumpedValue.text)
        data = service.flatMap { value?.data(for: $0) }
        hasValue = members.contains(.data) || members.contains(.dumpedData)
        serviceHash = service == nil ? DumpedValue.text(name).hash : nil
        hasHashedKey = DumpedValue.text(key).hash != nil
        accessGroup = Self.text(members, .accessGroup)
        isDeleted = Self.flag(members, .tomb)
        (self.service, self.key) = (service, key)
    }

    /// Parses a line; returns `nil` if the line is not JSON or contains no service.
    init?(_ line: [UInt8]) {
        do {
            self = try JSONDecoder().decode(KeychainLine.self, from: Data(line))
        } catch {
            return nil
        }
    }

    func payload(in service: RecordService) -> LegacyItem.Payload {
        data.map(service.payload) ?? .unreadable(.invalidField("The field data is not base64."))
    }

    private static func flag(_ members: KeyedDecodingContainer<Key>, _ key: Key) -> Bool {
        guard members.contains(key) else { return false }
        do {
            return try members.decode(Int.self, forKey: key) != 0
        } catch {
            do {
                return try members.decode(Bool.self, forKey: key)
            } catch {
                return text(members, key) == "1"
            }
        }
    }

    private static func text(_ members: KeyedDecodingContainer<Key>, _ key: Key) -> String? {
        do {
            return try members.decode(String.self, forKey: key)
        } catch {
            return nil
        }
    }
}
