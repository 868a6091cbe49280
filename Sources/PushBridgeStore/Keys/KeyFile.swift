public import Crypto
import Foundation
public import PushBridgeCore
import PushBridgeFiles

/// A key in a separate file that only its owner can read.
///
/// The first line of the file identifies the format; the second line contains 32 random bytes in base64. A
/// file that has only the second line is also a key file; `openssl rand -base64 32` and earlier versions
/// generate such files. On a phone, backups contain the database but not the key file, so the store cannot be
/// opened after a restore. With a ``KeychainSealingKey``, a store that is restored from an encrypted backup can
/// be opened.
public struct KeyFile: SealingKeyProvider {
    /// The path of the file.
    public let path: String

    /// The beginning of the first line of a new key file; the version of the format follows.
    private static let mark = "# PushBridge sealing key "
    private static let header = mark + "1"

    /// Creates a provider of the key in a file; the file is read or created when a store is opened.
    /// - Parameter path: The path of the file; the file need not exist yet.
    public init(path: String) {
        self.path = path
    }

    /// Reads the key.
    ///
    /// - Throws: ``StoreError`` with the code `keyMissing` if the file does not exist, and `wrongKey` if this
    ///   process may not read the file, if others may access it, or if it is not a key file.
    public func existingKey() throws(StoreError) -> SymmetricKey {
        guard let key = try storedKey() else {
            throw StoreError(
                .keyMissing,
                reason: "The key file \(path) is missing; without it the store cannot be opened."
            )
        }
        return key
    }

    /// Reads the key, or creates the file with mode 0600 if it does not exist.
    ///
    /// If another process creates the file at the same time, both processes get the same key.
    ///
    /// - Throws: ``StoreError`` if the file cannot be read or created, is accessible to others, or is not a key file.
    public func keyForNewStore() throws(StoreError) -> SymmetricKey {
        if let key = try storedKey() { return key }
        let key = SymmetricKey(size: .bits256)
        let line = key.withUnsafeBytes { Data($0) }.base64EncodedString()
        let isOurs = try storing("Creating the key file \(path)") {
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
            throw StoreError(
                .wrongKey,
                reason: "The key file \(path) was written by a newer version of PushBridge."
            )
        }
        guard let bytes = Base64.decode(isMarked ? String(lines.dropFirst().joined()) : text),
            bytes.count == 32
        else {
            throw StoreError(
                .wrongKey,
                reason: "\(path) is not a key file: it does not contain 32 bytes in base64."
            )
        }
        return (SymmetricKey(data: bytes), isMarked)
    }

    private func guardedText() throws -> String? {
        guard access(path, R_OK) == 0 || errno != EACCES else {
            throw StoreError(.wrongKey, reason: "The key file \(path) cannot be read: permission denied.")
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
    /// Returns whether the file is a key without the format line.
    ///
    /// Any file with 32 bytes in base64 looks like such a key, so the file may belong to another program.
    ///
    /// - Throws: ``StoreError`` with the code `wrongKey` if the file cannot be read, is accessible to others, or is
    ///   not a key file.
    public func isBare() throws(StoreError) -> Bool {
        guard let contents = try contents() else { return false }
        return !contents.isMarked
    }

    /// Returns whether a text begins with the first line that identifies a key file, in any version of the format.
    public static func isMarked(_ text: String) -> Bool { text.hasPrefix(mark) }
}

extension KeyFile {
    /// Returns whether this file is the database at `path`, or a file that SQLite creates and removes beside it.
    ///
    /// The method compares the files instead of the spelling of their paths. A file that does not exist yet
    /// is compared by its folder and name.
    ///
    /// - Parameter path: The path of the database.
    /// - Returns: Whether SQLite would overwrite or remove the key file.
    public func isPart(ofStoreAt path: String) -> Bool {
        let own = FilePlace(self.path)
        return ["", "-wal", "-shm", "-journal"].contains { FilePlace(path + $0) == own }
    }
}

/// A place in the file system, independent of the spelling of its path.
private struct FilePlace: Equatable {
    private let status: FileStatus?
    private let folder: String
    private let name: String

    init(_ path: String) {
        do { status = try FileStatus(path: path) } catch { status = nil }  // The names are then compared.
        let target = Self.target(of: URL(fileURLWithPath: path).standardizedFileURL)
        folder = target.deletingLastPathComponent().resolvingSymlinksInPath().path
        // Some file systems ignore the case of names, so the names are compared in lower case.
        name = target.lastPathComponent.lowercased()
    }

    static func == (one: FilePlace, other: FilePlace) -> Bool {
        if let own = one.status, let others = other.status, own.isSameFile(as: others) { return true }
        return one.folder == other.folder && one.name == other.name
    }

    /// Returns the target of the symbolic link at `url`, even if the target does not exist; `url` if it is not a link.
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
