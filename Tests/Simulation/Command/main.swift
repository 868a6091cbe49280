import PushBridgeSimulation

let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
if let seed = arguments.first {
    let report = Life.run(seed: seed, isTraced: true)
    for line in report.trace { print(line) }
    print(report.complaint.map { "\($0.kind): \($0.text)" } ?? "nothing is wrong")
} else {
    for seed in UInt64(1)...2000 {
        let report = Life.run(seed: seed)
        if let complaint = report.complaint { print("seed \(seed): \(complaint.kind) \(complaint.text)") }
    }
}
