import Foundation
import LegacyStore
import PushBridgeFiles

/// A legacy JSON document, a migration export, or a list of records of the successor SDK.
struct JSONDocumentSource: DocumentSource {
    let url: URL
    let container: String
    let status: FileStatus

    /// Opens a JSON document in one of the three formats; `nil` for any other document.
    init?(_ url: URL, _ status: FileStatus) throws(LegacyStoreError) {
        guard let container = JSONDocument(try LegacyFile.contents(url, status)).container else { return nil }
        self.url = url
        self.container = container.rawValue
        self.status = status
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        let document = JSONDocument(try LegacyFile.contents(url, status))
        var numbers = (0..<document.records.count + (document.fault == nil ? 0 : 1)).makeIterator()
        return LegacyItems { () throws(LegacyStoreError) in
            numbers.next().map { $0 < document.records.count ? document.item(at: $0) : document.brokenItem }
        }
    }

    func hasOtherContents() throws(LegacyStoreError) -> Bool {
        JSONDocument(try LegacyFile.contents(url, status)).hasOtherContents
    }
}

enum JSONSection: String {
    case accounts
    case mechanisms
    case notifications
    case deviceToken
    /// Records of the successor SDK, which may be of any kind.
    ///
    /// This case is also used for a document that consists of a single list of records, of either SDK.
    case credentials

    var service: LegacyService {
        switch self {
        case .accounts: .account
        case .mechanisms, .credentials: .mechanism
        case .notifications: .notification
        case .deviceToken: .deviceToken
        }
    }
}

/// A JSON document, split into its records; the records are not decoded.
private struct JSONDocument {
    enum Container: String {
        case document = "legacyJSON"
        case export = "migrationExport"
        case newSDK = "newSDKJSON"
    }

    private let scanner: JSONScanner
    private(set) var records: [(section: JSONSection, value: Range<Int>)] = []
    // The sections that are lists, including lists that are cut off.
    private var lists: [JSONSection] = []
    private var hasMetadata = false
    /// Whether the document contains lists or objects other than its records and metadata.
    private(set) var hasOtherContents = false
    /// The reason why the rest of the document cannot be read; `nil` if the whole document can be read.
    private(set) var fault: String?
    /// The kind of the document; `nil` if its format is unknown.
    private(set) var container: Container?

    init(_ bytes: [UInt8]) {
        scanner = JSONScanner(bytes: bytes)
        do throws(JSONScanner.Break) {
            try read()
        } catch {
            fault = scanner.reason(error)
        }
        container = foundContainer
    }

    private mutating func read() throws(JSONScanner.Break) {
        let scanner = scanner
        let bytes = scanner.bytes
        let start = bytes.firstIndex { !$0.isJSONSpace && !$0.isByteOrderMark } ?? bytes.count
        guard start < bytes.count else { throw .end }
        var end: Int
        switch bytes[start] {
        case UInt8(ascii: "["): end = try readList(.credentials, start)
        case UInt8(ascii: "{"):
            end = try scanner.walk(from: start) { name, value throws(JSONScanner.Break) in
                guard let text = name.flatMap(scanner.text) else {
                    throw .syntax(at: name?.lowerBound ?? value)
                }
                return try readMember(text, value)
            }
        default: throw .syntax(at: start)
        }
        end = scanner.skipSpace(from: end)
        if end < bytes.count { fault = "The document contains text after its end, at \(scanner.place(end))." }
    }

    private mutating func readMember(_ name: String, _ start: Int) throws(JSONScanner.Break) -> Int {
        let first = scanner.bytes[start]
        guard let section = JSONSection(rawValue: name), first != UInt8(ascii: "n"),
            section != .credentials || first == UInt8(ascii: "[")
        else {
            let value = try scanner.value(from: start)
            if name == "metadata" {
                hasMetadata = true
            } else if [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first) {
                hasOtherContents = true
            }
            return value.upperBound
        }
        guard section == .deviceToken else { return try readList(section, start) }
        let value = try scanner.value(from: start)
        records.append((section, value))
        return value.upperBound
    }

    private mutating func readList(_ section: JSONSection, _ start: Int) throws(JSONScanner.Break) -> Int {
        guard scanner.bytes[start] == UInt8(ascii: "[") else { throw .syntax(at: start) }
        let scanner = scanner
        lists.append(section)
        return try scanner.walk(from: start) { _, start throws(JSONScanner.Break) in
            let value = try scanner.value(from: start)
            records.append((section, value))
            return value.upperBound
        }
    }

    // The kind of the document; `nil` if its format is unknown. Records of the successor SDK are recognised by
    // their members. A migration export contains mechanisms and no other records. In addition, a migration export
    // contains metadata, or its mechanisms have a member `account`, which may be `null`.
    private var foundContainer: Container? {
        if records.contains(where: { $0.section == .credentials && isOfKnownShape($0.value) }) {
            return .newSDK
        }
        if records.contains(where: { $0.section == .credentials && legacySection($0.value) != nil }) {
            return .document
        }
        let sections = lists + records.map(\.section)
        // Files of other programs may also contain a list with the name of a section, such as `accounts`. So if
        // there are records, one name is not enough. The document must have `mechanisms` and another section, or a
        // record must have a member that only the SDKs write.
        let isCertain = records.isEmpty || sections.contains(.mechanisms) && Set(sections).count > 1
        guard isCertain || records.contains(where: isOfLegacyShape) else { return nil }
        if sections.contains(where: { ![.mechanisms, .credentials].contains($0) }) { return .document }
        guard sections.contains(.mechanisms) else { return nil }
        let nests = records.contains { scanner.members(of: $0.value)["account"] != nil }
        return hasMetadata || nests ? .export : .document
    }

    // Returns whether a record has the members by which the successor SDK's records are recognised.
    private func isOfKnownShape(_ value: Range<Int>) -> Bool {
        let names = scanner.members(of: value)
        return names["id"] != nil
            && ["sharedSecret", "oathType", "credentialId"].contains { names[$0] != nil }
    }

    // Returns whether a record has a member that only the SDKs write into the records of this section.
    private func isOfLegacyShape(_ record: (section: JSONSection, value: Range<Int>)) -> Bool {
        let members = scanner.members(of: record.value)
        let names =
            switch record.section {
            case .accounts: ["accountName", "displayIssuer", "timeAdded"]
            case .mechanisms:
                ["accountName", "displayIssuer", "timeAdded", "mechanismUID", "oathType", "account"]
            case .notifications: ["mechanismUID", "messageId", "credentialId"]
            case .deviceToken: ["tokenId", "token"]
            case .credentials: [String]()
            }
        return names.contains { members[$0] != nil }
    }

    // Returns the section of a record in a list without sections, if the legacy SDK's `toJson()` wrote the record;
    // `nil` for other records.
    private func legacySection(_ value: Range<Int>) -> JSONSection? {
        let names = scanner.members(of: value)
        if names["mechanismUID"] != nil { return names["secret"] == nil ? .notifications : .mechanisms }
        guard names["timeAdded"] != nil else { return nil }
        if names["tokenId"] != nil { return .deviceToken }
        return names["issuer"] != nil && names["accountName"] != nil ? .accounts : nil
    }

    func item(at index: Int) -> LegacyItem {
        let value = records[index].value
        let isListed = records[index].section == .credentials
        let section = isListed ? legacySection(value) ?? .credentials : records[index].section
        let members = scanner.members(of: value)
        let isExported = container == .export
        let payload: LegacyItem.Payload
        if value.count > LegacyItem.largestValue {
            payload = .tooLarge
        } else {
            let json = Data(scanner.bytes[value])
            payload =
                isOfNewSDK(section, members) ? .newSDK(json) : isExported ? .exportedJSON(json) : .json(json)
        }
        return LegacyItem(
            position: .index(index),
            service: service(section, members),
            key: key(section, members) ?? "record \(index + 1)",
            payload: payload
        )
    }

    /// One additional item that represents the unreadable part of the document, which may contain records of
    /// any kind.
    var brokenItem: LegacyItem {
        LegacyItem(
            position: .index(records.count),
            service: .mechanism,
            key: "record \(records.count + 1)",
            payload: .damaged(fault ?? "")
        )
    }

    // Returns whether a record is in the successor SDK's format, which is recognised by names that only one of the two
    // SDKs uses.
    private func isOfNewSDK(_ section: JSONSection, _ members: [String: Range<Int>]) -> Bool {
        switch section {
        case .credentials: true
        case .accounts, .mechanisms: false
        case .notifications: members["credentialId"] != nil && members["mechanismUID"] == nil
        case .deviceToken: members["createdAt"] != nil && members["timeAdded"] == nil
        }
    }

    // Returns the service of a record. In a list of the successor SDK's records, the record's members determine the
    // service, because the list may contain records of any kind.
    private func service(_ section: JSONSection, _ members: [String: Range<Int>]) -> LegacyService {
        guard section == .credentials else { return section.service }
        if members["credentialId"] != nil { return .notification }
        let isToken = members["issuer"] == nil && (members["token"] != nil || members["tokenId"] != nil)
        return isToken ? .deviceToken : .mechanism
    }

    private func key(_ section: JSONSection, _ members: [String: Range<Int>]) -> String? {
        guard section != .deviceToken else { return section.rawValue }
        // In a damaged record, the id may be any text, even the secret. A secret is not used as the key, because
        // keys are reported.
        let secrets = ["secret", "sharedSecret"].compactMap { members[$0].flatMap(scanner.text) }
        let id = members["id"].flatMap(scanner.text).flatMap { secrets.contains($0) ? nil : $0 }
        guard id == nil, section == .accounts else { return id }
        // If the account has no id, it gets the key that the SDK gives to accounts. With this key, the
        // account's credentials can be found.
        let places = ["issuer", "accountName"].compactMap { members[$0] }.filter { $0.count <= 4096 }
        let names = places.compactMap(scanner.text)
        return names.count == 2 ? names.joined(separator: "-") : nil
    }
}
