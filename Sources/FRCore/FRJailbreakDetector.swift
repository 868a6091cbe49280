public import Foundation
public import PushBridgePlatform

/// Scores the likelihood that the device has been tampered with.
///
/// The policy `deviceTampering` uses this score.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class FRJailbreakDetector: NSObject, Sendable {
    /// The detector of this process.
    public static let shared = FRJailbreakDetector(.shared)

    private let score: TamperingScore

    /// Creates a separate detector with the standard detectors.
    override public convenience init() {
        self.init(TamperingScore(detectors: TamperingSign.standard))
    }

    package convenience init(detectors: [any JailbreakDetector]) {
        self.init(TamperingScore(detectors: detectors))
    }

    private init(_ score: TamperingScore) {
        self.score = score
    }

    /// The detectors in use: by default, all detectors on an iOS device, and none elsewhere.
    public var detectors: [any JailbreakDetector] {
        get { score.detectors }
        set { score.detectors = newValue }
    }

    /// Returns the highest score of all detectors, from 0 to 1; -1 if there are no detectors.
    ///
    /// The score -1 violates no policy.
    public func analyze() -> Double { score.current() }
}
