import Foundation
import LegacyStore
@_spi(PushBridgeTools) import PushBridgeCore

extension JSONScanner {
    /// The maximum depth of objects that are read.
    private static let deepest = 64

    /// An object or a list whose members have been read up to the first syntax error.
    private struct Container {
        var members: [DumpedMember] = []
        /// The values that are too long for a name; they are decoded only if the object may be an item.
        var long: [(name: String, place: Range<Int>)] = []
        var nested: [(name: String?, place: Range<Int>)] = []
        /// The end of the container; `nil` if there is a syntax error.
        var end: Int?
        var fault: Break?
    }

    /// Whether the first line is a complete value, as in JSON lines.
    var isFirstLineWhole: Bool {
        let feed = UInt8(ascii: "\n")
        guard let start = firstByte(from: 0) else { return false }
        do throws(Break) {
            let end = try value(from: start).upperBound
            let next = bytes[end...].first { $0 == feed || !$0.isJSONSpace }
            return next == feed && !bytes[start..<end].contains(feed)
        } catch {
            return false
        }
    }

    /// Collects the items within all values of the text; there may be several values.
    ///
    /// The items may be at any depth up to the maximum.
    /// - Returns: A sentence about the part of the text that cannot be read; `nil` if the whole text was read.
    func collectItems(to dump: inout Dump) -> String? {
        var position = 0
        do throws(Break) {
            while let start = firstByte(from: position) {
                if isContainer(at: start) {
                    position = try collect(from: start, name: nil, depth: 0, to: &dump)
                } else {
                    position = try value(from: start).upperBound
                    guard JSONFault(in: Data(bytes[start..<position])) == nil else {
                        throw Break.syntax(at: start)
                    }
                }
            }
        } catch {
            return reason(error)
        }
        return dump.isTooDeep ? "Some values are nested more than \(Self.deepest) levels deep." : nil
    }

    private func firstByte(from position: Int) -> Int? {
        bytes[position...].firstIndex { !$0.isJSONSpace && !$0.isByteOrderMark }
    }

    private func isContainer(at position: Int) -> Bool {
        bytes[position] == UInt8(ascii: "{") || bytes[position] == UInt8(ascii: "[")
    }

    /// Collects the items within the object or the list at a position.
    /// - Returns: The end of the object or the list.
    private func collect(
        from start: Int,
        name: String?,
        depth: Int,
        to dump: inout Dump
    ) throws(Break) -> Int {
        guard depth < Self.deepest else {
            dump.isTooDeep = true
            return try value(from: start).upperBound
        }
        let container = container(at: start)
        let isItem = bytes[start] == UInt8(ascii: "{") && add(container, named: name, at: start, to: &dump)
        if !isItem {
            for (name, place) in container.nested {
                _ = try collect(from: place.lowerBound, name: name, depth: depth + 1, to: &dump)
            }
        }
        if let fault = container.fault { throw fault }
        guard let end = container.end else { throw Break.end }
        return end
    }

    private func container(at start: Int) -> Container {
        var container = Container()
        do throws(Break) {
            let end = try walk(from: start) { name, place throws(Break) in
                let value = try value(from: place)
                let label = name.flatMap(text)
                if isContainer(at: value.lowerBound) {
                    container.nested.append((label, value))
                } else if let label, container.members.count + container.long.count < Dump.mostMembers {
                    if value.count > Dump.longestName {
                        container.long.append((label, value))
                    } else if let plain = scalar(at: value) {
                        container.members.append(DumpedMember(name: label, value: plain))
                    }
                }
                return value.upperBound
            }
            container.end = end
        } catch {
            container.fault = error
        }
        return container
    }

    /// Adds an object if it is an item, or the items that it contains if its name is the name of a service.
    /// - Returns: Whether items were added.
    private func add(
        _ object: Container,
        named name: String?,
        at start: Int,
        to dump: inout Dump
    ) -> Bool {
        let small = object.nested.filter { $0.place.count <= Dump.longestName }
        if dump.concerns(object.members + nestedMembers(small)) {
            let long = object.long.compactMap { name, place in
                scalar(at: place).map { DumpedMember(name: name, value: $0) }
            }
            if dump.add(object.members + long + nestedMembers(object.nested)) { return true }
        }
        guard let name, let service = dump.service(ofEntriesIn: name) else { return false }
        var isAdded = false
        do throws(Break) {
            _ = try walk(from: start) { name, place throws(Break) in
                let value = try value(from: place)
                let content =
                    isContainer(at: value.lowerBound) ? nestedValue(at: value) : scalar(at: value)
                if let key = name.flatMap(text), dump.addEntry(content, under: key, of: service) {
                    isAdded = true
                }
                return value.upperBound
            }
        } catch {
            // The caller has already found this error, and reports it.
        }
        return isAdded
    }

    /// Returns the value of a string, a number or a flag; `nil` for a malformed string, and for `null`, which counts
    /// as a missing value.
    private func scalar(at place: Range<Int>) -> DumpedValue? {
        guard place.count <= Dump.longestText else { return .tooLarge }
        if bytes[place.lowerBound] == UInt8(ascii: "\"") { return text(place).map(DumpedValue.text) }
        let word = String(decoding: bytes[place], as: UTF8.self)
        return word == "null" ? nil : .word(word)
    }

    private func nestedMembers(_ nested: [(name: String?, place: Range<Int>)]) -> [DumpedMember] {
        nested.compactMap { name, place in
            guard let name, let value = nestedValue(at: place) else { return nil }
            return DumpedMember(name: name, value: value)
        }
    }

    /// Returns the data that a list of bytes, or an object such as `{"data":…}`, represents; `nil` for other
    /// lists and objects.
    private func nestedValue(at place: Range<Int>) -> DumpedValue? {
        guard bytes[place.lowerBound] == UInt8(ascii: "{") else { return byteList(at: place) }
        let members = members(of: place)
        for name in members.keys.sorted() where Dump.isNameOfData(name) {
            guard let member = members[name] else { continue }
            if bytes[member.lowerBound] == UInt8(ascii: "[") {
                if let data = byteList(at: member) { return data }
            } else if bytes[member.lowerBound] == UInt8(ascii: "\"") {
                if let plain = scalar(at: member) { return plain }
            }
        }
        return nil
    }

    /// Returns the data that a list of numbers from 0 to 255 represents; `tooLarge` if there are too many numbers,
    /// `nil` for other lists.
    private func byteList(at place: Range<Int>) -> DumpedValue? {
        var data: [UInt8] = []
        var number: Int?
        for byte in bytes[place].dropFirst().dropLast() where !byte.isJSONSpace {
            if byte == UInt8(ascii: ",") {
                guard let last = number else { return nil }
                data.append(UInt8(last))
                number = nil
                guard data.count < LegacyItem.largestValue else { return .tooLarge }
            } else {
                guard 0x30...0x39 ~= byte else { return nil }
                let next = (number ?? 0) * 10 + Int(byte - 0x30)
                guard next <= 255 else { return nil }
                number = next
            }
        }
        guard let last = number else { return nil }
        data.append(UInt8(last))
        return .data(Data(data))
    }
}
