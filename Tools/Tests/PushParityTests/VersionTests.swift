import PingAMSimulator
import PushParity
import Testing

@Suite("Versions of the server", .serialized)
struct VersionTests {
    @Test func bothAPIsDoTheSameAndWhatClientsSeeIsRegistered() async throws {
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
        #expect(VersionDivergence.register.map(\.id).filter { !shown.contains($0) } == [])
    }

    @Test func namesAreUnique() {
        let names = VersionDivergence.register.map(\.id)
        #expect(!names.isEmpty)
        #expect(Set(names).count == names.count)
    }
}
