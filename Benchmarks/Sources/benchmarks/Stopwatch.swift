/// Times async work.
enum Stopwatch {
    /// Returns the median time of `rounds` runs, in milliseconds.
    ///
    /// `work` receives the number of the round.
    static func milliseconds(rounds: Int, _ work: (Int) async throws -> Void) async rethrows -> Double {
        var times: [Double] = []
        for round in 0..<rounds {
            let start = ContinuousClock.now
            try await work(round)
            times.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        return times.median
    }
}
