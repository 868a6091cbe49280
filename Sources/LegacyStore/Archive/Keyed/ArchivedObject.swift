import PushBridgeCore

/// An archived object whose fields are read by name, valid while the bytes of its archive are.
///
/// A field that is absent or null is `nil`; one that cannot be read, or is of another type, is an error.
struct ArchivedObject {
    let archive: KeyedArchive
    let `class`: ArchivedClass
    let fields: PropertyListFields

    /// Reads a text.
    func optionalText(_ key: LegacyArchiveKey) throws(LegacyRecordError) -> String? {
        try read(key) { value throws(PropertyListError) in
            guard let text = try archive.text(value) else { return nil }
            return try archive.list.string(text)
        }
    }

    /// Reads a text into guarded memory, without a detour over a string where possible; `nil` if it is empty.
    func optionalSecret(_ key: LegacyArchiveKey) throws(LegacyRecordError) -> SharedSecret? {
        try read(key) { value throws(PropertyListError) in
            guard let text = try archive.text(value) else { return nil }
            return switch text.encoding {
            case .ascii: .some(SharedSecret(bytes: try archive.list.ascii(text)))
            case .utf16: .some(SharedSecret(utf8: try archive.list.string(text)))
            }
        } ?? nil
    }

    /// Reads an integer, also one that was stored as a whole real number.
    func optionalInteger(_ key: LegacyArchiveKey) throws(LegacyRecordError) -> Int? {
        try read(key) { value in
            switch value {
            case .integer(let integer): Int(exactly: integer)
            case .real(let real): Int(exactly: real)
            default: nil
            }
        }
    }

    /// Reads a finite number, also one that was stored as an integer.
    func optionalNumber(_ key: LegacyArchiveKey) throws(LegacyRecordError) -> Double? {
        try read(key) { value in
            switch value {
            case .real(let real) where real.isFinite: real
            case .integer(let integer): Double(exactly: integer)
            default: nil
            }
        }
    }

    /// Reads a truth value, also one that was stored as 0 or 1.
    func optionalFlag(_ key: LegacyArchiveKey) throws(LegacyRecordError) -> Bool? {
        try read(key) { value in
            switch value {
            case .bool(let flag): flag
            case .integer(0): false
            case .integer(1): true
            default: nil
            }
        }
    }

    /// Finds a field and names it in whatever goes wrong; `convert` answers `nil` for a wrong type.
    private func read<Value>(
        _ key: LegacyArchiveKey,
        _ convert: (PropertyListToken) throws(PropertyListError) -> Value?
    ) throws(LegacyRecordError) -> Value? {
        do throws(PropertyListError) {
            guard let stored = try fields.token(key.rawValue) else { return nil }
            guard let value = try archive.resolve(stored) else { return nil }
            if let converted = try convert(value) { return converted }
        } catch .danglingReference {
            throw .damaged("The field \(key.rawValue) refers to an object that is not there.")
        } catch {
            throw .damaged("The field \(key.rawValue) cannot be read. \(error.reason)")
        }
        throw .damaged("The field \(key.rawValue) holds a value of the wrong type.")
    }
}

extension KeyedArchive {
    /// The text that a value holds, plain or inside a string object; `nil` if it holds none.
    fileprivate func text(_ value: PropertyListToken) throws(PropertyListError) -> PropertyListText? {
        if case .text(let text) = value { return text }
        guard
            let wrapped = try fields(of: value)?.token(.string),
            case .text(let text)? = try resolve(wrapped)
        else { return nil }
        return text
    }
}
