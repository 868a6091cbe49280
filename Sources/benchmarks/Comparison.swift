/// Times two pieces of work in turn, so that a slow moment of the machine hits both.
struct Comparison {
    /// Seconds of the first piece, median.
    let first: Double
    /// Seconds of the second piece, median.
    let second: Double
    /// First by second, median of the rounds.
    let ratio: Double

    init(rounds: Int, first: () throws -> Void, second: () throws -> Void) rethrows {
        var firsts: [Double] = []
        var seconds: [Double] = []
        for _ in 0..<rounds {
            firsts.append(try Self.seconds(of: first))
            seconds.append(try Self.seconds(of: second))
        }
        self.first = firsts.median
        self.second = seconds.median
        ratio = zip(firsts, seconds).map { $0 / $1 }.median
    }

    private static func seconds(of work: () throws -> Void) rethrows -> Double {
        let duration = try ContinuousClock().measure(work)
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}

extension Array where Element == Double {
    /// The middle value; 0 if there is none.
    var median: Double {
        isEmpty ? 0 : sorted()[count / 2]
    }
}
