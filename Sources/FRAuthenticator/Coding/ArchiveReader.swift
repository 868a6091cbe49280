import Foundation
import LegacyStore
import PushBridgeCore

/// Reads the fields of a legacy archive from Foundation's unarchiver.
///
/// A field that is absent, null or of another type is `nil`; nothing here traps. The exception is a text in place of a
/// number, which Foundation reads as 0 on Linux.
struct ArchiveReader {
    let coder: NSCoder

    func text(_ key: LegacyArchiveKey) -> String? {
        guard coder.containsValue(forKey: key.rawValue) else { return nil }
        return coder.decodeObject(of: [NSString.self], forKey: key.rawValue) as? String
    }

    func secret(_ key: LegacyArchiveKey) -> SharedSecret? {
        text(key).flatMap { SharedSecret(utf8: $0) }
    }

    func integer(_ key: LegacyArchiveKey) -> Int? {
        coder.containsValue(forKey: key.rawValue) ? coder.decodeInteger(forKey: key.rawValue) : nil
    }

    func number(_ key: LegacyArchiveKey) -> Double? {
        guard coder.containsValue(forKey: key.rawValue) else { return nil }
        let number = coder.decodeDouble(forKey: key.rawValue)
        return number.isFinite ? number : nil
    }

    func date(_ key: LegacyArchiveKey) -> Date? {
        number(key).map { Date(timeIntervalSince1970: $0) }
    }

    func flag(_ key: LegacyArchiveKey) -> Bool {
        coder.containsValue(forKey: key.rawValue) && coder.decodeBool(forKey: key.rawValue)
    }
}
