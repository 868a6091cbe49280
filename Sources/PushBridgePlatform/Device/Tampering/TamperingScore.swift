import PushBridgeCore

/// Scores how likely the device was tampered with, in all APIs alike.
package final class TamperingScore: Sendable {
    /// The one of this process.
    package static let shared = TamperingScore(detectors: standardDetectors)

    private let held: Lock<[any JailbreakDetector]>

    package init(detectors: [any JailbreakDetector]) {
        held = Lock(detectors)
    }

    /// What is asked: on a device with iOS a search for files, elsewhere nothing, until an app sets its own.
    package var detectors: [any JailbreakDetector] {
        get { held.withValue { $0 } }
        set { held.withValue { $0 = newValue } }
    }

    /// Whether there is anyone who could tell.
    package var isKnown: Bool { held.withValue { !$0.isEmpty } }

    /// The highest score of all detectors, 0...1; -1 if there are none.
    package func current() -> Double {
        let scores = detectors.map { min(max($0.analyze(), 0), 1) }
        return scores.max() ?? -1
    }

    private static var standardDetectors: [any JailbreakDetector] {
        #if os(iOS) && !targetEnvironment(simulator) && !targetEnvironment(macCatalyst)
        [SuspiciousFiles()]
        #else
        []
        #endif
    }
}
