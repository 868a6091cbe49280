import Foundation
import LegacyStore
import PushBridgeFiles

#if canImport(FoundationXML)
import FoundationXML
#endif

/// An XML property list that contains a dictionary of services.
///
/// Each service is a dictionary that contains the data of each item under the item's key.
struct XMLPropertyListSource: DocumentSource {
    let url: URL
    let container = "propertyList"
    let status: FileStatus

    /// Opens a property list; returns `nil` if the list contains no service that PushBridge reads.
    init?(_ url: URL, _ status: FileStatus) throws(LegacyStoreError) {
        let reader = XMLPropertyListReader { _ in }
        reader.stopsAtService = true
        try reader.read(url)
        guard reader.hasOurServices else { return nil }
        self.url = url
        self.status = status
    }

    func items() throws(LegacyStoreError) -> LegacyItems {
        var items: [LegacyItem] = []
        let reader = XMLPropertyListReader { items.append($0) }
        try reader.read(url)
        try LegacyFile.requireUnchanged(url, since: status)
        if let broken = reader.brokenItem { items.append(broken) }
        var iterator = items.makeIterator()
        return LegacyItems { () throws(LegacyStoreError) in iterator.next() }
    }

    func hasOtherContents() throws(LegacyStoreError) -> Bool {
        let reader = XMLPropertyListReader { _ in }
        try reader.read(url)
        return reader.hasOtherServices
    }
}

/// Reads the items of an XML property list in file order.
private final class XMLPropertyListReader: NSObject, XMLParserDelegate {
    private enum Break: Error {
        case syntax
    }

    var stopsAtService = false
    private(set) var hasOurServices = false
    /// Whether the list contains entries other than the services that PushBridge reads.
    private(set) var hasOtherServices = false
    /// An additional damaged item for the part of the list that cannot be read; `nil` if there is no such part.
    private(set) var brokenItem: LegacyItem?
    private let receive: (LegacyItem) -> Void
    private var isMalformed = false
    // The names of the open elements.
    private var path: [String] = []
    private var service: RecordService?
    private var keys: [String?] = [nil, nil]
    private var isComplete = false
    // The text of the current element; `nil` if the text is too long.
    private var text: [UInt8]? = []
    private var count = 0

    /// Calls `receive` with each item.
    init(receive: @escaping (LegacyItem) -> Void) {
        self.receive = receive
    }

    func read(_ url: URL) throws(LegacyStoreError) {
        guard let stream = InputStream(url: url) else {
            throw .unreadable("\(url.relativePath) cannot be read.")
        }
        let parser = XMLParser(stream: stream)
        parser.delegate = self
        let isRead = parser.parse()
        guard !isRead || !isComplete || isMalformed, !(stopsAtService && hasOurServices) else { return }
        // In libxml2, the error code 5 means that the document is incomplete.
        let isCut = !isMalformed && (parser.parserError.map { ($0 as NSError).code == 5 } ?? true)
        let reason =
            isCut
            ? "The end of the property list is missing."
            : "From here on, the property list is not well-formed XML."
        brokenItem = item(.legacy(.mechanism), key: nil, .damaged(reason))
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard !isMalformed else { return }
        text = []
        step(parser) { try start(name) }
        path.append(name)
        if stopsAtService, hasOurServices { parser.abortParsing() }
    }

    func parser(
        _ parser: XMLParser,
        didEndElement name: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard !isMalformed, !path.isEmpty else { return }
        path.removeLast()
        step(parser) { try end(name) }
        text = []
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        take(Array(string.utf8))
    }

    func parser(_ parser: XMLParser, foundCDATA data: Data) {
        take(Array(data))
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        parser.abortParsing()
    }

    private func step(_ parser: XMLParser, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            isMalformed = true
            parser.abortParsing()
        }
    }

    private func start(_ name: String) throws {
        switch path.count {
        case 0: guard name == "plist" else { throw Break.syntax }
        case 1: guard name == "dict" else { throw Break.syntax }
        case 2 where name != "key":
            guard let key = keys[0] else { throw Break.syntax }
            guard let service = RecordService(name: key) else { return hasOtherServices = true }
            hasOurServices = true
            guard name == "dict" else { return }
            self.service = service
        case 3 where service != nil && name != "key":
            guard keys[1] != nil else { throw Break.syntax }
        default: return
        }
    }

    private func end(_ name: String) throws {
        switch path.count {
        case 0: isComplete = true
        case 2:
            try endEntry(name, level: 0) { key in
                defer { service = nil }
                guard service == nil, let ours = RecordService(name: key) else { return nil }
                return item(ours, key: nil, .damaged("A service is not a dictionary."))
            }
        case 3:
            guard let service else { return }
            try endEntry(name, level: 1) { key in item(service, key: key, payload(name, of: service)) }
        default: return
        }
    }

    private func endEntry(_ name: String, level: Int, _ item: (String) -> LegacyItem?) throws {
        guard name != "key" else {
            guard let text else { throw Break.syntax }
            keys[level] = String(decoding: text, as: UTF8.self)
            return
        }
        guard let key = keys[level] else { throw Break.syntax }
        keys[level] = nil
        if let item = item(key) { receive(item) }
    }

    private func payload(_ name: String, of service: RecordService) -> LegacyItem.Payload {
        guard name == "data" else { return .damaged("The value is not data.") }
        guard let text else { return .tooLarge }
        // The base64 text of a property list contains line breaks.
        guard let data = Data(base64Encoded: Data(text.filter { !$0.isJSONSpace })) else {
            return .damaged("The value is not base64.")
        }
        return service.payload(data)
    }

    private func item(_ service: RecordService, key: String?, _ payload: LegacyItem.Payload) -> LegacyItem {
        defer { count += 1 }
        return LegacyItem(
            position: .index(count),
            service: service.kind(of: payload, under: key ?? ""),
            key: key ?? "record \(count + 1)",
            payload: payload
        )
    }

    private func take(_ bytes: [UInt8]) {
        guard !isMalformed else { return }
        // Base64 needs four bytes for three bytes of data. The factor 3/2 also leaves room for line feeds.
        guard let length = text?.count, length + bytes.count <= LegacyItem.largestValue / 2 * 3 else {
            return text = nil
        }
        text? += bytes
    }
}
