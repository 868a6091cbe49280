import CredentialMigration
import FRAuthenticator
import Foundation
import GRDB
import LegacyFiles
import PingOath
import PingPush
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeInternals
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// A credential database with the kinds of damage that a disk, a copy or an edit can cause.
///
/// Both APIs and the commands open the database.
///
/// Only SQLite decides which rows of a copy are readable. A row counts as intact if SQLite can read the row, and if the
/// damage did not change the row's contents.
@Suite("Damaged databases") struct DamagedDatabaseTests {
    private static let parts = 4

    @Test(arguments: 0..<parts)
    func aDamagedDatabaseLosesNoIntactRowAndLeaksNoSecret(_ part: Int) async throws {
        let original = try OriginalDatabase()
        for round in Sweep.rounds("damaged databases", part: part, of: Self.parts, standard: 16) {
            let seed = round * Self.parts + part
            let damaged = try DamagedDatabase(original, seed: UInt64(seed))
            try await damaged.check("seed \(seed), \(damaged.damage)")
        }
    }
}

/// The database of a migration, in two forms: closed, and as a killed process left it.
private struct OriginalDatabase {
    let pushbridge: CommandLineTool
    let source: String
    /// The files of the closed database, and the files of the database whose process was killed after a
    /// write.
    let forms: [[String: Data]]
    /// The log of another database that has the same key.
    let foreignLog: Data
    let rows: Set<[DatabaseValue]>
    let sequences: [Int]
    /// The ids of credentials and notifications.
    let ids: (push: [String], oath: [String], notifications: [String])
    /// All secrets and the sealing key.
    ///
    /// Each secret is spelled as the legacy SDK spells it, and as its bytes in base64.
    let secrets: [String]

    init() throws {
        pushbridge = try CommandLineTool()
        source = try pushbridge.fixture("everyday.sqlite")
        let path = pushbridge.path("store.db")
        try #require(try pushbridge("migrate", source, "--to", path).status == 0)
        let closed = try Self.files(of: path)
        let store = try SQLiteCredentialStore(path: path, key: KeyFile(path: path + ".key"), mode: .open)
        let more = CredentialMigration(from: .file(LegacyFixtures.url("edges.sqlite")), to: store)
        _ = try more.migrate()
        let contents = try store.contents()
        ids = (
            contents.pushCredentials.map(\.id), contents.oathCredentials.map(\.id),
            contents.notifications.map(\.id)
        )
        let killed = try Self.files(of: path)
        try #require(killed.keys.contains("store.db-wal"))
        try store.close()
        forms = [closed, killed]

        let other = pushbridge.path("other.db")
        try FileManager.default.copyItem(atPath: path + ".key", toPath: other + ".key")
        let stranger = try SQLiteCredentialStore(
            path: other,
            key: KeyFile(path: other + ".key"),
            mode: .create
        )
        try stranger.add(contents)
        foreignLog = try Data(contentsOf: URL(fileURLWithPath: other + "-wal"))
        try stranger.close()

        let queue = try DatabaseQueue(path: path)
        (rows, sequences) = try queue.read { db in
            (
                Set(try Row.fetchAll(db, sql: DamagedDatabase.allRows).map { $0.map(\.1) }),
                try Int.fetchAll(db, sql: "SELECT sequence FROM record")
            )
        }
        try queue.close()

        let records = try ["everyday", "edges"].flatMap { name in
            try JSONDecoder().decode([Expected].self, from: LegacyFixtures.data("\(name).expected.json"))
        }
        let texts = try records.map { try JSONDecoder().decode(Mechanism.self, from: Data($0.json.utf8)) }
        let bytes = contents.pushCredentials.map { $0.sharedSecret.withBase64 { $0 } }
        let key = try String(contentsOfFile: path + ".key", encoding: .utf8).split(separator: "\n").last
        secrets =
            (texts.compactMap(\.secret) + bytes + [String(try #require(key))]).filter { $0.count > 20 }
        try #require(secrets.count > 4)
    }

    private struct Expected: Decodable {
        let json: String
    }

    private struct Mechanism: Decodable {
        let secret: String?
    }

    private static func files(of path: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for suffix in ["", "-wal", "-shm", ".key"] where FileManager.default.fileExists(atPath: path + suffix)
        {
            files["store.db" + suffix] = try Data(contentsOf: URL(fileURLWithPath: path + suffix))
        }
        return files
    }
}

/// A damaged copy of the database, in a separate folder.
private struct DamagedDatabase {
    /// Kinds of damage.
    enum Damage: CaseIterable {
        case flippedBits, cut, cutBetweenPages, swappedPages, repeatedPage, emptiedPages, emptied
        case header, logLost, logForeign, logCut, logFlipped, logEmptied, indexLost
    }

    static let allRows = "SELECT kind, id, owner, alias, date, is_open, form FROM record NOT INDEXED"
    private static let pageSize = 4096

    let damage: Damage
    private let original: OriginalDatabase
    private let folder: TemporaryFolder
    private let path: String
    private let intact: Set<[DatabaseValue]>

    init(_ original: OriginalDatabase, seed: UInt64) throws {
        self.original = original
        folder = try TemporaryFolder()
        path = folder.path("store.db")
        var random = SeededGenerator(seed: seed)
        let damage = Damage.allCases[Int(seed) % Damage.allCases.count]
        self.damage = damage
        let isOfLog = [.logLost, .logForeign, .logCut, .logFlipped, .logEmptied, .indexLost].contains(damage)
        var files = original.forms[isOfLog ? 1 : random.below(2)]
        Self.harm(&files, damage, original, &random)
        for (name, bytes) in files { try folder.file(name, bytes) }
        intact = try Self.rows(in: folder, of: original).intersection(original.rows)
    }

    private static func harm(
        _ files: inout [String: Data],
        _ damage: Damage,
        _ original: OriginalDatabase,
        _ random: inout SeededGenerator
    ) {
        let log = "store.db-wal"
        var bytes = files["store.db"] ?? Data()
        let pages = bytes.count / pageSize
        func page(_ number: Int) -> Range<Int> { number * pageSize..<(number + 1) * pageSize }
        switch damage {
        case .flippedBits:
            for _ in 0...random.below(40) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
        case .cut: bytes = bytes.prefix(random.below(bytes.count))
        case .cutBetweenPages: bytes = bytes.prefix(random.below(pages) * pageSize)
        case .swappedPages:
            let (one, other) = (page(1 + random.below(pages - 1)), page(1 + random.below(pages - 1)))
            let (first, second) = (Data(bytes[one]), Data(bytes[other]))
            bytes.replaceSubrange(one, with: second)
            bytes.replaceSubrange(other, with: first)
        case .repeatedPage:
            let copy = Data(bytes[page(random.below(pages))])
            bytes.replaceSubrange(page(1 + random.below(pages - 1)), with: copy)
        case .emptiedPages:
            for _ in 0...random.below(2) {
                bytes.replaceSubrange(page(random.below(pages)), with: Data(count: pageSize))
            }
        case .emptied: bytes = Data(count: random.below(2) * bytes.count)
        case .header: bytes[random.below(100)] = UInt8(random.below(256))
        case .logLost: files[log] = nil
        case .logForeign: files[log] = original.foreignLog
        case .logCut: files[log] = files[log].map { Data($0.prefix(random.below($0.count))) }
        case .logFlipped:
            for _ in 0...random.below(8) {
                let place = random.below(files[log]?.count ?? 1)
                files[log]?[place] ^= 1 << UInt8(random.below(8))
            }
        case .logEmptied: files[log] = Data()
        case .indexLost: files["store.db-shm"] = nil
        }
        files["store.db"] = Data(bytes)
    }

    /// Returns the rows that SQLite can read in a scan or one by one.
    private static func rows(in folder: TemporaryFolder, of original: OriginalDatabase) throws -> Set<
        [DatabaseValue]
    > {
        let copy = try TemporaryFolder()
        for name in ["store.db", "store.db-wal"] where try folder.names().contains(name) {
            _ = try copy.copy(folder.url(name))
        }
        var found: Set<[DatabaseValue]> = []
        // If SQLite cannot read a row, the row counts as lost.
        try? DatabaseQueue(path: copy.path("store.db")).writeWithoutTransaction { db in
            if let cursor = try? Row.fetchCursor(db, sql: allRows) {
                while let row = try? cursor.next() { found.insert(row.map(\.1)) }
            }
            for sequence in original.sequences {
                let sql = "\(allRows) WHERE sequence = \(sequence)"
                if let row = try? Row.fetchOne(db, sql: sql) { found.insert(row.map(\.1)) }
            }
        }
        return found
    }

    func check(_ what: String) async throws {
        let before = try folder.contents()
        let isOpened = try await openByBothAPIs(what)
        let after = try folder.contents()
        if !isOpened {
            #expect(after["store.db"] == before["store.db"], "\(what): a refusal changed the database")
            #expect(after["store.db-wal"] == before["store.db-wal"], "\(what): a refusal changed the log")
        }
        #expect(try Self.rows(in: folder, of: original).isSuperset(of: intact), "\(what): opening lost rows")
        for arguments in [
            ["credentials", path], ["doctor", path], ["verify", original.source, "--against", path],
            [
                "export", path, "--as", "legacy-store", "--to", folder.path("back.sqlite"),
                "--include-secrets",
            ],
            ["migrate", original.source, "--to", path],
        ] {
            try check(try original.pushbridge.run(arguments), "\(what): \(arguments[0])")
            try? FileManager.default.removeItem(at: folder.url("back.sqlite"))
        }
        let names = { (rows: Set<[DatabaseValue]>) in Set(rows.map { Array($0.prefix(2)) }) }
        let left = names(try Self.rows(in: folder, of: original))
        #expect(left.isSuperset(of: names(intact)), "\(what): the commands lost intact rows")
        let known: Set = ["store.db", "store.db-wal", "store.db-shm", "store.db.key"]
        #expect(known.isSuperset(of: try folder.names()), "\(what): the commands left other files")
        for (name, bytes) in try folder.contents() where name != "store.db.key" {
            for secret in original.secrets {
                #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(what): \(name) contains a secret")
            }
        }
    }

    private func check(_ run: CommandLineTool.Run, _ what: String) throws {
        #expect([0, 1, 66, 73, 77].contains(run.status), "\(what): \(run.status) \(run.diagnostics)")
        if run.status > 1 { #expect(run.sentences.count == 1, "\(what): \(run.diagnostics)") }
        for secret in original.secrets {
            #expect(
                !run.output.contains(secret) && !run.diagnostics.contains(secret),
                "\(what): the output shows a secret"
            )
        }
    }

    /// Opens the store as an app does, and reads it with both APIs.
    /// - Returns: Whether the store opened.
    private func openByBothAPIs(_ what: String) async throws -> Bool {
        let store: SQLiteCredentialStore
        do {
            store = try SQLiteCredentialStore(path: path, key: KeyFile(path: path + ".key"), mode: .create)
        } catch {
            #expect(
                [.damaged, .notAStore, .wrongKey, .newerVersion].contains(error.code),
                "\(what): \(error)"
            )
            expectNoSecret(in: "\(error) \(error.reason)", what)
            return false
        }
        let ids = Set(intact.compactMap { String.fromDatabaseValue($0[1]) })
        let push = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(store)
            configuration.logger = LogManager.none
        }
        let oath = try await OathClient.createClient { configuration in
            configuration.storage = CredentialStoreOathStorage(store)
            configuration.logger = LogManager.none
        }
        var isRead = true
        func listed(_ known: [String], _ list: () async throws -> [String]) async {
            do {
                let shown = Set(try await list())
                #expect(shown.isSuperset(of: ids.intersection(known)), "\(what): the async API omits rows")
            } catch {
                isRead = false
                let isNamed = error is PushError || error is PushStorageError || error is OathStorageError
                #expect(isNamed || error is PingOath.OathError, "\(what): \(error)")
                expectNoSecret(in: "\(error) \(error.localizedDescription)", what)
            }
        }
        let pushes = Set(original.ids.push), codes = Set(original.ids.oath)
        await listed(Array(pushes)) { try await push.getCredentials().map(\.id) }
        await listed(Array(codes)) { try await oath.getCredentials().map(\.id) }
        await listed(original.ids.notifications) { try await push.getAllNotifications().map(\.id) }
        let (client, _) = FRAClient.separate(store: store)
        let accounts = client.getAllAccounts()
        if isRead {
            let shown = Set(accounts.flatMap(\.mechanisms).map(\.mechanismUUID))
            #expect(
                shown.isSuperset(of: ids.intersection(pushes.union(codes))),
                "\(what): the legacy API omits rows"
            )
        }
        _ = client.getAllNotifications()
        await push.close()
        try? store.close()
        return true
    }

    private func expectNoSecret(in text: String, _ what: String) {
        for secret in original.secrets { #expect(!text.contains(secret), "\(what): an error shows a secret") }
    }
}
