import PushParity
import Testing

@Suite("Catalogue")
struct CatalogueTests {
    @Test(arguments: Scenario.catalogue)
    func nothingIsDifferentThatShouldNotBe(_ scenario: Scenario) async throws {
        let result = try await ParityRunner().run(scenario)
        #expect(result.differences.map(\.json.text) == [])
    }

    @Test func namesAreUnique() {
        let names = Scenario.catalogue.map(\.name)
        #expect(names.count >= 40)
        #expect(Set(names).count == names.count)
    }

    @Test func everyKindOfStepIsPlayed() {
        let verbs = Set(Scenario.catalogue.flatMap(\.steps).map(\.verb))
        #expect(verbs == Set(Step.Verb.allCases))
    }
}

@Suite("Random scenarios")
struct RandomScenarioTests {
    @Test func nothingIsDifferentThatShouldNotBe() async throws {
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
