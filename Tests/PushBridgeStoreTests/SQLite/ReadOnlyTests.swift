import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@Suite("Opening a store for reading only")
struct ReadOnlyTests {
    @Test func readingAStoreChangesNoFileAndCreatesNone() throws {
        let files = try StoreFiles.filled()
        let before = try files.folder.contents()
        let store = try files.open(.readOnly)
        #expect(try store.read { try $0.pushCredentials().count } == 1)
        #expect(try files.folder.contents() == before)
        try store.close()
        #expect(try files.folder.contents() == before)
    }

    @Test func aReadOnlyStoreRefusesWrites() throws {
        let store = try StoreFiles.filled().open(.readOnly)
        #expect(
            throws: StoreError(.notWritable, reason: "\(store.path) was opened for reading only.")
        ) { try store.write { try $0.removeDeviceToken() } }
    }

    @Test func theLogOfAKilledProcessIsRead() throws {
        let files = try StoreFiles.filled()
        let writer = try files.open()
        try writer.write { try $0.save(PushCredential.sample("logged")) }
        // A process that is killed at this point leaves the database, the log and the log's index. The test
        // copies these files and the key.
        let left = try StoreFiles()
        for (name, bytes) in try files.folder.contents() {
            try bytes.write(to: left.folder.url.appendingPathComponent(name))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: left.key.path)
        let before = try left.folder.contents()
        let store = try left.open(.readOnly)
        #expect(try store.read { try $0.pushCredential(id: "logged") } != nil)
        try store.close()
        #expect(try left.folder.contents() == before)
        #expect(try left.open().read { try $0.pushCredentials().count } == 2)
        try writer.close()
    }

    @Test func aWriterAndAReaderShareTheFile() throws {
        let files = try StoreFiles.filled()
        let writer = try files.open()
        let reader = try files.open(.readOnly)
        for count in 1...3 {
            #expect(try reader.read { try $0.pushCredentials().count } == count)
            try writer.write { try $0.save(PushCredential.sample("\(count)")) }
        }
    }

    @Test func aReadThrowsIfAnotherStoreWritesDuringIt() throws {
        let files = try StoreFiles.filled()
        let reader = try files.open(.readOnly)
        let writer = try files.open()
        let code = try storeErrorCode {
            _ = try reader.read { view in
                _ = try writer.write { try $0.removeDeviceToken() }
                return try view.pushCredentials().values
            }
        }
        #expect(code == .failed)
    }
}
