import PushBridgeSimulation
import Testing

/// Lives of a phone, made of seeds.
@Suite("Simulation of lives")
struct SimulationTests {
    @Test func livesLoseNothing() {
        for seed in UInt64(1)...2000 {
            let report = Life.run(seed: seed)
            #expect(report.complaint == nil, "seed \(seed): \(report.complaint?.text ?? "")")
        }
    }
}
