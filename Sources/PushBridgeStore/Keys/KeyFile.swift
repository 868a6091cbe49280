public import Crypto
import Foundation
public import PushBridgeCore

/// A key in a file of its own: 32 random bytes as one line of base64, readable by its owner only.
///
/// `openssl rand -base64 32` makes one as well.
public struct KeyFile: SealingKeyProvider {
    /// Where the file is.
    public let path: String

    /// Names a file; it is read or made when a store is opened.
    public init(path: String) {
        self.path = path
    }

    /// Reads the key; a file that is missing, open to others, or no key file has the code `wrongKey`.
    public func existingKey() throws(StoreError) -> SymmetricKey {
        guard let key = try storedKey() else {
            throw StoreError(
                .wrongKey,
                reason: "The key file \(path) is missing; without it the store cannot be opened."
            )
        }
        return key
    }

    /// Reads the key, or makes the file with mode 0600 if there is none.
    ///
    /// If another process makes it at the same time, both get the same key.
    public func keyForNewStore() throws(StoreError) -> SymmetricKey {
        if let key = try storedKey() { return key }
        let key = SymmetricKey(size: .bits256)
        let isOurs = try storing("Making the key file \(path)") {
            let file = try NewFile(for: path)
            defer { file.discard() }
            try file.write(Data((key.withUnsafeBytes { Data($0) }.base64EncodedString() + "\n").utf8))
            return try file.publish()
        }
        return isOurs ? key : try existingKey()
    }

    private func storedKey() throws(StoreError) -> SymmetricKey? {
        let text = try storing("Reading the key file \(path)") { try guardedText() }
        guard let text else { return nil }
        guard let bytes = Base64.decode(text), bytes.count == 32 else {
            throw StoreError(
                .wrongKey,
                reason: "\(path) is not a key file: it does not hold 32 bytes in base64."
            )
        }
        return SymmetricKey(data: bytes)
    }

    private func guardedText() throws -> String? {
        guard let file = try OpenFile(reading: path) else { return nil }
        let status = try file.status()
        guard status.kind == .file else {
            throw StoreError(.wrongKey, reason: "\(path) is not a key file: it is \(status.kind.rawValue).")
        }
        guard status.permissions & 0o077 == 0 else {
            let mode = String(status.permissions, radix: 8)
            throw StoreError(
                .wrongKey,
                reason: "The key file \(path) is open to others, mode \(mode); run `chmod 600 \(path)`."
            )
        }
        return String(decoding: try file.read(atMost: 1024), as: UTF8.self)
    }
}
