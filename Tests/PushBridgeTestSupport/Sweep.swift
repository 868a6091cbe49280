import Foundation

/// The number of random inputs that the sweeps try, and the progress of the sweeps.
///
/// A sweep is a test that tries many random inputs.
public enum Sweep {
    /// The number of inputs of one sweep: the value of `PUSHBRIDGE_SWEEP`, or 100,000.
    public static let size = asked ?? 100_000

    /// Returns the numbers of a part's rounds, counted from 0.
    ///
    /// If `PUSHBRIDGE_SWEEP` is set, the sweep tries this number of inputs, and prints its progress to stderr.
    /// Otherwise, the sweep tries `standard` inputs.
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

    /// The value of `PUSHBRIDGE_SWEEP`; `nil` if it is not set or not a number.
    public static let asked = ProcessInfo.processInfo.environment["PUSHBRIDGE_SWEEP"].flatMap(Int.init)
}
