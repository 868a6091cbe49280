package import Foundation
package import PushBridgeCore

/// Reads the fields of one record, whatever its form.
///
/// A field that is absent or null is `nil`; one that cannot be read, or is of another type, is an error.
package protocol LegacyFieldReader {
    var defaults: LegacyDefaults { get }

    func name(of field: LegacyField) -> String
    /// Reads a text, which may be empty.
    func text(_ field: LegacyField) throws(LegacyRecordError) -> String?
    /// Reads a text into guarded memory; `nil` if it is empty.
    func secret(_ field: LegacyField) throws(LegacyRecordError) -> SharedSecret?
    /// Reads an integer, also one that is written as a whole real number.
    func integer(_ field: LegacyField) throws(LegacyRecordError) -> Int?
    /// Reads a finite number.
    func number(_ field: LegacyField) throws(LegacyRecordError) -> Double?
    func date(_ field: LegacyField) throws(LegacyRecordError) -> Date?
    func flag(_ field: LegacyField) throws(LegacyRecordError) -> Bool?
}

extension LegacyFieldReader {
    package func date(_ field: LegacyField) throws(LegacyRecordError) -> Date? {
        try number(field).map { Date(timeIntervalSince1970: $0) }
    }

    /// A value that has to be there.
    func require<Value>(_ field: LegacyField, _ value: Value?) throws(LegacyRecordError) -> Value {
        guard let value else { throw .absent(name(of: field)) }
        return value
    }

    /// Reads a text that has to be there, and may be empty.
    func requiredText(_ field: LegacyField) throws(LegacyRecordError) -> String {
        try require(field, text(field))
    }

    /// Reads a text that has to be there and not be empty.
    func identifier(_ field: LegacyField) throws(LegacyRecordError) -> String {
        try require(field, presentText(field))
    }

    /// Reads a text; `nil` if it is empty.
    func presentText(_ field: LegacyField) throws(LegacyRecordError) -> String? {
        try text(field).flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Writes the fields of one record in one form, and leaves out those that the form does not have.
package protocol LegacyFieldWriter {
    associatedtype Failure: Error

    var form: LegacyForm { get }

    /// Writes a text; for `nil`, whatever says so in the form.
    mutating func write(_ text: String?, for field: LegacyField) throws(Failure)
    /// Writes the text of a secret, in clear unless the form withholds it.
    mutating func write(_ secret: SharedSecret?, for field: LegacyField) throws(Failure)
    /// Writes an integer; nothing for `nil`.
    mutating func write(_ integer: Int?, for field: LegacyField) throws(Failure)
    mutating func write(_ number: Double, for field: LegacyField) throws(Failure)
    mutating func write(_ date: Date, for field: LegacyField) throws(Failure)
    mutating func write(_ flag: Bool, for field: LegacyField) throws(Failure)
}
