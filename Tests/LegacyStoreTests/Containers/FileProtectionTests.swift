import CredentialMigration
import Foundation
import LegacyFiles
import PushBridgeFiles
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The attributes that PushBridge sets on a new file on a phone.
///
/// PushBridge sets the attributes while the file is empty and before the file gets its final name.
@Suite("Attributes of new files", .serialized) struct FileProtectionTests {
    /// The attributes that were set on one file.
    struct Attributes: Equatable {
        let isEmpty: Bool
        var isProtected = false
        var isExcluded = false
    }

    /// Records the attributes that a phone would set on the files of a folder.
    ///
    /// Each file is identified by its inode, because the names of files change.
    final class Phone: Sendable {
        let recorded = Lock<[UInt64: Attributes]>([:])
        private let folder: String
        private let refusal: SystemFailure?

        init(_ folder: TemporaryFolder, refusing refusal: Int32? = nil) {
            self.folder = folder.url("").path
            self.refusal = refusal.map(SystemFailure.init)
        }

        func protection() -> FileProtection {
            FileProtection { url in
                try self.record(url) { $0.isProtected = true }
            } exclude: { url in
                try self.record(url) { $0.isExcluded = true }
            }
        }

        /// Returns the attributes of the file that now has this name.
        func attributes(of url: URL) -> Attributes? { recorded.withValue { $0[Self.inode(url)] } }

        private func record(_ url: URL, _ change: (inout Attributes) -> Void) throws {
            // Ignores the files of other tests that run in parallel.
            guard url.path.hasPrefix(folder) else { return }
            if let refusal {
                throw CocoaError(
                    .fileWriteNoPermission,
                    userInfo: [
                        NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(refusal.code))
                    ]
                )
            }
            let size = try FileStatus(of: url).size
            recorded.withValue { change(&$0[Self.inode(url), default: Attributes(isEmpty: size == 0)]) }
        }

        private static func inode(_ url: URL) -> UInt64 {
            var status = stat()
            return stat(url.path, &status) == 0 ? UInt64(status.st_ino) : 0
        }

        /// Runs `body` while this phone records the attributes that new files would get.
        func run<Value>(_ body: () throws -> Value) rethrows -> Value {
            FileProtection.current.withValue { $0 = protection() }
            defer { FileProtection.current.withValue { $0 = FileProtection.system } }
            return try body()
        }
    }

    @Test func backupsContainTheDatabaseButNotItsKey() throws {
        let folder = try TemporaryFolder()
        let phone = Phone(folder)
        try phone.run {
            let key = KeyFile(path: folder.path("store.key"))
            try SQLiteCredentialStore(path: folder.path("store.db"), key: key, mode: .create).close()
        }
        #expect(phone.attributes(of: folder.url("store.db")) == Attributes(isEmpty: true, isProtected: true))
        #expect(
            phone.attributes(of: folder.url("store.key"))
                == Attributes(isEmpty: true, isProtected: true, isExcluded: true)
        )
    }

    /// A backup and an export are excluded from the phone's backups, because they contain the secrets unencrypted.
    @Test func filesWithPlainSecretsAreExcludedFromBackups() throws {
        let folder = try TemporaryFolder()
        let source = try folder.copy(LegacyFixtures.url("everyday.plist"))
        let (backup, export) = (folder.url("backup.plist"), folder.url("export.plist"))
        let phone = Phone(folder)
        try phone.run {
            let store = MemoryCredentialStore()
            let migration = CredentialMigration(from: .file(source), to: store)
            let receipt = try migration.apply(migration.plan())
            _ = try CredentialExport(of: store).write(to: PropertyListStoreWriter(export))
            #expect(try !migration.retire(receipt, backup: backup).isEmpty)
        }
        let expected = Attributes(isEmpty: true, isProtected: true, isExcluded: true)
        for url in [backup, export] {
            #expect(phone.attributes(of: url) == expected)
        }
    }

    @Test func aFileThatCannotBeProtectedIsNotCreated() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SystemFailure(code: EPERM)) {
            try Phone(folder, refusing: EPERM).run { _ = try NewFile(for: folder.path("a")) }
        }
        #expect(throws: SystemFailure(code: EPERM)) {
            try Phone(folder, refusing: EPERM).run { _ = try NewFile(claiming: folder.url("a")) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url("").path) == [])
    }

    /// A file is created even if the file system does not support file protection, for example on a memory card.
    @Test func aFileIsCreatedOnAFileSystemWithoutProtection() throws {
        let folder = try TemporaryFolder()
        let isMade = try Phone(folder, refusing: ENOTSUP).run { try NewFile(for: folder.path("a")).publish() }
        #expect(isMade)
    }
}
