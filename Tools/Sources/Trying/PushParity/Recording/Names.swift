import Foundation
import PushBridgeCore

/// Replaces random ids with names that are the same on both sides.
///
/// The name of an id starts with a subject, which depends on the step in which the id first appears. An additional id
/// on one side therefore does not change the names of ids with other subjects.
struct Names {
    private var names: [String: String] = [:]
    private var counts: [String: Int] = [:]
    /// A cache of strings in which ids have been replaced.
    ///
    /// Most strings occur in every step. A cached string stays valid, because the name of an id never changes.
    private var namedTexts: [String: String] = [:]
    private let base: String

    /// Creates an empty table of names.
    ///
    /// `base` is the address of the simulated server, which is replaced too.
    init(base: String) {
        self.base = base
    }

    /// Gives this name to those ids in the text that have no name yet.
    mutating func name(_ text: String, as name: String) {
        for id in text.uuids { names[id] = names[id] ?? name }
    }

    /// Replaces every id in the value with its name.
    ///
    /// The name of a new id starts with `subject`.
    mutating func applied(to value: JSONValue, subject: String) -> JSONValue {
        switch value {
        case .string(let text): return .string(applied(to: text, subject: subject))
        case .array(let elements): return .array(elements.map { applied(to: $0, subject: subject) })
        case .object(let members):
            var named: [String: JSONValue] = [:]
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                named[applied(to: name, subject: subject)] = applied(to: value, subject: subject)
            }
            return .object(named)
        case .null, .bool, .integer, .number: return value
        }
    }

    mutating func applied(to text: String, subject: String) -> String {
        // A string that is shorter than both an id (36 bytes) and the server's address contains neither.
        guard text.utf8.count >= min(base.utf8.count, 36) else { return text }
        if let named = namedTexts[text] { return named }
        let named = named(text, subject: subject)
        namedTexts[text] = named
        return named
    }

    private mutating func named(_ text: String, subject: String) -> String {
        var text = text.replacingOccurrences(of: base, with: "http://server/am")
        for id in text.uuids {
            let name = name(of: id, subject: subject)
            text = text.replacingOccurrences(of: id, with: "<\(name)>", options: .caseInsensitive)
        }
        return text
    }

    private mutating func name(of id: String, subject: String) -> String {
        if let name = names[id] { return name }
        let count = (counts[subject] ?? 0) + 1
        counts[subject] = count
        let name = count == 1 ? "\(subject).id" : "\(subject).id\(count)"
        names[id] = name
        return name
    }
}

extension String {
    /// The UUIDs in the text, in lower case.
    var uuids: [String] {
        let bytes = Array(utf8)
        guard bytes.count >= 36 else { return [] }
        var found: [String] = []
        var start = 0
        while start + 36 <= bytes.count {
            let candidate = bytes[start..<(start + 36)]
            if candidate.isUUID {
                found.append(String(decoding: candidate, as: UTF8.self).lowercased())
                start += 36
            } else {
                start += 1
            }
        }
        return found
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isUUID: Bool {
        let hyphens: Set = [8, 13, 18, 23]
        return enumerated().allSatisfy { offset, byte in
            hyphens.contains(offset)
                ? byte == UInt8(ascii: "-") : Character(UnicodeScalar(byte)).isHexDigit
        }
    }
}
