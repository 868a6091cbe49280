import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushParity

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// The legacy stores of the lab: stores that the user dropped on the page, examples, and the stores of scenarios.
///
/// The stores are files in a private folder. The folder is removed when the lab ends.
final class DroppedStores: Sendable {
    /// Example stores for users without a store.
    static let fixtures: [(name: String, words: String)] = [
        ("everyday.jsonl", "an everyday store: push, one-time passwords, a locked account, notifications"),
        ("edges.jsonl", "rare values: other alphabets, long names, addresses on two hosts, unusual secrets"),
        ("everyday-sdk-2.0.sqlite", "the everyday store as SDK 2.0 wrote it"),
    ]
    /// The maximum number of stores.
    private static let most = 20

    /// The private folder.
    let folder: URL
    /// The folder's lock file.
    ///
    /// The lock is held while the lab runs. The next lab removes every folder whose lock is free.
    private let lock: FileHandle

    private static let prefix = "pushbridge-lab-"
    private static let lockName = ".lock"

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(Self.prefix)\(UUID().uuidString)")
        let own: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: own
        )
        guard let lock = Self.locked(in: folder) else {
            throw LabError("The lab cannot create files in the temporary folder.")
        }
        self.lock = lock
    }

    /// Removes the folders of killed labs.
    /// - Returns: The number of removed folders.
    static func removeLeftOvers() -> Int {
        let files = FileManager.default
        do {
            let names = try files.contentsOfDirectory(atPath: files.temporaryDirectory.path)
            return names.filter { $0.hasPrefix(prefix) }.count { name in
                let folder = files.temporaryDirectory.appendingPathComponent(name)
                guard let lock = locked(in: folder, creating: false) else { return false }
                do {
                    try files.removeItem(at: folder)
                    try lock.close()
                    return true
                } catch {
                    // The folder belongs to another user, or has been removed.
                    return false
                }
            }
        } catch {
            return 0
        }
    }

    /// Locks the lock file of a folder and returns the file.
    ///
    /// Returns `nil` if another lab has locked the file, or if the file cannot be opened.
    private static func locked(in folder: URL, creating: Bool = true) -> FileHandle? {
        let path = folder.appendingPathComponent(lockName).path
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (creating ? O_CREAT : 0)
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? file : nil
    }

    /// Saves a store under its file name, or under a similar name if another store has this name.
    ///
    /// - Returns: The name of the saved store.
    /// - Throws: ``LabError`` if there are too many stores, or if the store cannot be saved.
    func keep(_ store: Data, as name: String) throws -> String {
        let files = FileManager.default
        let present = try files.contentsOfDirectory(atPath: folder.path).filter { $0 != Self.lockName }
        guard present.count < Self.most else {
            throw LabError(
                "The lab keeps at most \(Self.most) stores; to drop other stores, start the lab again."
            )
        }
        let safe = String(
            (name.split(separator: "/").last ?? "store").prefix(80).map {
                $0.isASCII && ($0.isLetter || $0.isNumber || "-_. ".contains($0)) ? $0 : "-"
            }
        )
        var kept = safe.hasPrefix(".") || safe.isEmpty ? "store\(safe)" : safe
        var number = 2
        while files.fileExists(atPath: folder.appendingPathComponent(kept).path) {
            if try Data(contentsOf: folder.appendingPathComponent(kept)) == store { return kept }
            kept = "\(number)-\(safe)"
            number += 1
        }
        let own: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        let place = folder.appendingPathComponent(kept).path
        guard files.createFile(atPath: place, contents: store, attributes: own) else {
            throw LabError(
                "\(kept) cannot be saved: the disk is full, or the temporary folder is not writable."
            )
        }
        return kept
    }

    /// Copies the stores that a scenario migrates, from the folder of its file; skips stores that are already present.
    func copy(from scenario: Scenario) throws {
        guard let place = scenario.folder else { return }
        for case .migrate(let migrate) in scenario.steps.map(\.content) {
            guard let file = migrate.file else { continue }
            let own = folder.appendingPathComponent(file)
            let store = try PlayOptions(folder: place).file(file)
            let files = FileManager.default
            guard files.fileExists(atPath: store.path), !files.fileExists(atPath: own.path) else { continue }
            try files.copyItem(at: store, to: own)
        }
    }

    /// Saves an example store; returns `nil` if there is no example with this name.
    func keepFixture(_ name: String) throws -> String? {
        let bytes: [UInt8]
        switch name {
        case "everyday.jsonl": bytes = PackageResources.everyday_jsonl
        case "edges.jsonl": bytes = PackageResources.edges_jsonl
        case "everyday-sdk-2.0.sqlite": bytes = PackageResources.everyday_sdk_2_0_sqlite
        default: return nil
        }
        return try keep(Data(bytes), as: name)
    }

    /// Returns the outcomes that the store's records would have on an empty phone.
    ///
    /// The phones do not change. A file that cannot be read as a legacy store is removed.
    ///
    /// - Parameters:
    ///   - name: The name of the saved store.
    ///   - progress: Called with the progress of reading.
    /// - Returns: The plan, for the page.
    /// - Throws: ``LabError`` if the file cannot be read as a legacy store.
    func plan(_ name: String, progress: (CredentialMigration.Progress) -> Void) throws -> JSONValue {
        let place = folder.appendingPathComponent(name)
        do {
            let migration = CredentialMigration(from: .file(place), to: MemoryCredentialStore())
            let plan = try migration.plan(progress: progress)
            return Self.report(name, plan.container, plan.records)
        } catch let error as LegacyStoreError {
            try FileManager.default.removeItem(at: place)
            // The path is hidden, because the lab's folder means nothing to the user.
            let reason = error.reason.replacingOccurrences(of: place.path, with: "it")
            throw LabError("\(name) is not migrated: \(reason)")
        }
    }

    /// The maximum number of records that a page lists.
    private static let listed = 200

    private static func report(_ name: String, _ container: String, _ records: [MigrationRecord]) -> JSONValue
    {
        let totals = MigrationTotals(records)
        let present = MigrationOutcome.allCases.filter { totals[$0] > 0 }
        // Records that need attention come first.
        let lost = records.filter { !$0.result.outcome.isRetirable }
        let ordered = lost + records.filter { $0.result.outcome.isRetirable }
        let reasons = Dictionary(lost.compactMap { $0.result.code }.map { ($0, 1) }, uniquingKeysWith: +)
        return [
            "file": .string(name),
            "container": .string(container),
            "count": .integer(records.count),
            "lost": .integer(lost.count),
            "lostPush": .integer(lost.count { $0.kind == .push }),
            "lostCodes": .integer(lost.count { $0.kind == .totp || $0.kind == .hotp }),
            "reasons": .array(
                reasons.sorted { ($1.value, $0.key.number) < ($0.value, $1.key.number) }.map {
                    [
                        "reason": .string($0.key.rawValue), "number": .string($0.key.number),
                        "count": .integer($0.value),
                    ]
                }
            ),
            "totals": .array(
                present.map { ["outcome": .string($0.rawValue), "count": .integer(totals[$0])] }
            ),
            "records": .array(
                ordered.prefix(listed).map { record in
                    [
                        "kind": .string(record.kind.rawValue), "key": .string(record.key),
                        "outcome": .string(record.result.outcome.rawValue),
                        "reason": .string(
                            record.result.reason ?? (record.isRepaired ? "will be repaired" : "")
                        ),
                    ]
                }
            ),
        ]
    }

    /// Removes the folder with all stores.
    func end() {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            return
        }
    }

    // Removes the folder if the lab cannot start, because `Lab.end()` is then never called.
    deinit { end() }
}
