import Crypto
import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@Suite("Opening a store")
struct OpeningTests {
    @Test(arguments: [SQLiteStoreMode.open, .readOnly])
    func openingAMissingStoreThrowsAndCreatesNoFile(_ mode: SQLiteStoreMode) throws {
        let files = try StoreFiles()
        #expect(throws: StoreError(.missing, reason: "There is no credential store at \(files.path).")) {
            try files.open(mode)
        }
        #expect(try files.folder.names() == [])
    }

    @Test(arguments: SQLiteStoreMode.allModes)
    func storedRecordsRemainAfterReopening(_ mode: SQLiteStoreMode) throws {
        let files = try StoreFiles.filled()
        let store = try files.open(mode)
        try store.read { view throws in
            #expect(try view.pushCredentials().values == [.sample().filled()])
            #expect(try view.oathCredentials().values == [.sample().filled()])
            #expect(try view.notifications().values == [.sample().filled()])
            #expect(try view.deviceToken()?.tokenId == "00ff")
            #expect(
                try view.fetch(LedgerEntry.self).values
                    == [.sample("push"), .sample("kept", .kept, verbatim: .sample())]
            )
        }
    }

    /// Records in the log of a killed process are not lost.
    ///
    /// A killed process leaves the database, the log and the log's index. The test copies these files and the key while
    /// the store is open.
    @Test func recordsInTheLogOfAKilledProcessAreNotLost() throws {
        let alive = try StoreFiles()
        let killed = try StoreFiles()
        let store = try alive.open(.create)
        try store.write { try $0.save(PushCredential.sample().filled()) }
        for suffix in ["", "-wal", "-shm", ".key"] {
            try FileManager.default.copyItem(atPath: alive.path + suffix, toPath: killed.path + suffix)
        }
        let revived = try killed.open(.open)
        try revived.write { try $0.save(OathCredential.sample().filled()) }
        #expect(try revived.read { try $0.pushCredentials().values } == [.sample().filled()])
        #expect(try revived.read { try $0.oathCredentials().values } == [.sample().filled()])
    }

    @Test func closingAStoreLeavesOneFileAndItsKey() throws {
        let files = try StoreFiles.filled()
        #expect(try files.folder.names() == ["store.sqlite", "store.sqlite.key"])
    }

    @Test func onlyTheOwnerCanReadTheFilesOfAStore() throws {
        let files = try StoreFiles()
        let mask = umask(0)
        defer { umask(mask) }
        let store = try files.open(.create)
        try store.write { try $0.save(PushCredential.sample()) }
        let names = try files.folder.names()
        #expect(names == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal", "store.sqlite.key"])
        #expect(try names.map(files.folder.mode) == [0o600, 0o600, 0o600, 0o600])
    }

    @Test func anotherKeyIsRefused() throws {
        let files = try StoreFiles.filled()
        let before = try files.folder.contents()
        for mode in SQLiteStoreMode.allModes {
            #expect(throws: StoreError(.wrongKey, reason: "\(files.path) was written with another key.")) {
                try SQLiteCredentialStore(path: files.path, key: InMemorySealingKey(), mode: mode)
            }
        }
        #expect(try files.folder.contents() == before)
    }

    @Test(arguments: SQLiteStoreMode.allModes)
    func openingAStoreWithoutItsKeyThrowsAndCreatesNoKey(_ mode: SQLiteStoreMode) throws {
        let files = try StoreFiles.filled()
        try FileManager.default.removeItem(atPath: files.key.path)
        let sentence = "The key file \(files.key.path) is missing; without it the store cannot be opened."
        #expect(throws: StoreError(.keyMissing, reason: sentence)) { try files.open(mode) }
        #expect(try files.folder.names() == ["store.sqlite"])
    }

    @Test func aStoreWithoutItsKeyIsSetAsideAndOpensWhenTheKeyIsFound() throws {
        let files = try StoreFiles.filled()
        let found = files.folder.path("found.key")
        try FileManager.default.moveItem(atPath: files.key.path, toPath: found)
        #expect(try storeErrorCode { _ = try files.open() } == .keyMissing)
        #expect(try SQLiteCredentialStore.setAside(path: files.path) == "\(files.path).1")
        let new = try files.open(.create)
        #expect(try new.read { try $0.count(of: .push, where: .all) } == 0)

        let old = try SQLiteCredentialStore(path: "\(files.path).1", key: KeyFile(path: found), mode: .open)
        #expect(try StoreMove(from: old, to: new).run().isComplete)
        #expect(try new.read { try $0.count(of: .push, where: .all) } == 1)
    }

    @Test func settingAStoreAsideOverwritesNoFile() throws {
        let files = try StoreFiles.filled()
        try Data("taken".utf8).write(to: URL(fileURLWithPath: "\(files.path).1"))
        try Data("changes".utf8).write(to: URL(fileURLWithPath: "\(files.path)-wal"))
        #expect(try SQLiteCredentialStore.setAside(path: files.path) == "\(files.path).2")
        let names = try files.folder.names()
        #expect(names == ["store.sqlite.1", "store.sqlite.2", "store.sqlite.2-wal", "store.sqlite.key"])
        #expect(try storeErrorCode { _ = try SQLiteCredentialStore.setAside(path: files.path) } == .missing)
    }

    @Test(arguments: SQLiteStoreMode.allModes)
    func aStoreOfANewerVersionIsRejectedUnchanged(_ mode: SQLiteStoreMode) throws {
        let files = try StoreFiles.filled()
        try files.tamper("INSERT INTO grdb_migrations VALUES ('v7 passkeys'); CREATE TABLE passkey (id TEXT)")
        let before = try files.folder.contents()
        let sentence =
            "\(files.path) was written by a newer version of PushBridge, with unknown schema changes: “v7 passkeys”."
        #expect(throws: StoreError(.newerVersion, reason: sentence)) { try files.open(mode) }
        #expect(try files.folder.contents() == before)
    }

    @Test(arguments: SQLiteStoreMode.allModes)
    func filesThatAreNotStoresAreRejectedUnchanged(_ mode: SQLiteStoreMode) throws {
        let files = try StoreFiles()
        let strangers = [
            "empty": Data(), "text": Data("hello".utf8), "picture": Data([0xFF, 0xD8]) + Data(count: 9000),
        ]
        for (name, bytes) in strangers { try bytes.write(to: files.folder.url.appendingPathComponent(name)) }
        let other = StoreFiles(files, named: "database")
        try other.tamper("PRAGMA journal_mode = WAL; CREATE TABLE record (id TEXT)")
        try FileManager.default.createDirectory(
            atPath: files.folder.path("folder"),
            withIntermediateDirectories: true
        )
        let before = try files.folder.names()
        for name in ["empty", "text", "picture", "database", "folder"] {
            let code = try storeErrorCode { _ = try StoreFiles(files, named: name).open(mode) }
            #expect(code == .notAStore, "\(name)")
        }
        #expect(try files.folder.names() == before)
        for (name, bytes) in strangers {
            #expect(try Data(contentsOf: files.folder.url.appendingPathComponent(name)) == bytes)
        }
    }

    @Test(arguments: ["-wal", "-journal"])
    func aNewStoreRefusesLeftoverFiles(_ suffix: String) throws {
        let files = try StoreFiles()
        try Data([1]).write(to: URL(fileURLWithPath: files.path + suffix))
        #expect(try storeErrorCode { _ = try files.open(.create) } == .notWritable)
        #expect(try files.folder.names() == ["store.sqlite" + suffix])
    }

    @Test func aStoreWithOverwrittenBytesIsReportedAsDamaged() throws {
        let files = try StoreFiles.filled()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: files.path))
        try file.seek(toOffset: 100)
        try file.write(contentsOf: Data(repeating: 0xAA, count: 3996))
        try file.close()
        let code = try storeErrorCode { _ = try files.open() }
        #expect(code == .damaged)
    }

    @Test(arguments: [
        "DELETE FROM grdb_migrations",
        "DROP TABLE grdb_migrations; CREATE TABLE grdb_migrations (identifier); INSERT INTO grdb_migrations VALUES (NULL)",
        "UPDATE grdb_migrations SET identifier = x'00ff'",
    ])
    func aStoreWithoutAValidVersionIsRejected(_ change: String) throws {
        let files = try StoreFiles.filled()
        try files.tamper(change)
        for mode in SQLiteStoreMode.allModes {
            let error = #expect(throws: StoreError.self) { try files.open(mode) }
            #expect(error?.code == .damaged || error?.code == .newerVersion)
            #expect(error?.reason.contains("SELECT") == false)
        }
    }

    /// The store refuses a database with objects of other programs, because a trigger, for example, could delete
    /// records after their proof.
    @Test(arguments: [
        "CREATE TRIGGER t AFTER UPDATE ON record BEGIN DELETE FROM record; END",
        "CREATE VIEW v AS SELECT * FROM record", "CREATE TABLE other (a)",
        "CREATE INDEX i ON record (date, form)",
    ])
    func foreignObjectsInTheDatabaseAreRefused(_ change: String) throws {
        let files = try StoreFiles.filled()
        let store = try files.open()
        try store.write { try $0.save(PushCredential.sample("before")) }
        try files.tamper(change)
        #expect(
            try storeErrorCode { try store.write { try $0.save(PushCredential.sample("after")) } } == .damaged
        )
        #expect(try store.read { try $0.pushCredentials().map(\.id).sorted() } == ["before", "push"])
        try store.close()
        for mode in SQLiteStoreMode.allModes {
            #expect(try storeErrorCode { _ = try files.open(mode) } == .damaged)
        }
    }

    @Test func anOpenStoreAcceptsAVacuum() throws {
        let files = try StoreFiles.filled()
        let store = try files.open()
        try store.write { try $0.save(PushCredential.sample("before")) }
        try files.tamper("VACUUM; ANALYZE; CREATE TABLE a (b); DROP TABLE a")
        try store.write { try $0.save(PushCredential.sample("after")) }
        #expect(try store.read { try $0.pushCredentials().count } == 3)
    }

    /// A file that is replaced while the store is being opened is reported.
    ///
    /// The store writes only to the file that it checked.
    @Test(arguments: SQLiteStoreMode.allModes)
    func aFileThatIsReplacedDuringOpeningIsReported(_ mode: SQLiteStoreMode) throws {
        let (files, other) = (try StoreFiles.filled(), try StoreFiles.filled())
        let key = FileReplacingKey(key: files.key) { rename(other.path, files.path) }
        #expect(
            try storeErrorCode { _ = try SQLiteCredentialStore(path: files.path, key: key, mode: mode) }
                == .replaced
        )
    }

    /// A key provider that replaces the file.
    ///
    /// The store requests the key after it has checked the file for the first time, and this request replaces
    /// the file.
    private struct FileReplacingKey: SealingKeyProvider {
        let key: KeyFile
        let replaceFile: @Sendable () -> CInt

        func existingKey() throws(StoreError) -> SymmetricKey {
            #expect(replaceFile() == 0)
            return try key.existingKey()
        }

        func keyForNewStore() throws(StoreError) -> SymmetricKey { try key.keyForNewStore() }
    }

    @Test(arguments: [true, false])
    func aFileThatIsReplacedOrRemovedDuringAWriteIsReported(_ isReplaced: Bool) throws {
        let (files, other) = (try StoreFiles.filled(), try StoreFiles.filled())
        let store = try files.open()
        let error = #expect(throws: StoreError.self) {
            try store.write { view in
                try view.save(PushCredential.sample("late"))
                if isReplaced {
                    #expect(rename(other.path, files.path) == 0)
                } else {
                    try FileManager.default.removeItem(atPath: files.path)
                }
            }
        }
        #expect(error?.code == .replaced)
        #expect(error?.reason.contains("was removed or replaced while it was in use") == true)
        #expect(try storeErrorCode { _ = try store.read { try $0.pushCredentials() } } == .replaced)
    }

    @Test(arguments: ["/proc/nope/x.db", "/dev/null/x.db", "/nowhere/at/all/x.db"])
    func aStoreInAnUnwritableFolderThrowsNotWritable(_ path: String) throws {
        let code = try storeErrorCode {
            _ = try SQLiteCredentialStore(path: path, key: InMemorySealingKey(), mode: .create)
        }
        #expect(code == .notWritable)
    }

    @Test func noFileRemainsIfTheKeyCannotBeCreated() throws {
        let files = try StoreFiles()
        let key = KeyFile(path: files.folder.path("missing/key"))
        let code = try storeErrorCode {
            _ = try SQLiteCredentialStore(path: files.path, key: key, mode: .create)
        }
        #expect(code == .notWritable)
        #expect(try files.folder.names() == [])
    }

    @Test func aNameThatLooksLikeAURIIsAName() throws {
        let folder = try TemporaryFolder()
        for name in ["file:x?mode=memory", "50%25 #1;?.db", "é 😀"] {
            let key = InMemorySealingKey()
            let store = try SQLiteCredentialStore(path: folder.path(name), key: key, mode: .create)
            try store.write { try $0.save(PushCredential.sample(name)) }
            try store.close()
            let reopened = try SQLiteCredentialStore(path: folder.path(name), key: key, mode: .readOnly)
            #expect(try reopened.read { try $0.pushCredentials().map(\.id) } == [name])
        }
    }
}

extension SQLiteStoreMode {
    static let allModes = [SQLiteStoreMode.create, .open, .readOnly]
}

extension StoreFiles {
    fileprivate init(_ other: StoreFiles, named name: String) {
        folder = other.folder
        path = other.folder.path(name)
        key = other.key
    }
}
