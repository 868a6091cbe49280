import Foundation
import PushBridgeCore

/// The items of an XML property list in the order of the file; what cannot be read of it is one more item.
final class XMLPropertyListItems: ItemPuller {
    private enum State {
        case start
        case services
        case items(RecordService)
        case over
    }

    private var elements: XMLElements
    private var state = State.start
    private var count = 0
    /// Whether one of our services was met so far.
    private(set) var hasOurServices = false

    init(_ reader: ByteReader) {
        elements = XMLElements(reader)
    }

    func next() throws(LegacyStoreError) -> LegacyItem? {
        try nextEntry()?.item
    }

    /// The next item and where its key and value lie, with the white space before them.
    func nextEntry() throws(LegacyStoreError) -> (item: LegacyItem, extent: Range<Int>?)? {
        do {
            return try step()
        } catch let error as LegacyStoreError {
            throw error
        } catch {
            return brokenEntry((error as? XMLWalk.Break) ?? .syntax)
        }
    }

    private func brokenEntry(_ error: XMLWalk.Break) -> (LegacyItem, Range<Int>?) {
        var service = LegacyService.mechanism
        if case .items(let current) = state { service = current.kind }
        state = .over
        return (item(service, key: "record \(count + 1)", .damaged(error.reason)), nil)
    }

    private func step() throws -> (LegacyItem, Range<Int>?)? {
        while true {
            switch state {
            case .start:
                try elements.open()
                state = .services
            case .services:
                if let entry = try enterService() { return entry }
            case .items(let service):
                if let entry = try entry(of: service) { return entry }
                state = .services
            case .over: return nil
            }
        }
    }

    // Moves into the next service's dictionary if it is ours; what cannot be entered is one damaged item.
    private func enterService() throws -> (LegacyItem, Range<Int>?)? {
        guard let (name, start) = try elements.key() else {
            state = .over
            return nil
        }
        let value = try elements.opening()
        guard let service = RecordService(name: name) else {
            try elements.skip(value)
            return nil
        }
        hasOurServices = true
        guard value == "dict" else {
            let end = try elements.skip(value)
            let payload = LegacyItem.Payload.damaged("A service holds no dictionary.")
            return (item(service.kind, key: "record \(count + 1)", payload), start..<end)
        }
        state = .items(service)
        return nil
    }

    private func entry(of service: RecordService) throws -> (LegacyItem, Range<Int>?)? {
        guard let (name, start) = try elements.key() else { return nil }
        let (payload, end) = try value(of: service)
        return (item(service.kind, key: name, payload), start..<end)
    }

    private func value(of service: RecordService) throws -> (LegacyItem.Payload, end: Int) {
        let name = try elements.opening()
        guard name == "data" else {
            let end = try elements.skip(name)
            return (.damaged("The value is not data."), end)
        }
        let (text, end) = try elements.content(of: name)
        guard let data = Data(xmlBase64: text) else {
            return (.damaged("The value is not base64."), end)
        }
        return (service.payload(data), end)
    }

    private func item(_ service: LegacyService, key: String, _ payload: LegacyItem.Payload) -> LegacyItem {
        defer { count += 1 }
        return LegacyItem(position: .index(count), service: service, key: key, payload: payload)
    }
}

extension Data {
    /// Decodes the base64 of a property list, which is broken into lines.
    fileprivate init?(xmlBase64 text: [UInt8]) {
        self.init(base64Encoded: Data(text.filter { !$0.isJSONSpace }))
    }
}
