import Foundation
public import PushBridgeCore

/// Looks for one kind of sign that the device was tampered with.
public protocol JailbreakDetector {
    /// How certain the sign is: 0 is none, 1 is proof.
    ///
    /// Called on any thread.
    func analyze() -> Double
}

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

/// Finds files that only a tampered system lets an app see.
package struct SuspiciousFiles: JailbreakDetector {
    private let isVisible: @Sendable (String) -> Bool

    package init(
        isVisible: @escaping @Sendable (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
    ) {
        self.isVisible = isVisible
    }

    package func analyze() -> Double {
        Self.paths.contains(where: isVisible) ? 1 : 0
    }

    /// What package managers, shells and hooking tools leave behind.
    private static let paths = [
        "/Applications/Cydia.app",
        "/Applications/Sileo.app",
        "/Applications/Zebra.app",
        "/Library/MobileSubstrate/MobileSubstrate.dylib",
        "/bin/bash",
        "/etc/apt",
        "/private/var/lib/apt",
        "/usr/bin/sshd",
        "/usr/sbin/frida-server",
        "/usr/sbin/sshd",
        "/var/jb",
    ]
}

extension MfaPolicyEvaluator {
    /// What a client of any API evaluates unless told otherwise: the policies about which this device can tell.
    ///
    /// These are `biometricAvailable` where there is local authentication, and `deviceTampering` where something
    /// looks for signs of it. Others do not count, and the lock of one stays as it is stored.
    public static var standard: MfaPolicyEvaluator {
        var policies: [any MfaPolicy] = []
        if OwnerAuthentication.isKnown { policies.append(BiometricAvailablePolicy.ofDevice) }
        if TamperingScore.shared.isKnown { policies.append(DeviceTamperingPolicy.ofDevice) }
        return MfaPolicyEvaluator(policies: policies)
    }
}

extension BiometricAvailablePolicy {
    /// Asks this device.
    package static var ofDevice: BiometricAvailablePolicy {
        BiometricAvailablePolicy { OwnerAuthentication.current.isAvailable }
    }
}

extension DeviceTamperingPolicy {
    /// Asks this device.
    package static var ofDevice: DeviceTamperingPolicy {
        DeviceTamperingPolicy { TamperingScore.shared.current() }
    }
}
