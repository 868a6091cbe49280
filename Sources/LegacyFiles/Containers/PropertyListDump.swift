import Foundation
import LegacyStore
import PushBridgeFiles

#if canImport(FoundationXML)
import FoundationXML
#endif

extension PropertyListBytes {
    /// The number of bytes that may still be read.
    ///
    /// A limit is necessary, because a small list can refer to the same large object many times.
    private struct Budget {
        var rest: Int

        mutating func take(_ count: Int) throws(PropertyListError) {
            rest -= count
            guard rest >= 0 else { throw .repeatedObjects }
        }
    }

    /// The budgets for reading all items: one for names, one for values.
    private struct Limits {
        var names: Budget
        var values: Budget
    }

    /// Collects the items of a binary property list.
    ///
    /// The objects are read one by one. From each object, references are followed only to its members and to their
    /// contents, because references may form cycles.
    /// - Returns: The first error, or `nil` if there is none. If the list exceeds a limit, the collection ends and
    ///   the result is `repeatedObjects`. Objects of an unknown type and numbers that are too large are not errors.
    func collectItems(to dump: inout Dump) -> PropertyListError? {
        let allowance = 1024 * 1024
        var limits = Limits(
            names: Budget(rest: 32 * bytes.count + allowance),
            values: Budget(rest: 4 * bytes.count + allowance)
        )
        var fault: PropertyListError?
        for index in 0..<layout.objectCount {
            do throws(PropertyListError) {
                try collectItem(at: PropertyListReference(index: UInt64(index)), &limits, to: &dump)
            } catch {
                fault = fault ?? error
                if error == .repeatedObjects { return error }
            }
        }
        return fault
    }

    private func collectItem(
        at reference: PropertyListReference,
        _ limits: inout Limits,
        to dump: inout Dump
    ) throws(PropertyListError) {
        guard case .dictionary(let keys, let values)? = try known(reference) else { return }
        if try dump.concerns(members(keys, values, upTo: Dump.longestName, &limits.names)) {
            let members = try members(keys, values, upTo: Dump.longestText, &limits.values)
            if dump.add(members) { return }
        }
        for position in 0..<keys.count {
            guard
                let name = try name(at: self.reference(position, of: keys), &limits.names),
                let service = dump.service(ofEntriesIn: name),
                case .dictionary(let entries, let contents)? = try known(self.reference(position, of: values))
            else { continue }
            try collect(entries, contents, of: service, &limits, to: &dump)
        }
    }

    /// Collects the items of a service from a dictionary whose keys are the keys of the items.
    private func collect(
        _ keys: PropertyListReferences,
        _ values: PropertyListReferences,
        of service: RecordService,
        _ limits: inout Limits,
        to dump: inout Dump
    ) throws(PropertyListError) {
        // An item may be stored under the name of a service. So a dictionary that may itself be an item is not read as
        // a dictionary of items.
        let members = try members(keys, values, upTo: Dump.longestName, &limits.names)
        guard !dump.concerns(members) else { return }
        for position in 0..<keys.count {
            guard dump.items.count < layout.objectCount else { throw .repeatedObjects }
            guard let key = try name(at: reference(position, of: keys), &limits.values) else { continue }
            var content: DumpedValue?
            if let token = try known(reference(position, of: values)) {
                content = try value(token, upTo: Dump.longestText, &limits.values)
            }
            _ = dump.addEntry(content, under: key, of: service)
        }
    }

    /// Returns an object; `nil` if its type is unknown, or if it is a number that is too large.
    ///
    /// Such an object cannot be part of an item.
    private func known(
        _ reference: PropertyListReference
    ) throws(PropertyListError) -> PropertyListToken? {
        do throws(PropertyListError) {
            return try token(at: reference)
        } catch {
            guard error == .unknownObject || error == .numberTooLarge else { throw error }
            return nil
        }
    }

    private func name(
        at reference: PropertyListReference,
        _ budget: inout Budget
    ) throws(PropertyListError) -> String? {
        guard case .text(let text)? = try known(reference), text.range.count <= Dump.longestName else {
            return nil
        }
        try budget.take(text.range.count)
        return try string(text)
    }

    /// Returns the members among the first `Dump.mostMembers` entries of a dictionary.
    ///
    /// An entry is left out if its name is not text or is too long, or if its value cannot be the value of an item.
    private func members(
        _ keys: PropertyListReferences,
        _ values: PropertyListReferences,
        upTo limit: Int,
        _ budget: inout Budget
    ) throws(PropertyListError) -> [DumpedMember] {
        var members: [DumpedMember] = []
        for position in 0..<min(keys.count, Dump.mostMembers) {
            guard
                let name = try name(at: reference(position, of: keys), &budget),
                let token = try known(reference(position, of: values)),
                let value = try value(token, upTo: limit, &budget)
            else { continue }
            members.append(DumpedMember(name: name, value: value))
        }
        return members
    }

    private func value(
        _ token: PropertyListToken,
        upTo limit: Int,
        _ budget: inout Budget
    ) throws(PropertyListError) -> DumpedValue? {
        guard case .dictionary(let keys, let values) = token else {
            return try plainValue(token, upTo: limit, &budget)
        }
        // Some tools wrap data in a dictionary, under a name such as `data`.
        for position in 0..<min(keys.count, Dump.mostMembers) {
            guard
                let name = try name(at: reference(position, of: keys), &budget), Dump.isNameOfData(name),
                let token = try known(reference(position, of: values)),
                let value = try plainValue(token, upTo: limit, &budget)
            else { continue }
            if case .word = value { continue }
            return value
        }
        return nil
    }

    /// Returns the value of a string, data, an integer, a Boolean, or a list of bytes; `nil` for other objects.
    private func plainValue(
        _ token: PropertyListToken,
        upTo limit: Int,
        _ budget: inout Budget
    ) throws(PropertyListError) -> DumpedValue? {
        switch token {
        case .text(let text):
            guard text.range.count <= limit else { return .tooLarge }
            try budget.take(text.range.count)
            return .text(try string(text))
        case .data(let range):
            guard range.count <= limit else { return .tooLarge }
            try budget.take(range.count)
            return .data(Data(bytes[range]))
        case .integer(let number): return .word(String(number))
        case .bool(let flag): return .word(String(flag))
        case .array(let elements): return try byteList(elements, upTo: limit, &budget)
        case .null, .real, .date, .uid, .dictionary: return nil
        }
    }

    /// Returns the bytes of a list of numbers from 0 to 255; `nil` for an empty list and for other lists.
    private func byteList(
        _ elements: PropertyListReferences,
        upTo limit: Int,
        _ budget: inout Budget
    ) throws(PropertyListError) -> DumpedValue? {
        var data: [UInt8] = []
        for position in 0..<elements.count {
            guard case .integer(let number)? = try known(reference(position, of: elements)),
                let byte = UInt8(exactly: number)
            else { return nil }
            guard data.count < limit else { return .tooLarge }
            try budget.take(1)
            data.append(byte)
        }
        return data.isEmpty ? nil : .data(Data(data))
    }
}

/// Collects the items of an XML property list.
final class XMLDumpReader: NSObject, XMLParserDelegate {
    /// A dictionary or a list whose end tag has not been read.
    private struct Container {
        let isObject: Bool
        /// The container's key in the enclosing dictionary; `nil` if there is no such key, as in a list.
        let label: String?
        /// The key of the next member; `nil` before the key has been read, or if the key is too long.
        var name: String?
        var members: [DumpedMember] = []
        /// The bytes of a list of bytes; `nil` for a list with other elements.
        var bytes: [UInt8]? = []
    }

    private(set) var dump = Dump()
    private var containers: [Container] = []
    private var text = ""
    private var isTooLong = false
    /// The number of elements that have not ended yet.
    private var depth = 0
    private var hasElements = false

    /// Reads a property list and collects its items.
    /// - Returns: A sentence about the fault; `nil` if the list is complete and well-formed.
    func read(_ bytes: [UInt8]) -> String? {
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        let isRead = parser.parse()
        // A parser may accept a document whose root element has not ended.
        return isRead && hasElements && depth == 0 ? nil : Self.fault(in: bytes)
    }

    /// Returns a sentence with the reason why a property list cannot be parsed.
    static func fault(in bytes: [UInt8]) -> String {
        guard !bytes.contains(bytesOf: "</plist>") else { return "The property list is not well-formed XML." }
        return "The end of the property list is missing."
    }

    func parser(
        _ parser: XMLParser,
        didStartElement element: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        (text, isTooLong) = ("", false)
        (depth, hasElements) = (depth + 1, true)
        guard element == "dict" || element == "array" else { return }
        var label: String?
        if let last = containers.indices.last {
            label = containers[last].name
            containers[last].name = nil
            containers[last].bytes = nil
        }
        containers.append(Container(isObject: element == "dict", label: label))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { take(string) }

    func parser(_ parser: XMLParser, foundCDATA data: Data) { take(String(decoding: data, as: UTF8.self)) }

    func parser(
        _ parser: XMLParser,
        didEndElement element: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        depth -= 1
        switch element {
        case "dict", "array": if let container = containers.popLast() { end(container) }
        case "key": if let last = containers.indices.last { containers[last].name = isTooLong ? nil : text }
        case "string": keep(isTooLong ? .tooLarge : .text(text))
        case "data": keep(data)
        case "integer", "real", "date": keep(.word(text))
        case "true", "false": keep(.word(element))
        default: break
        }
        (text, isTooLong) = ("", false)
    }

    private var data: DumpedValue {
        guard !isTooLong else { return .tooLarge }
        let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        return data.map(DumpedValue.data) ?? .text(text)
    }

    private func take(_ string: String) {
        guard !isTooLong else { return }
        text += string
        guard text.utf8.count > Dump.longestText else { return }
        (text, isTooLong) = ("", true)
    }

    private func end(_ container: Container) {
        guard container.isObject else {
            if let bytes = container.bytes, !bytes.isEmpty { keep(.data(Data(bytes)), as: container.label) }
            return
        }
        if dump.concerns(container.members), dump.add(container.members) { return }
        if let label = container.label, let service = dump.service(ofEntriesIn: label) {
            var isAdded = false
            for member in container.members {
                if dump.addEntry(member.value, under: member.name, of: service) { isAdded = true }
            }
            if isAdded { return }
        }
        // Some tools wrap the data of an item in a dictionary, under a name such as `data`.
        let data = container.members.first { member in
            if case .word = member.value { return false }
            return Dump.isNameOfData(member.name)
        }
        if let data { keep(data.value, as: container.label) }
    }

    private func keep(_ value: DumpedValue) {
        guard let last = containers.indices.last else { return }
        guard !containers[last].isObject else {
            let name = containers[last].name
            containers[last].name = nil
            keep(value, as: name)
            return
        }
        // A list represents data if each of its elements is a byte.
        if case .word(let word) = value, let byte = UInt8(word) {
            containers[last].bytes?.append(byte)
        } else {
            containers[last].bytes = nil
        }
    }

    /// Adds a member to the open dictionary.
    private func keep(_ value: DumpedValue, as name: String?) {
        guard let name, let last = containers.indices.last, containers[last].isObject else { return }
        let isService = containers[last].label.map { label in
            FurtherServices.isCounting || dump.service(ofEntriesIn: label) != nil
        }
        guard isService == true || containers[last].members.count < Dump.mostMembers else { return }
        containers[last].members.append(DumpedMember(name: name, value: value))
    }
}
