import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import Security
import Testing

/// The effect of `FRAClient.start()` on the legacy SDK's own keychain items.
@Suite("Migration at start")
struct MigrationAtStartTests {
    private let process = AppProcess()
    private static let accounts = [
        "Acme Bank-alice@example.com", "Acme Bank-bob", "Combined-carol", "ForgeRock-demo",
    ]

    private var shownAccounts: [String] {
        (FRAClient.shared?.getAllAccounts() ?? []).map(\.identifier).sorted()
    }

    private var legacyItems: [String] {
        get throws {
            try LegacyService.allCases.flatMap {
                try SystemKeychain().accounts(service: $0.rawValue, accessGroup: nil)
            }
        }
    }

    /// Returns the receipt of a finished migration.
    private func finished(_ outcome: FRAMigration.Outcome) throws -> MigrationReceipt {
        guard case .done(let receipt) = outcome else { throw Unexpected(outcome: outcome) }
        return receipt
    }

    private struct Unexpected: Error {
        let outcome: FRAMigration.Outcome
    }

    private var isLater: Bool {
        if case .later = FRAClient.migration.outcome { true } else { false }
    }

    private var isNothingToDo: Bool {
        if case .nothingToDo = FRAClient.migration.outcome { true } else { false }
    }

    @Test(arguments: ["everyday.jsonl", "sealed-mixed.jsonl", "sealed-variable-iv.jsonl"])
    func plainAndSealedItemsAreImportedOnce(_ fixture: String) throws {
        try process.install(fixture)
        try process.installEnclaveKey()
        FRAClient.start()
        let receipt = try finished(FRAClient.migration.outcome)
        #expect(receipt.isComplete && receipt.records.count == 14)
        #expect(shownAccounts == Self.accounts)
        #expect(try legacyItems.count == 14)

        let client = try #require(FRAClient.shared)
        let account = try #require(client.getAccount(identifier: "ForgeRock-demo"))
        #expect(client.removeAccount(account: account))
        process.restart()
        FRAClient.start()
        #expect(isNothingToDo)
        #expect(shownAccounts == Array(Self.accounts.dropLast()))
    }

    private var openedServices: Set<String> {
        Set(StandInKeychain.with { $0.openedItems }.keys)
    }

    @Test(arguments: ["everyday.jsonl", "sealed-mixed.jsonl"])
    func aStartWithNothingNewOpensOnlyItemsOfThisPackage(_ fixture: String) throws {
        try process.install(fixture)
        try process.installEnclaveKey()
        FRAClient.start()
        _ = try finished(FRAClient.migration.outcome)
        StandInKeychain.with { $0.openedItems = [:] }
        process.restart()
        FRAClient.start()
        #expect(isNothingToDo)
        let ours = ["imports", "inPlace", "move", "rollout"].map { "com.pingidentity.push.credentials.\($0)" }
        #expect(openedServices == Set(ours))
        #expect(shownAccounts == Self.accounts)
    }

    @Test func sealedItemsAreImportedOnceTheEnclavesKeyIsAvailable() throws {
        try process.install("sealed-mixed.jsonl")
        FRAClient.start()
        #expect(try finished(FRAClient.migration.outcome).totals[.undecryptable] == 9)
        process.restart()
        FRAClient.start()
        #expect(isNothingToDo)
        try process.installEnclaveKey()
        process.restart()
        FRAClient.start()
        #expect(try finished(FRAClient.migration.outcome).records.count == 9)
        #expect(shownAccounts == Self.accounts)
    }

    @Test func withoutTheEnclavesKeyOnlyThePlainItemsAreImported() throws {
        try process.install("sealed-mixed.jsonl")
        FRAClient.start()
        let totals = try finished(FRAClient.migration.outcome).totals
        #expect(totals.records == 14)
        #expect(totals[.undecryptable] == 9)
        #expect(shownAccounts.contains("Acme Bank-alice@example.com"))
    }

    @Test(arguments: [StandInKeychain.DeviceState.locked, .beforeFirstUnlock])
    func aLockedDevicePostponesTheMigration(_ state: StandInKeychain.DeviceState) throws {
        try process.install("everyday.jsonl", accessibility: .whenUnlocked)
        StandInKeychain.with { $0.device = state }
        FRAClient.start()
        #expect(isLater)
        #expect(shownAccounts == [])
        #expect(isLater)
        StandInKeychain.with { $0.device = .unlocked }
        #expect(shownAccounts == Self.accounts)
        let receipt = try finished(FRAClient.migration.outcome)
        #expect(receipt.isComplete && receipt.records.count == 14)
    }

    @Test func aLockedEnclavePostponesSealedItems() throws {
        try process.install("sealed-mixed.jsonl")
        try process.installEnclaveKey()
        StandInKeys.refuse(with: errSecInteractionNotAllowed)
        FRAClient.start()
        guard case .later(let receipt?) = FRAClient.migration.outcome else {
            throw Unexpected(outcome: FRAClient.migration.outcome)
        }
        #expect(receipt.totals[.locked] == 9)
        StandInKeys.refuse(with: nil)
        #expect(shownAccounts == Self.accounts)
        #expect(try finished(FRAClient.migration.outcome).records.count == 9)
    }

    @Test(arguments: ["everyday.jsonl", "sealed-mixed.jsonl", "sealed-variable-iv.jsonl"])
    func legacyItemsStayInPlaceUntilAMigrationRuns(_ fixture: String) throws {
        try process.install(fixture)
        try process.installEnclaveKey()
        let before = try allItems
        process.restart(.inPlace)
        FRAClient.start()
        guard case .inPlace = FRAClient.migration.outcome else {
            throw Unexpected(outcome: FRAClient.migration.outcome)
        }
        #expect(shownAccounts == Self.accounts)
        #expect(try allItems == before)
        let account = try #require(FRAClient.shared?.getAccount(identifier: "ForgeRock-demo"))
        account.displayAccountName = "Renamed"
        #expect(try FRAClient.shared?.updateAccount(account: account) == true)
        let changed = try allItems.filter { item in !before.contains(item) }
        #expect(changed.map(\.name.account) == ["ForgeRock-demo"])
        let former = try #require(before.first { $0.name == changed[0].name })
        // If the changed item was sealed, it is sealed again: all sealed data begins with the same byte, which marks a
        // point on the curve.
        #expect(changed[0].data.first == former.data.first)
        #expect(changed[0].accessibility == former.accessibility)
        process.restart(.inPlace)
        FRAClient.start()
        #expect(FRAClient.shared?.getAccount(identifier: "ForgeRock-demo")?.displayAccountName == "Renamed")

        let receipt = try finished(FRAClient.migration.run())
        #expect(receipt.isComplete && receipt.records.count == 14)
        #expect(shownAccounts == Self.accounts)
        #expect(FRAClient.shared?.getAccount(identifier: "ForgeRock-demo")?.displayAccountName == "Renamed")
    }

    private var allItems: [KeychainItem] {
        get throws {
            try LegacyService.allCases.flatMap { service in
                try SystemKeychain().accounts(service: service.rawValue, accessGroup: nil).map { account in
                    let name = KeychainItem.Name(service: service.rawValue, account: account)
                    return KeychainItem(
                        name,
                        data: try #require(try SystemKeychain().data(name)),
                        accessibility: try SystemKeychain().accessibility(of: name) ?? .afterFirstUnlock
                    )
                }
            }
        }
    }

    @Test func withoutALegacyStoreThereIsNothingToDo() {
        FRAClient.start()
        #expect(isNothingToDo)
    }
}
