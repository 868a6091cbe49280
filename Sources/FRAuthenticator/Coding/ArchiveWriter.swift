import Foundation
import LegacyStore
import PushBridgeCore

/// Writes the fields of a legacy archive through Foundation's archiver.
struct ArchiveWriter {
    let coder: NSCoder

    /// Writes a text, or the null object for `nil`.
    func write(_ text: String?, for key: LegacyArchiveKey) {
        coder.encode(text.map { NSString(string: $0) }, forKey: key.rawValue)
    }

    /// Writes the text of a secret; the legacy archive holds it in clear.
    func write(_ secret: SharedSecret, for key: LegacyArchiveKey) {
        write(secret.withUTF8 { $0 }, for: key)
    }

    /// Writes an integer, or nothing for `nil`.
    func write(_ integer: Int?, for key: LegacyArchiveKey) {
        guard let integer else { return }
        coder.encode(integer, forKey: key.rawValue)
    }

    func write(_ number: Double, for key: LegacyArchiveKey) {
        coder.encode(number, forKey: key.rawValue)
    }

    /// Writes a date as seconds since 1970.
    func write(_ date: Date, for key: LegacyArchiveKey) {
        write(date.timeIntervalSince1970, for: key)
    }

    func write(_ flag: Bool, for key: LegacyArchiveKey) {
        coder.encode(flag, forKey: key.rawValue)
    }
}
