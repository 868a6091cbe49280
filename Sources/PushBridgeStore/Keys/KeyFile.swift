public import Crypto
import Foundation
public import PushBridgeCore
import PushBridgeFiles

/// A key in a file of its own, readable by its owner only: a line that says what the file is, then 32 random bytes as one
/// line of base64.
///
/// The second line alone is a key too, as `openssl rand -base64 32` makes one and as earlier versions did.
/// One that is made on a phone is in no backup of it, because the database is: after a restore the store cannot be opened,
/// as with a key in the keychain after one that was not encrypted.
public struct KeyFile: SealingKeyProvider {
    /// Where the file is.
    public let path: String

    /// The beginning of the first line of each key file; the rest is its version.
    private static let mark = "# PushBridge sealing key "
    private static let header = mark + "1"

    /// Names a file; it is read or made when a store is opened.
    /// - Parameter path: Where the file is or will be.
    public init(path: String) {
        self.path = path
    }

    /// Reads the key.
    ///
    /// - Throws: ``StoreError`` with the code `keyMissing` if the file does not exist, and `wrongKey` if it may not be
    ///   read, is open to others, or is no key file.
    public func existingKey() throws(StoreError) -> SymmetricKey {
        guard let key = try storedKey() else {
            throw StoreError(
                .keyMissing,
                reason: "The key file \(path) is missing; without it the store cannot be opened."
            )
        }
        return key
    }

    /// Reads the key, or makes the file with mode 0600 if there is none.
    ///
    /// If another process makes it at the same time, both get the same key.
    ///
    /// - Throws: ``StoreError`` if the file can be neither read nor made.
    public func keyForNewStore() throws(StoreError) -> SymmetricKey {
        if let key = try storedKey() { return key }
        let key = SymmetricKey(size: .bits256)
        let line = key.withUnsafeBytes { Data($0) }.base64EncodedString()
        let isOurs = try storing("Making the key file \(path)") {
            let file = try NewFile(for: path)
            defer { file.discard() }
            try file.write(Data("\(Self.header)\n\(line)\n".utf8))
            return try file.publish()
        }
        return isOurs ? key : try existingKey()
    }

    private func storedKey() throws(StoreError) -> SymmetricKey? { try contents()?.key }

    private func contents() throws(StoreError) -> (key: SymmetricKey, isMarked: Bool)? {
        let text = try storing("Reading the key file \(path)") { try guardedText() }
        guard let text else { return nil }
        let isMarked = text.hasPrefix(Self.mark)
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard !isMarked || lines[0] == Self.header else {
            throw StoreError(.wrongKey, reason: "The key file \(path) was written by a newer version.")
        }
        guard let bytes = Base64.decode(isMarked ? String(lines.dropFirst().joined()) : text),
            bytes.count == 32
        else {
            throw StoreError(
                .wrongKey,
                reason: "\(path) is not a key file: it does not hold 32 bytes in base64."
            )
        }
        return (SymmetricKey(data: bytes), isMarked)
    }

    private func guardedText() throws -> String? {
        guard access(path, R_OK) == 0 || errno != EACCES else {
            throw StoreError(.wrongKey, reason: "The key file \(path) may not be read: permission denied.")
        }
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

@_spi(PushBridgeTools) extension KeyFile {
    /// Whether there is a key that does not say that it is one of ours: it may be anything of 32 bytes, and belong to
    /// something else.
    ///
    /// - Throws: ``StoreError`` with the code `wrongKey` if the file may not be read, is open to others, or is no key
    ///   file.
    public func isBare() throws(StoreError) -> Bool {
        guard let contents = try contents() else { return false }
        return !contents.isMarked
    }

    /// Whether a text is a key file of any version.
    public static func isMarked(_ text: String) -> Bool { text.hasPrefix(mark) }
}

extension KeyFile {
    /// Whether this file is the database at `path`, or one of the files that SQLite makes and removes beside it.
    ///
    /// Compares the files and not the spelling of their paths; one that does not exist yet is told by its folder and
    /// name.
    ///
    /// - Parameter path: The path of the database.
    /// - Returns: Whether SQLite would overwrite or remove it.
    public func isPart(ofStoreAt path: String) -> Bool {
        let own = FilePlace(self.path)
        return ["", "-wal", "-shm", "-journal"].contains { FilePlace(path + $0) == own }
    }
}

/// A place in the file system, however its path is spelled.
private struct FilePlace: Equatable {
    private let status: FileStatus?
    private let folder: String
    private let name: String

    init(_ path: String) {
        do { status = try FileStatus(path: path) } catch { status = nil }  // Then the name tells.
        let target = Self.target(of: URL(fileURLWithPath: path).standardizedFileURL)
        folder = target.deletingLastPathComponent().resolvingSymlinksInPath().path
        // Some file systems take names in either case for one.
        name = target.lastPathComponent.lowercased()
    }

    static func == (one: FilePlace, other: FilePlace) -> Bool {
        if let own = one.status, let others = other.status, own.isSameFile(as: others) { return true }
        return one.folder == other.folder && one.name == other.name
    }

    /// Where links lead, also those to nothing.
    private static func target(of url: URL) -> URL {
        var url = url
        for _ in 0..<32 {
            do {
                let target = try FileManager.default.destinationOfSymbolicLink(atPath: url.path)
                url =
                    URL(fileURLWithPath: target, relativeTo: url.deletingLastPathComponent())
                    .standardizedFileURL
            } catch {
                return url
            }
        }
        return url
    }
}
