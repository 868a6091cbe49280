import Foundation
import PushBridgeSimulation

// simulate-lives --seed N: one life, its trace and its story.
// simulate-lives --lives N [--from N] [--stop]: many; the first failing seeds with their stories, and the coverage.

var arguments = CommandLine.arguments.dropFirst()[...]

var (seed, lives, first): (UInt64?, UInt64, UInt64) = (nil, 2000, 1)
var (stops, told) = (false, 12)
while let argument = arguments.popFirst() {
    switch argument {
    case "--seed": seed = arguments.popFirst().flatMap { UInt64($0) }
    case "--lives": lives = arguments.popFirst().flatMap { UInt64($0) } ?? lives
    case "--from": first = arguments.popFirst().flatMap { UInt64($0) } ?? first
    case "--stories": told = arguments.popFirst().flatMap { Int($0) } ?? told
    case "--stop": stops = true
    default:
        FileHandle.standardError.write(Data("simulate: unknown option \(argument)\n".utf8))
        exit(64)
    }
}

if let seed {
    let report = Life.run(seed: seed, isTraced: true)
    for line in report.trace { print(line) }
    guard let complaint = report.complaint else {
        print("seed \(seed): nothing is wrong")
        exit(0)
    }
    print("seed \(seed): \(complaint.kind): \(complaint.text)")
    print(report.shrunk().story)
    exit(1)
}

let coverage = Coverage()
var kinds: [Complaint.Kind: Int] = [:]
let start = ContinuousClock.now
var (done, failed) = (0, 0)
for seed in first..<first + lives {
    let report = Life.run(seed: seed, coverage: coverage)
    done += 1
    if let complaint = report.complaint {
        failed += 1
        kinds[complaint.kind, default: 0] += 1
        if failed <= told { print("seed \(seed): \(complaint.kind): \(report.shrunk().story)") }
        if stops { break }
    }
    if done % 1000 == 0 {
        FileHandle.standardError.write(Data("simulate: \(done) of \(lives) lives, \(failed) failed\n".utf8))
    }
}
let seconds = Double(start.duration(to: .now).components.seconds)
print("\(done) lives, \(failed) failed, \(Int(Double(done) / max(seconds, 1))) a second")
for (kind, count) in kinds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { print("  \(kind): \(count)") }
exit(failed == 0 ? 0 : 1)
