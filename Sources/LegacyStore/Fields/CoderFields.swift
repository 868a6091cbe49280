package import Foundation
import PushBridgeCore

/// Reads the fields of a legacy archive from Foundation's unarchiver.
///
/// This reader never traps and never throws. If a field must be a string but is not, the reader returns `nil`. If a
/// field must be a number but is a string, Foundation reads 0 on Linux; on other platforms, decoding the archive fails.
package struct CoderFieldReader: LegacyFieldReader {
    package let defaults = LegacyDefaults.archive
    private let coder: NSCoder

    package init(_ coder: NSCoder) {
        self.coder = coder
    }

    package func text(_ field: LegacyField) -> String? {
        read(field) { coder.decodeObject(of: [NSString.self], forKey: $0) as? String } ?? nil
    }

    package func integer(_ field: LegacyField) -> Int? {
        read(field) { coder.decodeInteger(forKey: $0) }
    }

    package func number(_ field: LegacyField) -> Double? {
        read(field) { coder.decodeDouble(forKey: $0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    package func flag(_ field: LegacyField) -> Bool? {
        read(field) { coder.decodeBool(forKey: $0) }
    }

    private func read<Value>(_ field: LegacyField, _ decode: (String) -> Value) -> Value? {
        guard let key = field.archiveKey, coder.containsValue(forKey: key) else { return nil }
        return decode(key)
    }
}

/// Writes the fields of a legacy archive through Foundation's archiver.
package struct CoderFieldWriter: LegacyFieldWriter {
    package let form = LegacyForm.archive
    private let coder: NSCoder

    package init(_ coder: NSCoder) {
        self.coder = coder
    }

    package func write(_ value: LegacyFieldValue, for field: LegacyField) {
        guard let key = field.archiveKey else { return }
        switch value {
        case .null: coder.encode(nil as NSString?, forKey: key)
        case .text(let text): coder.encode(NSString(string: text), forKey: key)
        case .secret(let secret): coder.encode(secret.withUTF8 { NSString(string: $0) }, forKey: key)
        case .integer(let integer): coder.encode(integer, forKey: key)
        case .number(let number): coder.encode(number, forKey: key)
        case .date(let date): coder.encode(date.timeIntervalSince1970, forKey: key)
        case .flag(let flag): coder.encode(flag, forKey: key)
        }
    }
}
