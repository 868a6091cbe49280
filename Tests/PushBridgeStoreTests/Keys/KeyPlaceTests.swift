import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// A key file must not have a path at which SQLite creates or removes its own files.
@Suite struct KeyPlaceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: ["", "-wal", "-shm", "-journal", "-WAL"])
    func aKeyFileWithTheNameOfANewDatabaseFileIsRefused(_ suffix: String) throws {
        let path = folder.path("new.db")
        #expect(throws: Self.keyBelongsToTheStore(path + suffix)) {
            try SQLiteCredentialStore(path: path, key: KeyFile(path: path + suffix), mode: .create)
        }
        #expect(try folder.names() == [])
    }

    /// A key file with the name of one of SQLite's own files is refused; otherwise, SQLite would use the key
    /// file when the store is opened.
    @Test(arguments: ["-wal", "-shm", "-journal"], SQLiteStoreMode.allModes)
    func aKeyFileWithTheNameOfADatabaseFileIsRejectedUnchanged(_ suffix: String, _ mode: SQLiteStoreMode)
        throws
    {
        let files = try StoreFiles.filled()
        try FileManager.default.moveItem(atPath: files.key.path, toPath: files.path + suffix)
        let before = try files.folder.contents()
        #expect(throws: Self.keyBelongsToTheStore(files.path + suffix)) {
            try SQLiteCredentialStore(path: files.path, key: KeyFile(path: files.path + suffix), mode: mode)
        }
        #expect(try files.folder.contents() == before)
    }

    @Test func aSymbolicLinkToADatabaseFileIsPartOfTheStore() throws {
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "new.db-wal")
        #expect(KeyFile(path: link).isPart(ofStoreAt: folder.path("new.db")))
        try folder.file("new.db-wal", "log")
        #expect(KeyFile(path: link).isPart(ofStoreAt: folder.path("new.db")))
    }

    @Test func aHardLinkToADatabaseFileIsPartOfTheStore() throws {
        try folder.file("new.db", "database")
        try FileManager.default.linkItem(atPath: folder.path("new.db"), toPath: folder.path("other"))
        #expect(KeyFile(path: folder.path("other")).isPart(ofStoreAt: folder.path("new.db")))
    }

    @Test func aSeparateFileIsNotPartOfAStore() throws {
        #expect(!KeyFile(path: folder.path("new.db.key")).isPart(ofStoreAt: folder.path("new.db")))
        #expect(!KeyFile(path: folder.path("sub/new.db-wal")).isPart(ofStoreAt: folder.path("new.db")))
    }

    @Test func openingAStoreAtADeadLinkCreatesNoKey() throws {
        let path = folder.path("new.db")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere.db")
        let reason = "\(path) is a link to a file that does not exist."
        #expect(throws: StoreError(.notWritable, reason: reason)) {
            try SQLiteCredentialStore(path: path, key: KeyFile(path: "\(path).key"), mode: .create)
        }
        #expect(try folder.names() == ["new.db"])
    }

    private static func keyBelongsToTheStore(_ path: String) -> StoreError {
        StoreError(.wrongKey, reason: "The key needs a separate file; \(path) belongs to the store.")
    }
}
