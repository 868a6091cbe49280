import Foundation
import PushBridgeSimulation

let usage = """
    simulate-lives --seed N                one life: its trace and the story of its error
    simulate-lives --lives N               many lives: their errors and their coverage
        --from N       begins at this seed
        --stories N    prints N stories
        --only KINDS   reports only these kinds of error; --ignore KINDS omits these
        --stop         ends with the first failure
        --save FILE    adds the shortened lives that failed to a file
    simulate-lives --found FILE [--trace]  the lives of such a file; with the trace of each that fails
    """

/// Prints a line without buffering, even if the output is a pipe.
func printLine(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
@Sendable func logLine(_ line: String) { FileHandle.standardError.write(Data("simulate: \(line)\n".utf8)) }

func kinds(_ text: String?) -> Set<Complaint.Kind> {
    Set((text ?? "").split(separator: ",").compactMap { Complaint.Kind(rawValue: String($0)) })
}

var arguments = CommandLine.arguments.dropFirst()[...]
var (seed, lives, first): (UInt64?, UInt64, UInt64) = (nil, 2000, 1)
var (stops, isTraced, stories) = (false, false, 12)
var ignored: Set<Complaint.Kind> = []
var (save, found): (String?, String?) = (nil, nil)
while let argument = arguments.popFirst() {
    switch argument {
    case "--seed": seed = arguments.popFirst().flatMap { UInt64($0) }
    case "--lives": lives = arguments.popFirst().flatMap { UInt64($0) } ?? lives
    case "--from": first = arguments.popFirst().flatMap { UInt64($0) } ?? first
    case "--stories": stories = arguments.popFirst().flatMap { Int($0) } ?? stories
    case "--ignore": ignored = kinds(arguments.popFirst())
    case "--only": ignored = Set(Complaint.Kind.allCases).subtracting(kinds(arguments.popFirst()))
    case "--stop": stops = true
    case "--save": save = arguments.popFirst()
    case "--found": found = arguments.popFirst()
    case "--trace": isTraced = true
    default:
        printLine(usage)
        exit(64)
    }
}

if let found {
    var failed = 0
    for life in try FoundLife.all(in: URL(fileURLWithPath: found)) {
        let report = Life.replay(life.setup, life.steps, isTraced: isTraced)
        guard let complaint = report.complaint else { continue }
        failed += 1
        report.trace.forEach(printLine)
        printLine("\(complaint.kind): \(report.story)")
    }
    exit(failed == 0 ? 0 : 1)
}

if let seed {
    let report = Life.run(seed: seed, isTraced: true, ignoring: ignored)
    for line in report.trace { printLine(line) }
    guard let complaint = report.complaint else {
        printLine("seed \(seed): no error")
        exit(0)
    }
    printLine("seed \(seed): \(complaint.kind): \(complaint.text)")
    printLine(report.shrunk(ignoring: ignored).story)
    exit(1)
}

let start = ContinuousClock.now
let total = lives
let result = Sweep.run(first...first + max(lives, 1) - 1, ignoring: ignored, stopsAtFailure: stops) {
    logLine("\($0) of \(total) lives, \($1) failed")
} failed: {
    logLine("seed \($0.seed): \($0.complaint.kind): \($0.complaint.text)")
}
let took = start.duration(to: .now).components
let seconds = Double(took.seconds) + Double(took.attoseconds) / 1e18
for failure in result.failures.prefix(stories) {
    let report = failure.report.shrunk(ignoring: ignored)
    printLine("seed \(failure.seed): \(failure.complaint.kind): \(report.story)")
    guard let save else { continue }
    let url = URL(fileURLWithPath: save)
    var lines = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    lines += "\(try FoundLife(report).line)\n"
    try lines.write(to: url, atomically: true, encoding: .utf8)
}
for table in result.coverage.tables { printLine(table) }
// In a sweep of at least 100,000 lives, each count in the coverage's tables must be at least 100, except the counts of
// impossible events.
let gaps = lives >= 100_000 ? result.coverage.gaps(below: 100) : []
for gap in gaps { printLine("fewer than 100: \(gap)") }
let counts = Dictionary(grouping: result.failures, by: \.complaint.kind).mapValues(\.count)
for (kind, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
    printLine("  \(kind): \(count)")
}
logLine(
    "\(result.lives) lives, \(result.failures.count) failed, \(Int(Double(result.lives) / seconds)) a second"
)
exit(result.failures.isEmpty && gaps.isEmpty ? 0 : 1)
