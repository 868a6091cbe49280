package import Foundation
import PushBridgePlatform

/// Runs many lives on at most two threads.
///
/// It is `@unchecked`: its threads hold `lock` while they access the properties that change.
package final class Sweep: @unchecked Sendable {
    /// A life that ended with a complaint.
    package struct Failure: Sendable {
        package let report: LifeReport
        package var seed: UInt64 { report.setup.seed }
        package let complaint: Complaint
    }

    private let lock = NSLock()
    private var seeds: ArraySlice<UInt64>
    private var done = 0
    private var failures: [Failure] = []
    private let coverage = Coverage()
    private let ignored: Set<Complaint.Kind>
    private let stopsAtFailure: Bool

    private init(_ seeds: [UInt64], _ ignored: Set<Complaint.Kind>, _ stopsAtFailure: Bool) {
        (self.seeds, self.ignored, self.stopsAtFailure) = (seeds[...], ignored, stopsAtFailure)
    }

    /// The result of a sweep.
    package struct Result: Sendable {
        package let lives: Int
        package let failures: [Failure]
        package let coverage: Coverage
    }

    /// Runs the lives of some seeds, and blocks until they have ended.
    /// - Parameters:
    ///   - seeds: The seeds.
    ///   - ignored: The kinds of complaint to ignore.
    ///   - stopsAtFailure: Whether the first failure ends the sweep.
    ///   - progress: Called after every thousand lives, with the number of ended lives and the number of failed lives.
    ///   - failed: Called with each failure, as soon as its life has ended.
    /// - Returns: The number of lives, the failures, and the counts of all events.
    package static func run(
        _ seeds: ClosedRange<UInt64>,
        ignoring ignored: Set<Complaint.Kind> = [],
        stopsAtFailure: Bool = false,
        progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in },
        failed: @escaping @Sendable (Failure) -> Void = { _ in }
    ) -> Result {
        let sweep = Sweep(Array(seeds), ignored, stopsAtFailure)
        let group = DispatchGroup()
        for _ in 0..<min(2, ProcessInfo.processInfo.activeProcessorCount) {
            group.enter()
            let thread = Thread {
                sweep.work(progress, failed)
                group.leave()
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        group.wait()
        return Result(
            lives: sweep.done,
            failures: sweep.failures.sorted { $0.seed < $1.seed },
            coverage: sweep.coverage
        )
    }

    private func next() -> UInt64? { lock.withLock { () -> UInt64? in seeds.popFirst() } }

    private func end(_ report: LifeReport, _ own: Coverage) -> (done: Int, failed: Int) {
        lock.withLock { () -> (done: Int, failed: Int) in
            done += 1
            coverage.add(own)
            if let complaint = report.complaint {
                failures.append(Failure(report: report, complaint: complaint))
                if stopsAtFailure { seeds = [] }
            }
            return (done, failures.count)
        }
    }

    private func work(_ progress: (Int, Int) -> Void, _ reportFailure: (Failure) -> Void) {
        while let seed = next() {
            let own = Coverage()
            let report = Life.run(seed: seed, ignoring: ignored, coverage: own)
            let (done, failed) = end(report, own)
            if let complaint = report.complaint {
                reportFailure(Failure(report: report, complaint: complaint))
            }
            if done % 1000 == 0 { progress(done, failed) }
        }
    }
}

/// A life that ended with a complaint, in the form in which the tests keep it.
///
/// The life is saved as steps, so that it does not depend on the generator.
package struct FoundLife: Codable, Sendable {
    package var story: String
    package var setup: Setup
    package var steps: [Step]

    /// Creates a saved life from a report.
    package init(_ report: LifeReport) {
        (story, setup, steps) = (report.story, report.setup, report.steps)
    }

    /// Returns the lives in a file, one for each line.
    package static func all(in url: URL) throws -> [FoundLife] {
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        return try lines.map { try JSONDecoder().decode(FoundLife.self, from: Data($0.utf8)) }
    }

    /// The life as a line of a file that `all(in:)` can read.
    package var line: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
