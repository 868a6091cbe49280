import Foundation
import PushBridgeCore

/// An archived object whose fields are read by name.
///
/// The object is valid only as long as the bytes of its archive are valid.
///
/// A field that is absent or null is returned as `nil`. A field that cannot be read or has the wrong type
/// causes an error.
struct ArchivedObject: LegacyFieldReader {
    let archive: KeyedArchive
    let `class`: ArchivedClass
    let fields: PropertyListFields
    var defaults: LegacyDefaults { .archive }

    func text(_ field: LegacyField) throws(LegacyRecordError) -> String? {
        try read(field) { value throws(PropertyListError) in
            guard let text = try archive.text(value) else { return nil }
            return try archive.list.string(text)
        }
    }

    /// Reads a string into guarded memory, if possible without creating a `String`; `nil` if it is absent or empty.
    func secret(_ field: LegacyField) throws(LegacyRecordError) -> SharedSecret? {
        try read(field) { value throws(PropertyListError) in
            guard let text = try archive.text(value) else { return nil }
            return switch text.encoding {
            case .ascii: .some(SharedSecret(bytes: try archive.list.ascii(text)))
            case .utf16: .some(SharedSecret(utf8: try archive.list.string(text)))
            }
        } ?? nil
    }

    func integer(_ field: LegacyField) throws(LegacyRecordError) -> Int? {
        try read(field) { value in
            switch value {
            case .integer(let integer): Int(exactly: integer)
            case .real(let real): Int(exactly: real)
            default: nil
            }
        }
    }

    func number(_ field: LegacyField) throws(LegacyRecordError) -> Double? {
        try read(field) { value in
            switch value {
            case .real(let real) where real.isFinite: real
            case .integer(let integer): Double(exactly: integer)
            default: nil
            }
        }
    }

    func flag(_ field: LegacyField) throws(LegacyRecordError) -> Bool? {
        try read(field) { value in
            switch value {
            case .bool(let flag): flag
            case .integer(0): false
            case .integer(1): true
            default: nil
            }
        }
    }

    /// Reads a field, and adds the field's name to each error.
    ///
    /// `convert` returns `nil` for a value of the wrong type.
    private func read<Value>(
        _ field: LegacyField,
        _ convert: (PropertyListToken) throws(PropertyListError) -> Value?
    ) throws(LegacyRecordError) -> Value? {
        do throws(PropertyListError) {
            guard let stored = try fields.token(field.rawValue) else { return nil }
            guard let value = try archive.resolve(stored) else { return nil }
            if let converted = try convert(value) { return converted }
        } catch .danglingReference {
            throw .invalidField("The field \(field.rawValue) refers to a missing object.")
        } catch {
            throw .invalidField("The field \(field.rawValue) cannot be read. \(error.reason)")
        }
        throw .invalidField("The field \(field.rawValue) holds a value of the wrong type.")
    }
}

extension KeyedArchive {
    /// Returns the text of a string, or of an archived string object (`NS.string`); `nil` for other values.
    fileprivate func text(_ value: PropertyListToken) throws(PropertyListError) -> PropertyListText? {
        if case .text(let text) = value { return text }
        guard
            let wrapped = try fields(of: value)?.token(.string),
            case .text(let text)? = try resolve(wrapped)
        else { return nil }
        return text
    }
}

extension ArchivedObject {
    init(rootOf bytes: UnsafeRawBufferPointer) throws(LegacyRecordError) {
        guard !bytes.isEmpty else { throw .damaged("The record is empty.") }
        guard let archive = try decoding({ () throws(PropertyListError) in try KeyedArchive(bytes) }) else {
            throw .damaged("The property list is not a keyed archive.")
        }
        guard let root = try decoding({ () throws(PropertyListError) in try archive.rootObject() }) else {
            throw .damaged("The archive contains no object with a class.")
        }
        self = root
    }
}

/// The class of an archived object: its name and its ancestors, as the archive lists them.
struct ArchivedClass {
    let list: PropertyListBytes
    let name: PropertyListText
    let ancestors: PropertyListReferences?

    func isCalled(_ spelling: String) -> Bool { list.matches(spelling, name) }

    /// Returns whether the archive lists `spelling` among the ancestors of the class.
    func descends(from spelling: String) throws(PropertyListError) -> Bool {
        guard let ancestors else { return false }
        for position in 0..<ancestors.count {
            let ancestor = try list.token(at: list.reference(position, of: ancestors))
            if case .text(let text) = ancestor, list.matches(spelling, text) { return true }
        }
        return false
    }

    /// The name of the class for messages, shortened to 60 characters; `nil` if it does not look like a class in a
    /// module.
    ///
    /// In a damaged archive, the name may be any text, even a secret. The name of a class in a module contains a dot; a
    /// secret does not.
    var displayName: String? {
        let text = String(decoding: list.bytes[name.range], as: UTF8.self)
        let isName = text.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "_")
        }
        guard name.encoding == .ascii, text.contains("."), isName else { return nil }
        return text.count > 60 ? "\(text.prefix(60))…" : text
    }
}

/// Calls `body`, and converts its errors into the error of a damaged record.
func decoding<Value>(
    _ body: () throws(PropertyListError) -> Value
) throws(LegacyRecordError) -> Value {
    do {
        return try body()
    } catch {
        throw .damaged(error.reason)
    }
}
