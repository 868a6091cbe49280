import AuthenticatorCore
import Foundation

/// The items of an XML property list in the order of the file; what cannot be read of it is one more item.
final class XMLPropertyListItems: ItemPuller {
    private enum State {
        case start
        case services
        case items(LegacyService)
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
        if case .items(let current) = state { service = current }
        state = .over
        let error = LegacyRecordError(.damaged, reason: error.reason)
        return (item(service, key: "record \(count + 1)", .unreadable(error)), nil)
    }

    private func step() throws -> (LegacyItem, Range<Int>?)? {
        while true {
            switch state {
            case .start:
                try elements.open()
                state = .services
            case .services:
                guard try findService() else { return nil }
            case .items(let service):
                if let entry = try entry(of: service) { return entry }
                state = .services
            case .over: return nil
            }
        }
    }

    // Moves into the next dictionary of ours; whether there is one.
    private func findService() throws -> Bool {
        while let (name, _) = try elements.key() {
            let value = try elements.opening()
            guard let service = LegacyService(rawValue: name) else {
                try elements.skip(value)
                continue
            }
            hasOurServices = true
            guard value == "dict" else { throw XMLWalk.Break(reason: "A service holds no dictionary.") }
            state = .items(service)
            return true
        }
        state = .over
        return false
    }

    private func entry(of service: LegacyService) throws -> (LegacyItem, Range<Int>?)? {
        guard let (name, start) = try elements.key() else { return nil }
        let (payload, end) = try value()
        return (item(service, key: name, payload), start..<end)
    }

    private func value() throws -> (LegacyItem.Payload, end: Int) {
        let name = try elements.opening()
        guard name == "data" else {
            let end = try elements.skip(name)
            return (.unreadable(LegacyRecordError(.damaged, reason: "The value is not data.")), end)
        }
        let (text, end) = try elements.content(of: name)
        guard let data = Data(xmlBase64: text) else {
            return (.unreadable(LegacyRecordError(.damaged, reason: "The value is not base64.")), end)
        }
        return (.archive(data), end)
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
