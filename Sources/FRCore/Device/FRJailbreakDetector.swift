import AuthenticatorCore
public import Foundation

/// Scores how likely the device was tampered with; the policy `deviceTampering` asks it.
public final class FRJailbreakDetector: NSObject, Sendable {
    /// The detector of this process.
    public static let shared = FRJailbreakDetector(detectors: standardDetectors)

    private let held: Lock<[any JailbreakDetector]>

    package init(detectors: [any JailbreakDetector]) {
        held = Lock(detectors)
    }

    /// What is asked: on a device with iOS a search for files, elsewhere nothing, until an app sets its own.
    public var detectors: [any JailbreakDetector] {
        get { held.withValue { $0 } }
        set { held.withValue { $0 = newValue } }
    }

    /// The highest score of all detectors, 0...1; -1 if there are none, which violates no policy.
    public func analyze() -> Double {
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
