import Foundation
import PingAMSimulator
import PushBridgeCore
import PushParity
import Testing

@Suite("Versions of the server", .serialized)
struct VersionTests {
    @Test func scenariosShowOnlyRegisteredDifferencesBetweenVersions() async throws {
        var shown: Set<String> = []
        for scenario in Scenario.catalogue {
            var older: ScenarioResult?
            for version in ServerVersion.allCases {
                let newer = try await ParityRunner(version: version).run(scenario)
                #expect(newer.differences.map(\.json.text) == [], "\(scenario.name), \(version)")
                if let older {
                    let comparison = VersionComparison(older, newer, of: version)
                    #expect(comparison.differences.map(\.json.text) == [], "\(scenario.name), \(version)")
                    shown.formUnion(comparison.divergences)
                }
                older = newer
            }
        }
        let expected = VersionDivergence.register.filter(\.showsInScenarios).map(\.id)
        #expect(expected.filter { !shown.contains($0) } == [])
    }

    /// From version 7.3 on, the register allows a different one-time password, but only for an account of a combined
    /// code.
    @Test(arguments: [
        ("One code enrols push and a one-time password", true),
        ("A code for TOTP is scanned, and passwords are shown", false),
    ])
    func onlyCombinedCodesGiveADifferentPassword(_ name: String, _ isMeant: Bool) async throws {
        let scenario = try #require(Scenario.catalogue.first { $0.name == name })
        var changes = SideChanges()
        let isCode: @Sendable (SideCall) -> Bool = { if case .code = $0 { true } else { false } }
        changes.side = { side in
            ChangedResultsSide(side: side, isAbout: isCode) { deliveries in
                deliveries.map { Delivery($0.form, thread: $0.thread, .value("000000")) }
            }
        }
        let older = try await ParityRunner(version: .v7_2).run(scenario)
        let newer = try await ParityRunner(
            legacyChanges: changes,
            asyncChanges: changes,
            version: .v7_3
        )
        .run(scenario)
        let comparison = VersionComparison(older, newer, of: .v7_3)
        #expect(comparison.divergences.contains("codes-are-combined") == isMeant)
        #expect(comparison.differences.filter { $0.verb == .code }.isEmpty == isMeant)
    }

    /// The register contains exactly the differences between the golden codes and pushes of consecutive versions.
    @Test func codesAndPushesOfVersionsDifferOnlyAsRegistered() throws {
        let entries = try Golden.entries()
        for (older, newer) in zip(ServerVersion.allCases, ServerVersion.allCases.dropFirst()) {
            var changed: Set<String> = []
            for (key, entry) in entries where key.version == newer {
                let before = entries[Golden.Key(version: older, sender: key.sender, kind: key.kind)]
                changed.formUnion(entry.places(changedFrom: before))
            }
            let registered = VersionDivergence.register.filter { $0.version == newer }.map(\.places)
            #expect(changed == registered.reduce(into: []) { $0.formUnion($1) }, "AM \(newer.rawValue)")
        }
    }

    @Test func versionDivergenceIdsAreUnique() {
        let names = VersionDivergence.register.map(\.id)
        #expect(!names.isEmpty)
        #expect(Set(names).count == names.count)
    }
}

/// A code or a push of one version of the server.
///
/// A script derived the codes and pushes from tables that describe the server's source.
private struct Golden: Decodable {
    struct Key: Hashable {
        let version: ServerVersion
        let sender: String
        let kind: String
    }

    let version: ServerVersion
    let sender: String
    let kind: String
    let code: String?
    let payload: String?
    let claims: String?

    static func entries() throws -> [Key: Golden] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Tests/ServerFixtures/golden.json")
        let entries = try JSONDecoder().decode([Golden].self, from: Data(contentsOf: file))
        let keyed = entries.map { (Key(version: $0.version, sender: $0.sender, kind: $0.kind), $0) }
        return Dictionary(keyed) { first, _ in first }
    }

    /// Returns the places that changed, with the names that they have in the register.
    func places(changedFrom older: Golden?) -> Set<String> {
        guard let older else { return ["codes"] }
        let (new, old) = (parameters, older.parameters)
        var places = Self.names(of: members, changedFrom: older.members)
        let values = { (list: [(name: String, value: JSONValue)]) in
            Dictionary(list.map { ("code.\($0.name)", $0.value) }) { first, _ in first }
        }
        places.formUnion(Self.names(of: values(new), changedFrom: values(old)))
        if label != older.label { places.insert("code.label") }
        let shared = Set(new.map(\.name)).intersection(old.map(\.name))
        if new.map(\.name).filter(shared.contains) != old.map(\.name).filter(shared.contains) {
            places.insert("code.order")
        }
        return places
    }

    private static func names(
        of new: [String: JSONValue],
        changedFrom old: [String: JSONValue]
    ) -> Set<String> {
        Set(new.keys).union(old.keys).filter { new[$0] != old[$0] }
    }

    private var label: Substring? { code?.prefix { $0 != "?" } }

    private var parameters: [(name: String, value: JSONValue)] {
        (code ?? "").drop { $0 != "?" }.dropFirst().split(separator: "&").map { parameter in
            let name = String(parameter.prefix { $0 != "=" })
            return (name, .string(String(parameter.dropFirst(name.count + 1))))
        }
    }

    /// The members of `aps`, and the claims.
    private var members: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for (prefix, text) in [("aps", payload), ("claims", claims)] {
            let json = text.flatMap { JSONValue(json: Data($0.utf8)) }
            guard case .object(let object)? = prefix == "aps" ? json?["aps"] : json else { continue }
            for (name, value) in object { members["\(prefix).\(name)"] = value }
        }
        return members
    }
}
