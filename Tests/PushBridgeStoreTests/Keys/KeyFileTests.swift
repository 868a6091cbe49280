import Crypto
import Foundation
import PushBridgeCore
@_spi(PushBridgeTools) import PushBridgeStore
import PushBridgeTestSupport
import Testing

@Suite("Key file")
struct KeyFileTests {
    private let folder: TemporaryFolder
    private let file: KeyFile

    init() throws {
        folder = try TemporaryFolder()
        file = KeyFile(path: folder.path("key"))
    }

    @Test func aNewKeyFileHasAHeaderAndOnlyItsOwnerCanReadIt() throws {
        let key = try file.keyForNewStore()
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        let line = key.withUnsafeBytes { Data($0) }.base64EncodedString()
        #expect(text == "# PushBridge sealing key 1\n\(line)\n")
        #expect(try !file.isBare())
        #expect(try folder.mode("key") == 0o600)
        #expect(try folder.names() == ["key"])
    }

    @Test func aKeyIsCreatedOnce() throws {
        let key = try file.keyForNewStore()
        #expect(try file.keyForNewStore() == key)
        #expect(try file.existingKey() == key)
    }

    /// The key files of older stores have no header line, and are still accepted.
    ///
    /// The command `openssl rand -base64 32` also creates a key without a header line.
    @Test(arguments: ["", "\n", "\r\n"])
    func aKeyFileWithoutAHeaderIsAccepted(_ end: String) throws {
        let bytes = Data(0..<32)
        try write(bytes.base64EncodedString() + end)
        #expect(try file.existingKey() == SymmetricKey(data: bytes))
        #expect(try file.keyForNewStore() == SymmetricKey(data: bytes))
        #expect(try file.isBare())
    }

    @Test func aKeyFileOfANewerVersionIsReportedAsNewer() throws {
        try write("# PushBridge sealing key 2\nsomething else\n")
        let sentence = "The key file \(file.path) was written by a newer version of PushBridge."
        #expect(throws: StoreError(.wrongKey, reason: sentence)) { try file.existingKey() }
        #expect(throws: StoreError(.wrongKey, reason: sentence)) { try file.keyForNewStore() }
    }

    private func write(_ text: String) throws {
        let made = FileManager.default.createFile(
            atPath: file.path,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        try #require(made)
    }

    @Test func noKeyIsCreatedForAnExistingStore() throws {
        #expect(try storeErrorCode { _ = try file.existingKey() } == .keyMissing)
        #expect(try folder.names() == [])
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o622, 0o644])
    func aKeyFileThatOthersCanAccessIsRefused(_ mode: Int) throws {
        _ = try file.keyForNewStore()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        let sentence =
            "The key file \(file.path) is open to others, mode \(String(mode, radix: 8)); run `chmod 600 \(file.path)`."
        #expect(throws: StoreError(.wrongKey, reason: sentence)) { try file.existingKey() }
        #expect(throws: StoreError(.wrongKey, reason: sentence)) { try file.keyForNewStore() }
    }

    @Test(
        arguments: [
            "", "\n", "not a key", "AAAA", String(repeating: "A", count: 44),
            String(repeating: "A", count: 5000), "# PushBridge sealing key 1",
            "# PushBridge sealing key 1\nAAAA\n",
        ]
    )
    func anInvalidKeyIsRefusedAndKept(_ text: String) throws {
        try write(text)
        let sentence = "\(file.path) is not a key file: it does not contain 32 bytes in base64."
        #expect(throws: StoreError(.wrongKey, reason: sentence)) { try file.existingKey() }
        #expect(throws: StoreError(.wrongKey, reason: sentence)) { try file.keyForNewStore() }
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
    }

    @Test(arguments: ["/dev/zero": "a device, pipe or socket", "/": "a folder"])
    func aDeviceOrFolderIsRefusedAsAKeyFile(_ path: String, _ kind: String) throws {
        #expect(throws: StoreError(.wrongKey, reason: "\(path) is not a key file: it is \(kind).")) {
            try KeyFile(path: path).existingKey()
        }
    }

    @Test(arguments: ["/proc/nope/key", "/nowhere/key"])
    func aKeyFileInAnUnwritableFolderThrowsNotWritable(_ path: String) throws {
        #expect(try storeErrorCode { _ = try KeyFile(path: path).keyForNewStore() } == .notWritable)
    }

    @Test func simultaneousProcessesGetTheSameKey() async throws {
        let file = file
        let keys = try await withThrowingTaskGroup(of: SymmetricKey.self) { group in
            for _ in 0..<8 { group.addTask { try file.keyForNewStore() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(keys == Array(repeating: try file.existingKey(), count: 8))
    }
}
