import Foundation
import PushBridgeCore

/// Fields that a record cannot do without, and fields whose absence means something.
extension ArchivedObject {
    /// Reads a text that must be there, and may be empty.
    func text(_ key: LegacyArchiveKey) throws(LegacyRecordError) -> String {
        try present(key, try optionalText(key))
    }

    /// Reads a text that must be there and not be empty.
    func identifier(_ key: LegacyArchiveKey) throws(LegacyRecordError) -> String {
        let text = try text(key)
        guard !text.isEmpty else { throw .absent(key) }
        return text
    }

    /// Reads a secret that must be there.
    func secret(_ key: LegacyArchiveKey) throws(LegacyRecordError) -> SharedSecret {
        try present(key, try optionalSecret(key))
    }

    /// Reads an integer that must be there.
    func integer(_ key: LegacyArchiveKey) throws(LegacyRecordError) -> Int {
        try present(key, try optionalInteger(key))
    }

    /// Reads a number that must be there.
    func number(_ key: LegacyArchiveKey) throws(LegacyRecordError) -> Double {
        try present(key, try optionalNumber(key))
    }

    /// Reads a date that must be there, stored as seconds since 1970.
    func date(_ key: LegacyArchiveKey) throws(LegacyRecordError) -> Date {
        Date(timeIntervalSince1970: try number(key))
    }

    /// Reads a truth value; absent means `false`.
    func flag(_ key: LegacyArchiveKey) throws(LegacyRecordError) -> Bool {
        try optionalFlag(key) ?? false
    }

    private func present<Value>(_ key: LegacyArchiveKey, _ value: Value?) throws(LegacyRecordError) -> Value {
        guard let value else { throw .absent(key) }
        return value
    }
}

extension LegacyRecordError {
    fileprivate static func absent(_ key: LegacyArchiveKey) -> LegacyRecordError {
        .damaged("The field \(key.rawValue) is missing or empty.")
    }
}
