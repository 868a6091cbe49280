import Crypto
import Foundation

/// A condition that must hold before the gate is queried for a step of a roll-out.
///
/// If a condition does not hold, the answer is ``MigrationGate/Answer/wait``, and the gate is not queried.
public struct MigrationCondition: Sendable {
    let holds: @Sendable (MigrationGate.Step, _ draw: UInt64) async -> Bool

    /// Creates a condition that the app evaluates.
    /// - Parameter holds: Returns whether the step may run now; called on any thread. If the call takes
    ///   longer than ten seconds, the condition does not hold.
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

    /// A condition that holds on a share of the phones.
    ///
    /// A larger share includes all phones of a smaller share.
    ///
    /// A hash over a random number decides whether the condition holds. Each phone draws the number once,
    /// stores it, and never puts it into an event.
    /// - Parameters:
    ///   - share: The share, from 0 to 1.
    ///   - rollout: The name of the roll-out; a different name selects different phones.
    /// - Returns: The condition.
    public static func share(_ share: Double, of rollout: String = "") -> MigrationCondition {
        MigrationCondition(drawing: { place(of: $0, in: rollout) < share })
    }

    /// A condition that holds while the phone has external power or is on Wi-Fi.
    /// - Parameter condition: Returns whether the phone has power or Wi-Fi; called each time the condition is
    ///   evaluated.
    /// - Returns: The condition.
    public static func onPowerOrWiFi(_ condition: @escaping @Sendable () async -> Bool) -> MigrationCondition
    {
        MigrationCondition { _ in await condition() }
    }

    /// A condition that does not hold in an extension of the app, because the system gives extensions little time and
    /// memory.
    public static let notInExtension = MigrationCondition(bundle: Bundle.main.bundleURL)

    init(bundle: URL) {
        let isExtension = bundle.isExtension
        self.init { _ in !isExtension }
    }

    /// Returns a phone's place in a roll-out, at least 0 and less than 1; the places of phones are evenly distributed.
    static func place(of draw: UInt64, in rollout: String) -> Double {
        let digest = SHA256.hash(data: Data("\(draw) \(rollout)".utf8))
        let first = digest.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Double(first) / Double(UInt64(1) << 48)
    }
}

extension URL {
    /// Whether the URL is the URL of an extension's bundle.
    var isExtension: Bool { pathExtension == "appex" }
}
