import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeFiles

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A dump of a keychain; for example, a dump that a tool made from an encrypted backup.
///
/// A dump is JSON or a property list. At any depth, it contains objects that have a service, an account and
/// data. Dump tools use different names for these members, and different structures around the items. A dump
/// is a copy, so no records are removed from it.
struct KeychainDumpSource: LegacySource {
    let url: URL
    let container: String
    private let found: [LegacyItem]
    /// The number of deleted items, which are not read.
    let deletedItems: Int

    /// Opens a dump; `nil` if it contains no items of either SDK.
    init?(json url: URL, _ status: FileStatus) throws(LegacyStoreError) {
        let scanner = JSONScanner(bytes: try LegacyFile.contents(url, status))
        var dump = Dump()
        scanner.collect(from: 0, to: &dump)
        guard !dump.isEmpty else { return nil }
        (self.url, container, found, deletedItems) = (url, "legacyJSON", dump.items, dump.deletedItems)
    }

    /// Opens a dump; `nil` if it contains no items of either SDK.
    init?(binaryPropertyList url: URL, _ status: FileStatus) throws(LegacyStoreError) {
        let bytes = Data(try LegacyFile.contents(url, status))
        var dump = Dump()
        do throws(PropertyListError) {
            let list = try BinaryPropertyList(bytes)
            // The objects are read one by one. References are not followed from object to object, because
            // they may form cycles.
            for index in 0..<list.layout.objectCount {
                let reference = PropertyListReference(index: UInt64(index))
                dump.add(
                    list.readable { list throws(PropertyListError) in
                        try list.values(at: reference, in: bytes)
                    } ?? [:]
                )
            }
        } catch {
            return nil
        }
        guard !dump.isEmpty else { return nil }
        (self.url, container, found, deletedItems) = (url, "propertyList", dump.items, dump.deletedItems)
    }

    /// Opens a dump; `nil` if it contains no items of either SDK.
    init?(xmlPropertyList url: URL, _ status: FileStatus) throws(LegacyStoreError) {
        let bytes = try LegacyFile.contents(url, status)
        // Foundation on Linux traps if a name is not UTF-8.
        guard String(bytes: bytes, encoding: .utf8) != nil else { return nil }
        let reader = XMLDumpReader()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = reader
        _ = parser.parse()
        guard !reader.dump.isEmpty else { return nil }
        (self.url, container, found, deletedItems) =
            (url, "propertyList", reader.dump.items, reader.dump.deletedItems)
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        var items = found.makeIterator()
        return LegacyItems { () throws(LegacyStoreError) in items.next() }
    }

    func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        throw .notWritable(
            "\(url.relativePath) is a dump of a keychain. Single records cannot be removed from it; delete the file."
        )
    }
}

/// The value of an object's member in a dump.
private enum DumpValue {
    case text(String)
    case data(Data)
}

/// The items found in a dump.
private struct Dump {
    private(set) var items: [LegacyItem] = []
    private(set) var deletedItems = 0

    var isEmpty: Bool { items.isEmpty && deletedItems == 0 }

    private static let services = ["svce", "service"]
    private static let accounts = ["acct", "account"]
    private static let groups = ["agrp", "accessGroup", "access_group", "group"]
    private static let contents = ["v_Data", "data", "value"]
    /// The member that marks an item as deleted.
    ///
    /// The keychain's own table uses the same name.
    private static let tombstone = "tomb"
    /// The names of all members that are read from an object.
    static let names = Set(services + accounts + groups + contents + [tombstone])

    /// Adds an object if it is an item of either SDK.
    mutating func add(_ members: [String: DumpValue]) {
        func first(_ names: [String]) -> DumpValue? { names.lazy.compactMap { members[$0] }.first }
        guard let service = first(Self.services)?.text.flatMap(RecordService.init),
            let content = first(Self.contents)
        else { return }
        if let mark = members[Self.tombstone]?.text, !["0", "false", ""].contains(mark) {
            deletedItems += 1
            return
        }
        let payload = content.data.map(service.payload) ?? .damaged("The value is not base64.")
        let key = first(Self.accounts)?.text ?? "record \(items.count + 1)"
        items.append(
            LegacyItem(
                position: .index(items.count),
                service: service.kind(of: payload, under: key),
                key: key,
                accessGroup: first(Self.groups)?.text,
                payload: payload
            )
        )
    }
}

extension DumpValue {
    fileprivate var text: String? {
        switch self {
        case .text(let text): text
        case .data(let data): String(bytes: data, encoding: .utf8)
        }
    }

    fileprivate var data: Data? {
        switch self {
        case .text(let text):
            Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Base64.decode(text)
        case .data(let data): data
        }
    }
}

extension JSONScanner {
    /// The maximum depth of objects that are read.
    private static let deepest = 64

    /// Collects the items within the value at a position.
    ///
    /// The items may be at any depth up to the maximum.
    fileprivate func collect(from position: Int, to dump: inout Dump, depth: Int = 0) {
        let start = bytes[position...].firstIndex { !$0.isJSONSpace && !$0.isByteOrderMark } ?? bytes.count
        guard start < bytes.count, depth < Self.deepest,
            [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes[start])
        else { return }
        var members: [String: DumpValue] = [:]
        var nested: [Int] = []
        do throws(Break) {
            _ = try walk(from: start) { name, place throws(Break) in
                let value = try value(from: place)
                switch bytes[value.lowerBound] {
                case UInt8(ascii: "{"), UInt8(ascii: "["): nested.append(value.lowerBound)
                case let first:
                    guard let name = name.flatMap(text), Dump.names.contains(name), members[name] == nil
                    else {
                        break
                    }
                    // A number or a flag is read as text. The value `null` counts as a missing value.
                    let word = String(decoding: bytes[value], as: UTF8.self)
                    let plain = word == "null" ? nil : word
                    members[name] = (first == UInt8(ascii: "\"") ? text(value) : plain).map(DumpValue.text)
                }
                return value.upperBound
            }
        } catch {
            // The rest is not well-formed JSON. The members that precede it are used.
        }
        dump.add(members)
        for place in nested { collect(from: place, to: &dump, depth: depth + 1) }
    }
}

extension PropertyListBytes {
    /// The texts and the data that a dictionary contains, by their keys; empty for other objects.
    fileprivate func values(
        at reference: PropertyListReference,
        in bytes: Data
    ) throws(PropertyListError) -> [String: DumpValue] {
        guard case .dictionary(let keys, let values) = try token(at: reference) else { return [:] }
        var members: [String: DumpValue] = [:]
        for position in 0..<keys.count {
            guard case .text(let key) = try token(at: self.reference(position, of: keys)),
                case let name = try string(key), Dump.names.contains(name)
            else { continue }
            switch try token(at: self.reference(position, of: values)) {
            case .text(let text): members[name] = .text(try string(text))
            case .data(let range): members[name] = .data(Data(bytes[range]))
            case .integer(let number): members[name] = .text(String(number))
            case .bool(let flag): members[name] = .text(String(flag))
            default: break
            }
        }
        return members
    }
}

/// Collects the items of an XML property list.
private final class XMLDumpReader: NSObject, XMLParserDelegate {
    private(set) var dump = Dump()
    private var objects: [[String: DumpValue]] = []
    private var names: [String?] = []
    private var text = ""

    func parser(
        _ parser: XMLParser,
        didStartElement element: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
        guard element == "dict" else { return }
        objects.append([:])
        names.append(nil)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser,
        didEndElement element: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        switch element {
        case "dict":
            if let members = objects.popLast() { dump.add(members) }
            _ = names.popLast()
        case "key": if !names.isEmpty { names[names.count - 1] = text }
        case "string", "integer": keep(.text(text))
        case "true", "false": keep(.text(element))
        case "data": keep(Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(DumpValue.data))
        default: break
        }
        text = ""
    }

    private func keep(_ value: DumpValue?) {
        guard let name = names.last ?? nil, Dump.names.contains(name) else { return }
        objects[objects.count - 1][name] = value
        names[names.count - 1] = nil
    }
}
