/// Times two pieces of work alternately, so that a slow moment of the machine affects both.
struct Comparison {
    /// The median time of the first piece, in seconds.
    let first: Double
    /// The median time of the second piece, in seconds.
    let second: Double
    /// The median, over all rounds, of the ratio of the first time to the second time.
    let ratio: Double

    init(rounds: Int, first: () throws -> Void, second: () throws -> Void) rethrows {
        var firsts: [Double] = []
        var seconds: [Double] = []
        for _ in 0..<rounds {
            firsts.append(try Self.seconds(of: first))
            seconds.append(try Self.seconds(of: second))
        }
        self.init(firsts, seconds)
    }

    /// Compares two pieces of async work; each receives the number of the round.
    ///
    /// The order of the two pieces changes from round to round.
    init(
        rounds: Int,
        first: (Int) async throws -> Void,
        second: (Int) async throws -> Void
    ) async rethrows {
        var firsts: [Double] = []
        var seconds: [Double] = []
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                firsts.append(try await Self.seconds(of: first, round))
                seconds.append(try await Self.seconds(of: second, round))
            } else {
                seconds.append(try await Self.seconds(of: second, round))
                firsts.append(try await Self.seconds(of: first, round))
            }
        }
        self.init(firsts, seconds)
    }

    private init(_ firsts: [Double], _ seconds: [Double]) {
        first = firsts.median
        second = seconds.median
        ratio = zip(firsts, seconds).map { $0 / $1 }.median
    }

    private static func seconds(of work: () throws -> Void) rethrows -> Double {
        try ContinuousClock().measure(work) / .seconds(1)
    }

    private static func seconds(
        of work: (Int) async throws -> Void,
        _ round: Int
    ) async rethrows -> Double {
        let start = ContinuousClock.now
        try await work(round)
        return (ContinuousClock.now - start) / .seconds(1)
    }
}

extension Array where Element == Double {
    /// The middle value; 0 for an empty list.
    var median: Double {
        isEmpty ? 0 : sorted()[count / 2]
    }
}
