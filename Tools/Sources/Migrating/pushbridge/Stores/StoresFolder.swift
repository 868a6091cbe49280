import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals
import PushBridgeMigrating

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
import PushBridgeMigrating
#endif

/// A folder with one credential database per store.
///
/// Only one run at a time can write to the folder.
///
/// After its first line, the file `stores.jsonl` in the folder has a line for each store that got a name, and another
/// line for each attempt to migrate a store. If a store has several lines, the last one counts. The line for a migrated
/// store is written after the store's database has been committed. So an interrupted run loses at most the lines of the
/// stores in progress, and the next run migrates these stores again.
final class StoresFolder {
    /// One line of `stores.jsonl`.
    private struct Line: Codable {
        /// The path of the store.
        let source: String
        /// The database's name without its extension.
        let name: String
        /// The state of the store at the last attempt to migrate it; `nil` before the first attempt.
        var state: String?
        /// The fingerprint of the keys that were given for sealed records; `nil` before the first attempt.
        var keys: String?
        var result: StoreResult?
    }

    /// The first line of `stores.jsonl`.
    private struct Head: Codable {
        let schema: Int
        let job: String
    }

    private static let list = "stores.jsonl"
    private static let schema = 1

    let url: URL
    /// A text that identifies reports on the stores of this folder.
    let job: String
    /// The folder's path as the user wrote it.
    let path: String
    private let file: FileHandle
    private var lines: [String: Line] = [:]
    /// The names that are in use, in lower case, because some file systems do not distinguish case.
    private var names: Set<String> = []

    /// Creates the folder if it is missing, and locks it until this run ends.
    /// - Throws: ``CommandFailure`` if the folder cannot be used, or another run has locked it.
    init(at path: String) throws {
        self.path = path
        let files = FileManager.default
        let folder = URL(fileURLWithPath: path)
        if !files.fileExists(atPath: path) {
            do {
                try files.createDirectory(
                    at: folder,
                    withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700]
                )
            } catch {
                throw Self.failure("The folder \(path) cannot be created.")
            }
        }
        url = URL(fileURLWithPath: StoreList.place(of: path))
        let place = url.appendingPathComponent(Self.list).path
        let descriptor = open(place, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw Self.failure("\(path)/\(Self.list) cannot be written.") }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandFailure(
                status: .tryAgain,
                sentence: "Another run uses \(path); try again when it has ended."
            )
        }
        let (head, lines) = try Self.read(file, name: "\(path)/\(Self.list)")
        for line in lines { self.lines[line.source] = line }
        names = Set(self.lines.values.map { $0.name.lowercased() })
        job = head?.job ?? UUID().uuidString
        // No other run is active, so any drafts in this folder were left by killed runs.
        try LegacyFile.removeDrafts(in: url)
        if head == nil { try append(Head(schema: Self.schema, job: job)) }
    }

    /// Assigns each store a permanent name for its database.
    ///
    /// The database has the name of the store's file. If this name is too long or not unique, the database's name
    /// consists of the beginnings of the folder's and the file's names, and of letters that identify the path.
    func name(_ stores: [StoreList.Store]) throws {
        let present = Set(
            try FileManager.default.contentsOfDirectory(atPath: url.path).map { $0.lowercased() }
        )
        let new = stores.filter { lines[$0.place] == nil }
        let wishes = Dictionary(grouping: new) { $0.fileName.lowercased() }
        for store in new {
            let wish = store.fileName.lowercased()
            let isFree =
                wishes[wish]?.count == 1 && !names.contains(wish) && wish.utf8.count <= 150
                && !DestinationForm.allCases.contains { present.contains(wish + $0.ending) }
            let name = isFree ? store.fileName : store.longName
            names.insert(name.lowercased())
            let line = Line(source: store.place, name: name)
            lines[store.place] = line
            try append(line)
        }
        // If a name were lost in a crash of the machine, another store could get the same database.
        if !new.isEmpty { try file.synchronize() }
    }

    /// Returns the path of a store's database; the store must have a name.
    func destination(of store: StoreList.Store, form: DestinationForm) throws -> String {
        guard let line = lines[store.place] else {
            throw CommandFailure(
                status: .fault,
                sentence: "The file stores.jsonl in \(path) has no entry for the store \(store.path)."
            )
        }
        return "\(path.hasSuffix("/") ? path : path + "/")\(line.name)\(form.ending)"
    }

    /// Returns the final result of a store in an earlier run; `nil` if there is none, or if the store or the options
    /// have changed.
    ///
    /// For a store with sealed records, the keys must also be unchanged.
    func result(of store: StoreList.Store, in state: String, keys: SourceKeys) -> StoreResult? {
        guard let line = lines[store.place], line.state == state, let result = line.result, result.isFinal,
            !result.hasSealedRecords || line.keys == keys.fingerprint
        else { return nil }
        return result
    }

    /// Records the result of a store.
    func record(
        _ result: StoreResult,
        of store: StoreList.Store,
        in state: String,
        keys: SourceKeys
    ) throws {
        guard var line = lines[store.place] else { return }
        (line.state, line.keys, line.result) = (state, keys.fingerprint, result)
        lines[store.place] = line
        try append(line)
    }

    // Each line is written in one call. An interrupted run therefore leaves at most one incomplete line.
    private func append(_ line: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        do {
            try file.write(contentsOf: try encoder.encode(line) + Data("\n".utf8))
        } catch {
            throw Self.failure("\(path)/\(Self.list) cannot be written; is the disk full?")
        }
    }

    private static func failure(_ sentence: String) -> CommandFailure {
        CommandFailure(status: .unwritableOutput, sentence: sentence)
    }

    /// Reads the list in which earlier runs recorded the stores.
    ///
    /// A damaged first line is an error. An incomplete last line is removed from the file, and other damaged lines are
    /// ignored.
    private static func read(_ file: FileHandle, name: String) throws -> (head: Head?, lines: [Line]) {
        let data: Data
        do {
            data = try file.readToEnd() ?? Data()
        } catch {
            throw failure("\(name) cannot be read.")
        }
        let whole = data.lastIndex(of: UInt8(ascii: "\n")).map { data[...$0] } ?? Data()
        var rows = whole.split(separator: UInt8(ascii: "\n"))[...]
        var head: Head?
        if let first = rows.popFirst() {
            head = decoded(Head.self, first)
            guard head?.schema == schema else {
                throw failure(
                    head == nil
                        ? "\(name) is not a list of migrated stores; choose another folder."
                        : "\(name) was written by a newer version of pushbridge."
                )
            }
        } else if !data.isEmpty, data.first != UInt8(ascii: "{") {
            throw failure("\(name) is not a list of migrated stores; choose another folder.")
        }
        do {
            try file.truncate(atOffset: UInt64(whole.count))
        } catch {
            throw failure("\(name) cannot be written.")
        }
        // Names that refer to files outside the folder are ignored.
        return (head, rows.compactMap { decoded(Line.self, $0) }.filter { !$0.name.contains("/") })
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, _ row: Data) -> Value? {
        do {
            return try JSONDecoder().decode(type, from: row)
        } catch {
            return nil
        }
    }
}

extension DestinationForm {
    /// The file name extension of this form.
    var ending: String {
        switch self {
        case .database: ".db"
        case .successorItems: ".items.jsonl"
        }
    }
}

extension StoreList.Store {
    /// The name of the store's file.
    fileprivate var fileName: String { URL(fileURLWithPath: place).lastPathComponent }

    /// A name that is unique to the store.
    fileprivate var longName: String {
        let url = URL(fileURLWithPath: place)
        let folder = url.deletingLastPathComponent().lastPathComponent
        let names = [folder, url.lastPathComponent].map { String($0.prefix(30)) }
        let digest = RecordFingerprint(parts: ["store", place], payload: Data(), occurrence: 0)
        let letters = digest.bytes.prefix(5).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return (names + [letters.joined()]).filter { $0 != "/" }.joined(separator: "-")
    }

    /// Returns a text that changes if the options, the store's file, or the log or journal beside it change.
    ///
    /// The function reads only the attributes of the files, not their contents.
    func state(_ options: [String]) throws -> String {
        let parts = ["", "-wal", "-journal"].flatMap { suffix -> [String] in
            do {
                let attributes = try FileManager.default.attributesOfItem(atPath: place + suffix)
                let date = attributes[.modificationDate] as? Date
                return [
                    "\(attributes[.systemFileNumber] as? Int ?? 0)", "\(attributes[.size] as? Int ?? 0)",
                    "\(date?.timeIntervalSinceReferenceDate ?? 0)",
                ]
            } catch {
                return [""]
            }
        }
        return RecordFingerprint(parts: options + parts, payload: Data(), occurrence: 0).bytes
            .base64EncodedString()
    }
}
