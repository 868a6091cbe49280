import Foundation
import PushBridgeSimulation
import Testing

/// In simulated lives of a phone, no credential is lost, and a removed credential is never shown again.
@Suite("Simulation of lives", .serialized)
struct SimulationTests {
    /// Runs `body` on a separate thread, because a life blocks its thread.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    @Test func noSimulatedLifeRaisesAComplaint() async {
        let result = await onThread { Sweep.run(1...2000) }
        for failure in result.failures.prefix(5) {
            let story = await onThread { failure.report.shrunk().story }
            let command = "Scripts/checks/simulate --seed \(failure.seed)"
            Issue.record("Repeat with \(command): \(failure.complaint.kind): \(story)")
        }
        #expect(result.failures.isEmpty, "\(result.failures.count) of \(result.lives) lives failed")
    }

    /// Each saved life once ended with a complaint; now it ends without a complaint.
    @Test func livesThatFoundAFaultPassNow() async throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("found-lives.jsonl")
        let lives = try FoundLife.all(in: url)
        for life in lives {
            let report = await onThread { Life.replay(life.setup, life.steps) }
            #expect(report.complaint == nil, "\(report.story)")
        }
    }

    /// Undisturbed rehearsals and comparisons do not change any later event.
    ///
    /// The test compares 150 lives, or the number in `PUSHBRIDGE_SWEEP` (2,000 each night).
    @Test func rehearsalsChangeNoLife() async {
        let lives = askedLives ?? 150
        for seed in (UInt64(1)...).lazy.filter({ !$0.isMultiple(of: 4) }).prefix(lives) {
            let (with, without) = await onThread {
                (Life.run(seed: seed), Life.run(seed: seed, rehearses: false))
            }
            let others = with.steps.filter { if case .rehearse = $0.action { false } else { true } }
            #expect(others == without.steps, "seed \(seed)")
            #expect(with.complaint?.kind == without.complaint?.kind, "seed \(seed)")
        }
    }

    @Test(arguments: UInt64(1)...20)
    func aSeedMakesTheSameLife(_ seed: UInt64) async {
        let (one, other) = await onThread {
            (Life.run(seed: seed, isTraced: true), Life.run(seed: seed, isTraced: true))
        }
        #expect(one.steps == other.steps)
        #expect(one.trace.joined(separator: "\n") == other.trace.joined(separator: "\n"))
        let again = await onThread { Life.replay(one.setup, one.steps, isTraced: true) }
        #expect(one.trace.joined(separator: "\n") == again.trace.joined(separator: "\n"))
    }
}
