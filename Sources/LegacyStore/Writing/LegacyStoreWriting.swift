public import Foundation
public import PushBridgeCore
import PushBridgeStore

/// Writes a new legacy store, one record at a time.
///
/// The store appears whole, with mode 0600, when ``finish()`` returns; before that there is nothing at its place,
/// and a writer that is released unfinished leaves nothing behind. Secrets are written in clear, as the legacy
/// SDK does.
public protocol LegacyStoreWriting: AnyObject {
    /// Writes an archive as it is.
    ///
    /// Legacy keys are not unique. Where the container wants them to be, the second record of a key gets a
    /// suffix, `#2` and so on; nothing reads a record by its key, as its archive names it.
    func write(archive: Data, service: LegacyService, key: String) throws(LegacyStoreError)

    /// Puts the store in its place, on the disk; nothing can be written afterwards.
    func finish() throws(LegacyStoreError)
}

extension LegacyStoreWriting {
    /// Writes a record as the legacy SDK would store it.
    public func write(_ record: LegacyRecord) throws(LegacyStoreError) {
        try write(archive: record.archive, service: record.service, key: record.identifier)
    }
}

extension LegacyRecord {
    /// The service under which the legacy SDK stores the record.
    public var service: LegacyService { LegacyService(kind) }
}

extension LegacyService {
    /// The service that holds records of a kind; only mechanisms can be too strange to have one.
    package init(_ kind: LegacyRecordKind) {
        switch kind {
        case .account: self = .account
        case .push, .totp, .hotp, .unknown: self = .mechanism
        case .notification: self = .notification
        case .deviceToken: self = .deviceToken
        }
    }
}

/// The file of a store or of a backup that is being written.
final class NewStoreFile {
    enum Existing {
        /// It stays, and there is no new one.
        case refused
        /// The new one takes its place.
        case replaced
        /// It stays if it holds the same: a removal that failed after its backup is repeated.
        case acceptedIfSame
    }

    private let existing: Existing
    private var file: NewFile?
    let url: URL

    /// Begins a file with mode 0600; refuses one that a database beside it would take for its own.
    init(_ url: URL, existing: Existing) throws(LegacyStoreError) {
        if existing == .refused, FileStatus.isTaken(url) {
            throw .notWritable(url, SystemFailure(code: EEXIST))
        }
        if let conflict = CompanionFile.conflict(at: url) { throw .notWritable(conflict) }
        self.url = url
        self.existing = existing
        file = try writing(url) { try NewFile(claiming: url) }
    }

    /// Begins the file of a store; refuses one that exists unless told otherwise.
    convenience init(_ url: URL, replacing: Bool) throws(LegacyStoreError) {
        try self.init(url, existing: replacing ? .replaced : .refused)
    }

    /// The file while it is open; writing after the end is an error.
    var open: NewFile {
        get throws(LegacyStoreError) {
            guard let file else { throw .notWritable("\(url.relativePath) is finished already.") }
            return file
        }
    }

    func write(_ text: String) throws(LegacyStoreError) {
        try write(Array(text.utf8))
    }

    func write(_ bytes: some ContiguousBytes) throws(LegacyStoreError) {
        let file = try open
        try writing(url) { try file.write(bytes) }
    }

    func json(_ make: () throws(LegacyRecordError) -> Data) throws(LegacyStoreError) -> Data {
        do {
            return try make()
        } catch {
            throw .notWritable(error.reason)
        }
    }

    func finish() throws(LegacyStoreError) {
        let file = try open
        let isDone = try writing(url) {
            if existing == .replaced {
                try file.replace()
                return true
            }
            if try file.publish() { return true }
            guard existing == .acceptedIfSame, try FileStatus(path: url.path)?.kind == .file else {
                return false
            }
            return try file.holdsSame(as: OpenFile(reading: url))
        }
        self.file = nil
        guard !isDone else { return }
        throw existing == .acceptedIfSame
            ? .notWritable("The backup \(url.relativePath) exists already.")
            : .notWritable(url, SystemFailure(code: EEXIST))
    }
}

/// Tells apart records that have the same legacy key.
struct KeySuffixes {
    private struct Name: Hashable {
        let service: LegacyService
        let key: String
    }

    private var used: [Name: Int] = [:]

    /// The key if it is new in its service, else the key with the first suffix that is.
    mutating func unique(_ key: String, in service: LegacyService) -> String {
        var candidate = key
        while used[Name(service: service, key: candidate)] != nil {
            let number = used[Name(service: service, key: key), default: 1] + 1
            used[Name(service: service, key: key)] = number
            candidate = "\(key)#\(number)"
        }
        used[Name(service: service, key: candidate)] = 1
        return candidate
    }
}
