import CredentialMigration
import Foundation
import LegacyFiles
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import PushParity

/// The legacy API works on the legacy SDK's own items, which are then read as the SDK's classes read them.
@Suite("Parity in place", .serialized)
struct InPlaceTests {
    @Test func theCatalogueLeavesItemsThatMatchTheAPI() async throws {
        var shown: Set<String> = []
        for scenario in Scenario.catalogue {
            let result = try await ParityRunner(inPlace: true).run(scenario)
            #expect(result.differences.map(\.json.text) == [], "\(scenario.name)")
            #expect(result.items.map(\.json.text) == [], "\(scenario.name)")
            shown.formUnion(result.divergences.map(\.divergence.id))
            shown.formUnion(result.equivalences)
        }
        let rows = Divergence.inPlace + Equivalence.inPlace
        #expect(rows.map(\.id).filter { !shown.contains($0) } == [])
    }

    @Test func randomScenariosLeaveItemsThatMatchTheAPI() async throws {
        for scenario in RandomScenarios(count: 40, seed: 26) {
            let result = try await ParityRunner(inPlace: true).run(scenario)
            #expect(result.differences.map(\.json.text) == [], "\(scenario.name)")
            #expect(result.items.map(\.json.text) == [], "\(scenario.name)")
        }
    }

    /// The accounts and mechanisms of an earlier release exist before each scenario, and they remain after it.
    @Test(arguments: [
        "everyday.jsonl", "everyday-sdk-2.0.sqlite", "everyday-sdk-3.1.sqlite", "everyday-sdk-3.3.sqlite",
        "everyday-sdk-4.0.sqlite",
    ])
    func scenariosDoNotRemoveItemsOfAnEarlierRelease(_ fixture: String) async throws {
        // All scenarios run with the items of the newest release, and every fifth one with the items of each older
        // release.
        let share = fixture == "everyday.jsonl" ? 1 : 5
        for (number, scenario) in Scenario.catalogue.enumerated() where number.isMultiple(of: share) {
            let keychain = Lock<InMemoryKeychain?>(nil)
            var changes = SideChanges()
            changes.prepare = { prepared in
                try prepared.install(try LegacyFile.open(LegacyFixtures.url(fixture)))
                keychain.withValue { $0 = prepared }
            }
            let runner = ParityRunner(
                legacyChanges: changes,
                asyncChanges: SideChanges(),
                inPlace: true
            )
            let differences = try await runner.itemDifferences(after: scenario)
            #expect(differences.map(\.json.text) == [], "\(scenario.name)")
            let used = try #require(keychain.withValue { $0 })
            let untouched = InMemoryKeychain()
            try untouched.install(try LegacyFile.open(LegacyFixtures.url(fixture)))
            for service in ["account", "mechanism"] {
                let before = try SDKItems.decoded(untouched)[service]
                let after = try SDKItems.decoded(used)[service]
                #expect(Self.missing(in: after, of: before) == [], "\(scenario.name)")
            }
        }
    }

    /// Returns the keys of the items that no longer exist; `all` if there are no items to compare.
    private static func missing(in after: JSONValue?, of before: JSONValue?) -> [String] {
        guard case .object(let before)? = before, case .object(let after)? = after, !before.isEmpty else {
            return ["all"]
        }
        return before.keys.filter { after[$0] == nil }
    }

    @Test func bothAPIsWorkOnTheSameItems() async throws {
        let json = """
            {"name": "n", "settings": {"shared": true}, "steps": [
              {"do": "token", "hex": "0a"}, {"do": "enrol", "credential": "babs"},
              {"do": "receive", "on": "async", "push": "p1", "credential": "babs"},
              {"do": "answer", "on": "async", "push": "p1", "with": "approve"},
              {"do": "enrol", "on": "async", "credential": "carol", "account": "carol"},
              {"do": "receive", "push": "p2", "credential": "carol"},
              {"do": "answer", "push": "p2", "with": "deny"},
              {"do": "rename", "on": "async", "credential": "carol", "account": "Caroline"},
              {"do": "restart"}, {"do": "list", "what": "credentials"},
              {"do": "list", "on": "async", "what": "notifications"}
            ]}
            """
        let scenario = try #require(try Scenario.list(json: Data(json.utf8), name: "shared").first)
        let result = try await ParityRunner(inPlace: true).run(scenario)
        #expect(result.items.map(\.json.text) == [])
        let stepRecords = result.legacy.stepRecords
        #expect(stepRecords.last?.server["pushes"] != nil)
        guard case .array(let shown)? = stepRecords[9].calls.first?.first?["value"],
            case .array(let pushes)? = result.async.stepRecords[10].calls.first?.first?["value"]
        else { throw CocoaError(.featureUnsupported) }
        #expect(shown.map { $0["displayAccountName"] } == ["babs", "Caroline"])
        #expect(pushes.map { $0["approved"] } == [true, false])
        #expect(pushes.map { $0["pending"] } == [false, false])
    }

    @Test func anItemThatDiffersFromTheAPIIsReported() async throws {
        let player = try await StepPlayer.start(
            {
                var settings = ScenarioSettings()
                settings.store = .inPlace
                return settings
            }(),
            changes: SideChanges(),
            in: PlayOptions(),
            makers: [.legacy: { try LegacySide(in: $0) }]
        )
        let keychain = try #require(await player.environment.keychain)
        try keychain.install(try LegacyFile.open(LegacyFixtures.url("everyday.jsonl")))
        #expect(try await player.itemDifferences() == [])
        // The mechanism is also stored under a key that is not its own.
        let service = "com.forgerock.ios.authenticator.keychainservice.local.mechanism"
        let items = try keychain.items(service: service, accessGroup: nil)
        try keychain.add(
            KeychainItem(KeychainItem.Name(service: service, account: "Other-x-totp"), data: items[0].data)
        )
        await #expect(throws: ParityError.self) { try await player.itemDifferences() }
        try keychain.remove(KeychainItem.Name(service: service, account: "Other-x-totp"))
        // If the item of an account is missing, the API's records and the items differ.
        let accounts = service.replacing("mechanism", with: "account")
        let first = try #require(try keychain.items(service: accounts, accessGroup: nil).first)
        try keychain.remove(first.name)
        #expect(!(try await player.itemDifferences()).isEmpty)
    }
}
