import Foundation
import PingAMSimulator
import PushParity
import Testing

@Suite("Catalogue", .serialized)
struct CatalogueTests {
    @Test func theCatalogueShowsExactlyTheRegisteredDivergences() async throws {
        var shown: Set<String> = []
        var forms: Set<String> = []
        var same = 0
        for scenario in Scenario.catalogue {
            let result = try await ParityRunner().run(scenario)
            #expect(result.differences.map(\.json.text) == [], "\(scenario.name)")
            shown.formUnion(result.divergences.map(\.divergence.id))
            forms.formUnion(result.equivalences)
            same += result.verdict == .same ? 1 : 0
        }
        // Only AM 8.1.0 rejects a wrong number.
        for scenario in Scenario.catalogue where scenario.name.contains("a wrong number") {
            let result = try await ParityRunner(version: .v8_1_0).run(scenario)
            #expect(result.differences.map(\.json.text) == [], "\(scenario.name)")
            forms.formUnion(result.equivalences)
        }
        #expect(Equivalence.all.map(\.id).filter { !forms.contains($0) } == [])
        #expect(same * 2 >= Scenario.catalogue.count)
        let (all, different) = (Scenario.catalogue.count, Scenario.catalogue.count - same)
        let sum =
            "\(all) scenarios on both APIs: \(same) same, \(different) different by design, 0 different."
        #expect(try Self.page().contains(sum), "docs/divergences.md does not contain these totals: \(sum)")
        #expect(Divergence.register.map(\.id).filter { !shown.contains($0) } == [])
        #expect(Set(Divergence.register.map(\.id)).count == Divergence.register.count)
    }

    /// If a difference by design causes differences in later steps, these have the same id.
    ///
    /// No other difference occurs.
    @Test(
        arguments: [
            (
                "number-not-shown",
                [
                    .challenge("p1", to: "babs"), .answer("p1", .challenge, number: "12"),
                    .list(.notifications),
                ]
            ),
            (
                "locks-are-checked",
                [
                    .receive("p1", to: "babs"), .lock("babs", policy: "biometricAvailable"),
                    .answer("p1", .deny), .list(.notifications), .advance(300), .list(.pending),
                ]
            ),
            (
                "locks-are-checked",
                [
                    .receive("p1", to: "babs"), .advance(300), .lock("babs", policy: "biometricAvailable"),
                    .answer("p1", .approve), .list(.credentials),
                ]
            ),
            (
                "who-asks-for-the-face",
                [
                    .biometric("p1", to: "babs"), .answer("p1", .biometric), .device(refusesFace: true),
                    .answer("p1", .biometric),
                ]
            ),
        ] as [(String, [Step])]
    )
    func consequencesOfADivergenceAreReportedUnderItsId(_ id: String, _ steps: [Step]) async throws {
        let result = try await ParityRunner().run(
            Scenario("n", steps: [.token("0a1b2c"), .enrol("babs")] + steps)
        )
        #expect(result.differences.map(\.json.text) == [])
        #expect(result.divergences.map(\.divergence.id) == [id])
    }

    private static func page() throws -> String {
        let file = URL(fileURLWithPath: #filePath)
        let page = (1...4).reduce(file) { url, _ in url.deletingLastPathComponent() }
            .appendingPathComponent("docs/divergences.md")
        return try String(contentsOf: page, encoding: .utf8)
    }

    @Test func scenarioNamesAreUnique() {
        let names = Scenario.catalogue.map(\.name)
        #expect(names.count >= 40)
        #expect(Set(names).count == names.count)
    }

    @Test func theCatalogueContainsEveryKindOfStep() {
        let verbs = Set(Scenario.catalogue.flatMap(\.steps).map(\.verb))
        #expect(verbs == Set(Step.Verb.allCases))
    }
}

@Suite("Random scenarios", .serialized)
struct RandomScenarioTests {
    @Test func randomScenariosHaveNoUnregisteredDifference() async throws {
        for scenario in RandomScenarios(count: 40, seed: 7) {
            let result = try await ParityRunner().run(scenario)
            #expect(result.differences.map(\.json.text) == [], "\(scenario.name)")
        }
    }

    @Test func sameSeedMakesTheSameScenarios() {
        #expect(Array(RandomScenarios(count: 5, seed: 3)) == Array(RandomScenarios(count: 5, seed: 3)))
        #expect(Array(RandomScenarios(count: 5, seed: 3)) != Array(RandomScenarios(count: 5, seed: 4)))
    }
}
