import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import PushBridgeCommandLine
import PushBridgeCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// A folder with a credential database of each of many stores, which only one run at a time fills.
///
/// The file `stores.jsonl` in it has a line for each store that got a name, and one for each that was migrated; the last
/// line of a store counts. A line is written after the database it is about was committed: a run that is killed loses
/// at most the lines of the stores that it was at, and does these again.
final class StoresFolder {
    /// One line.
    private struct Line: Codable {
        /// The store's place.
        let source: String
        /// What its database is called, without an ending.
        let name: String
        /// The state of the store when it was migrated, and the result; `nil` if it was not yet.
        var state: String?
        /// The keys that sealed records were tried with.
        var keys: String?
        var result: StoreResult?
    }

    /// The first line.
    private struct Head: Codable {
        let schema: Int
        let job: String
    }

    private static let list = "stores.jsonl"
    private static let schema = 1

    let url: URL
    /// A text by which reports of this folder's stores are known.
    let job: String
    /// The folder as it was named.
    let path: String
    private let file: FileHandle
    private var lines: [String: Line] = [:]
    /// The names that are taken, in lower case: some file systems take names in either case for one.
    private var names: Set<String> = []

    /// Makes the folder if there is none, and keeps other runs out until this one ends.
    /// - Throws: ``CommandFailure`` if the folder cannot be used, or another run fills it.
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
                throw Self.failure("The folder \(path) cannot be made.")
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
                sentence: "Another run is at work in \(path); try again when it has ended."
            )
        }
        let (head, lines) = try Self.read(file, name: "\(path)/\(Self.list)")
        for line in lines { self.lines[line.source] = line }
        names = Set(self.lines.values.map { $0.name.lowercased() })
        job = head?.job ?? UUID().uuidString
        // No other run is at work, so drafts here are those of runs that were killed.
        try LegacyFile.removeDrafts(in: url)
        if head == nil { try append(Head(schema: Self.schema, job: job)) }
    }

    /// Gives each store the name of its database, which it keeps.
    ///
    /// It is that of its file, or where several are called so, one with the folder in front and some letters behind that
    /// stand for its place.
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
        // A database whose name was lost would be taken for another's.
        if !new.isEmpty { try file.synchronize() }
    }

    /// The path of a store's database; the store has a name.
    func destination(of store: StoreList.Store, form: DestinationForm) throws -> String {
        guard let line = lines[store.place] else {
            throw CommandFailure(status: .fault, sentence: "\(store.path) has no name in \(path).")
        }
        return "\(path.hasSuffix("/") ? path : path + "/")\(line.name)\(form.ending)"
    }

    /// What became of a store in an earlier run, if it and the way it is migrated are the same as then; of one with sealed
    /// records, if the keys are as well.
    func result(of store: StoreList.Store, in state: String, keys: SourceKeys) -> StoreResult? {
        guard let line = lines[store.place], line.state == state, let result = line.result, result.isFinal,
            !result.hasSealedRecords || line.keys == keys.fingerprint
        else { return nil }
        return result
    }

    /// Notes what became of a store.
    func note(
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

    // One call for each line, so that a run that is killed leaves at most one that is not whole.
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

    /// Reads the list and cuts a last line off that is not whole; a line that is damaged counts as one that was not
    /// written.
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
                        : "\(name) was written by a newer version."
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
        // A name that leads out of the folder is not one of these.
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
    /// The ending of the names of files of the form.
    var ending: String {
        switch self {
        case .database: ".db"
        case .successorItems: ".items.jsonl"
        }
    }
}

extension StoreList.Store {
    /// The name of the file itself.
    fileprivate var fileName: String { URL(fileURLWithPath: place).lastPathComponent }

    /// A name that no other store has.
    fileprivate var longName: String {
        let url = URL(fileURLWithPath: place)
        let folder = url.deletingLastPathComponent().lastPathComponent
        let names = [folder, url.lastPathComponent].map { String($0.prefix(30)) }
        let digest = RecordFingerprint(parts: ["store", place], payload: Data(), occurrence: 0)
        let letters = digest.bytes.prefix(5).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return (names + [letters.joined()]).filter { $0 != "/" }.joined(separator: "-")
    }

    /// The present state of the file and of SQLite's files beside it, as far as it is known without reading it.
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
