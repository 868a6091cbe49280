import Foundation

/// How many random inputs the sweeps try, and how far they are.
public enum Sweep {
    /// All inputs of one sweep: `PUSHBRIDGE_SWEEP`, or 100,000.
    public static let size = asked ?? 100_000

    /// The numbers of the rounds of one of several parts, counted from 0.
    ///
    /// A sweep of a size that was asked for says on stderr when another tenth of a part is done; any other tries
    /// `standard` inputs.
    public static func rounds(
        _ name: String,
        part: some BinaryInteger,
        of parts: Int,
        standard: Int = size
    ) -> some Sequence<Int> {
        let rounds = ((asked ?? standard) + parts - 1) / parts
        let step = max(1, rounds / 10)
        return (0..<rounds).lazy.map { round in
            if asked != nil, round > 0, round.isMultiple(of: step) {
                let line = "\(name), part \(part + 1) of \(parts): \(round) of \(rounds)\n"
                FileHandle.standardError.write(Data(line.utf8))
            }
            return round
        }
    }

    /// The size that was asked for.
    public static let asked = ProcessInfo.processInfo.environment["PUSHBRIDGE_SWEEP"].flatMap(Int.init)
}
