import Crypto
import Foundation

/// A condition, besides the gate's answer, of a roll-out's step.
///
/// Where one does not hold, the answer counts as ``MigrationGate/Answer/wait``, and the gate is not asked.
public struct MigrationCondition: Sendable {
    let holds: @Sendable (MigrationGate.Step, _ draw: UInt64) async -> Bool

    /// A condition of the app's.
    /// - Parameter holds: Whether the step may be taken now; called on no particular thread. What takes longer than ten
    ///   seconds does not hold.
    public init(_ holds: @escaping @Sendable (MigrationGate.Step) async -> Bool) {
        self.init(timeout: .seconds(10), holds)
    }

    init(timeout: Duration, _ holds: @escaping @Sendable (MigrationGate.Step) async -> Bool) {
        self.holds = { step, _ in
            let asking = Task { await holds(step) }
            defer { asking.cancel() }
            return await asking.value(within: timeout) ?? false
        }
    }

    private init(drawing holds: @escaping @Sendable (UInt64) -> Bool) {
        self.holds = { _, draw in holds(draw) }
    }

    /// A share of the phones, the same ones each time: a larger share has those of a smaller one.
    ///
    /// Decided by a hash over a random number that each phone draws once, keeps, and never puts into an event.
    /// - Parameters:
    ///   - share: The share, from 0 to 1.
    ///   - rollout: A name of the roll-out: another name chooses other phones.
    /// - Returns: The condition.
    public static func share(_ share: Double, of rollout: String = "") -> MigrationCondition {
        MigrationCondition(drawing: { place(of: $0, in: rollout) < share })
    }

    /// Only while the phone has external power or is on Wi-Fi.
    /// - Parameter isSo: Tells whether it has or is; asked each time.
    /// - Returns: The condition.
    public static func onPowerOrWiFi(_ isSo: @escaping @Sendable () async -> Bool) -> MigrationCondition {
        MigrationCondition { _ in await isSo() }
    }

    /// Not in an extension of the app, which the system gives little time and memory.
    public static let notInExtension = MigrationCondition(bundle: Bundle.main.bundleURL)

    init(bundle: URL) {
        let isExtension = bundle.isExtension
        self.init { _ in !isExtension }
    }

    /// Where a number falls between 0 and 1, 1 excluded, evenly.
    static func place(of draw: UInt64, in rollout: String) -> Double {
        let digest = SHA256.hash(data: Data("\(draw) \(rollout)".utf8))
        let first = digest.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(first) / Double(UInt64(1) << 48)
    }
}

extension URL {
    /// Whether a bundle is that of an extension.
    var isExtension: Bool { pathExtension == "appex" }
}
