import CredentialMigration
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The keychain refuses to read or change one item of the destination, but not the other items.
@Suite("Refused items of the destination")
struct RefusedDestinationTests {
    private let keychain = UnreliableKeychain(InMemoryKeychain())
    private var store: KeychainCredentialStore { KeychainCredentialStore(keychain: keychain) }

    @Test(arguments: [Int32(-50), -34018])
    func aRefusedCredentialStaysInTheSourceAndStopsNoOtherRecord(_ status: Int32) throws {
        var legacy = LegacyStoreBuilder()
        try legacy.push()
        _ = try migrate(legacy.source, to: store)
        keychain.refuse("push-1", with: status)
        try legacy.totp()
        let receipt = try migrate(legacy.source, to: store)
        #expect(receipt.outcomes == [.locked, .migrated])
        #expect(receipt.records.first?.result.code == .refused)
        keychain.refuse("push-1", with: nil)
        #expect(try migrate(legacy.source, to: store).outcomes == [.alreadyPresent, .alreadyPresent])
    }

    @Test func aRefusedLedgerEntryIsNotReplacedAndStopsNoRecord() throws {
        var legacy = LegacyStoreBuilder()
        try legacy.push()
        try legacy.totp()
        _ = try migrate(legacy.source, to: store)
        let entries = try keychain.accounts(service: KeychainServices().ledger, accessGroup: nil)
        keychain.refuse(try #require(entries.first), with: -50)
        #expect(try migrate(legacy.source, to: store).outcomes == [.alreadyPresent, .alreadyPresent])
        #expect(try keychain.accounts(service: KeychainServices().ledger, accessGroup: nil) == entries)
    }
}
