import Foundation

/// The share in a sample, and bounds of the true share.
///
/// The bounds are one-sided Clopper-Pearson bounds (1934). Their confidence is at least the requested one, even if
/// few phones are in trouble. A normal approximation does not guarantee this.
public struct ShareBound: Equatable, Sendable {
    /// The number of counted items.
    public let count: Int
    /// The size of the sample.
    public let total: Int
    /// The lower bound of the share.
    public let lower: Double
    /// The upper bound of the share.
    public let upper: Double

    /// The share in the sample; 0 for an empty sample.
    public var share: Double { total == 0 ? 0 : Double(count) / Double(total) }

    /// Computes the bounds.
    /// - Parameters:
    ///   - count: The number of counted items; at most `total`.
    ///   - total: The size of the sample.
    ///   - risk: The probability that the lower bound is wrong, such as 0.01.
    ///   - upperRisk: The probability that the upper bound is wrong; by default `risk`.
    public init(_ count: Int, of total: Int, risk: Double, upperRisk: Double? = nil) {
        let count = min(max(count, 0), total)
        (self.count, self.total) = (count, total)
        let (x, n, upperRisk) = (Double(count), Double(total), upperRisk ?? risk)
        lower = count == 0 ? 0 : Self.root { Beta.regularized($0, x, n - x + 1) >= risk }
        upper =
            switch count {
            case total: 1
            // Most groups have no phone in trouble. For these groups, the upper bound has a closed form.
            case 0: -expm1(log(upperRisk) / n)
            default: Self.root { Beta.regularized($0, x + 1, n - x) >= 1 - upperRisk }
            }
    }

    /// Returns the smallest share for which a condition holds.
    ///
    /// The condition must also hold for all larger shares.
    private static func root(_ holds: (Double) -> Bool) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle }
        }
        return (low + high) / 2
    }
}

/// The regularised incomplete beta function, which gives the tail of the binomial distribution.
enum Beta {
    /// Returns the function's value at `x` for `a` and `b` above 0.
    ///
    /// The continued fraction of NIST's Digital Library of Mathematical Functions (8.17.22) is evaluated by Lentz's
    /// method.
    static func regularized(_ x: Double, _ a: Double, _ b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        // The continued fraction converges quickly only below this value, so above it, the complement is used.
        if x > (a + 1) / (a + b + 2) { return 1 - regularized(1 - x, b, a) }
        let front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
        let tiny = 1e-300
        var (c, d, value) = (1.0, 1 / notZero(1 - (a + b) * x / (a + 1), tiny), 0.0)
        value = d
        for step in 1...10_000 {
            let m = Double(step)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            d = 1 / notZero(1 + even * d, tiny)
            c = notZero(1 + even / c, tiny)
            value *= d * c
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 / notZero(1 + odd * d, tiny)
            c = notZero(1 + odd / c, tiny)
            value *= d * c
            if abs(d * c - 1) < 1e-12 { break }
        }
        return front * value
    }

    private static func notZero(_ value: Double, _ tiny: Double) -> Double {
        abs(value) < tiny ? tiny : value
    }
}
