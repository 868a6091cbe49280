import Foundation
package import PushBridgeCore

#if canImport(MachO)
import MachO
#endif

/// Detects one kind of sign that the device was tampered with.
public protocol JailbreakDetector: AnyObject, NonisolatedConformance {
    /// Returns how certain the sign is: 0 means no sign, and 1 means proof.
    ///
    /// The method is called on any thread.
    /// - Returns: A number from 0 to 1.
    func analyze() -> Double
}

/// Uses detectors to determine how likely it is that the device was tampered with.
package final class TamperingScore: Sendable {
    /// The score that all clients of this process share.
    package static let shared = TamperingScore(detectors: TamperingSign.standard)

    private let held: Lock<[any JailbreakDetector]>

    package init(detectors: [any JailbreakDetector]) {
        held = Lock(detectors)
    }

    /// The detectors; by default, one for each ``TamperingSign`` on an iOS device, and none elsewhere.
    package var detectors: [any JailbreakDetector] {
        get { held.withValue { $0 } }
        set { held.withValue { $0 = newValue } }
    }

    /// Whether there are any detectors.
    package var isKnown: Bool { held.withValue { !$0.isEmpty } }

    /// Returns the highest score of all detectors, 0...1; -1 if there are no detectors.
    package func current() -> Double {
        let scores = detectors.map { min(max($0.analyze(), 0), 1) }
        return scores.max() ?? -1
    }
}

/// Detects one ``TamperingSign``.
private final class SignDetector: JailbreakDetector {
    private let sign: TamperingSign

    init(_ sign: TamperingSign) { self.sign = sign }

    func analyze() -> Double { sign.analyze() }
}

/// A kind of sign that the device was tampered with.
package enum TamperingSign: CaseIterable {
    case apt, bash, cydia, substrate, libraries, privateFile, restrictedFolders, ssh, sandbox, restrictedFiles
    case readableFiles, files, classes, links, schemes

    /// The detectors of all signs on an iOS device; empty elsewhere, where no signs are known.
    package static var standard: [any JailbreakDetector] { isDevice ? allCases.map(SignDetector.init) : [] }

    /// Returns 1 if the sign is found and this is an iOS device, not a simulator; otherwise 0.
    package func analyze() -> Double { Self.isDevice ? analyze(\.isFound) : 0 }

    /// Returns 1 if one of the traces is found, otherwise 0.
    package func analyze(_ isFound: (Trace) -> Bool) -> Double { traces.contains(where: isFound) ? 1 : 0 }

    private static var isDevice: Bool {
        #if os(iOS) && !targetEnvironment(simulator) && !targetEnvironment(macCatalyst)
        true
        #else
        false
        #endif
    }

    /// The traces by which the sign is recognised; one trace is enough.
    private var traces: [Trace] {
        switch self {
        case .apt: ["/etc/apt", "/private/var/lib/apt"].map(Trace.file)
        case .bash: [.file("/bin/bash"), .file("/usr/bin/bash")]
        case .cydia: [.file("/Applications/Cydia.app"), .file("/private/var/lib/cydia")]
        case .substrate: [.file("/Library/MobileSubstrate/MobileSubstrate.dylib")]
        case .libraries:
            ["MobileSubstrate", "SubstrateLoader", "libhooker", "FridaGadget"].map(Trace.library)
        case .privateFile: [.writable("/private")]
        case .restrictedFolders: ["/", "/root", "/jb"].map(Trace.writable)
        case .ssh: [.file("/usr/bin/sshd"), .file("/usr/sbin/sshd"), .file("/etc/ssh/sshd_config")]
        case .sandbox: [.readable("/private/var/root")]
        case .restrictedFiles: [.readable("/private/etc/master.passwd"), .readable("/private/var/db/sudo")]
        case .readableFiles: ["/.installed_unc0ver", "/.bootstrapped_electra", "/var/jb"].map(Trace.readable)
        case .files: ["/usr/sbin/frida-server", "/usr/libexec/cydia", "/var/jb"].map(Trace.file)
        case .classes: ["ShadowRuleset", "SubstrateHook"].map(Trace.objectiveCClass)
        case .links: ["/Applications", "/Library/Ringtones", "/usr/share"].map(Trace.link)
        // `UIApplication.canOpenURL` may be called only on the main thread, so this sign looks for the apps that
        // register the URL schemes.
        case .schemes: ["Sileo", "Zebra", "Filza"].map { .file("/Applications/\($0).app") }
        }
    }

    /// A trace that an app finds only on a tampered system.
    package enum Trace: Hashable {
        case file(String), readable(String), writable(String), link(String)
        case library(String), objectiveCClass(String)

        fileprivate var isFound: Bool {
            let files = FileManager.default
            switch self {
            case .file(let path): return files.fileExists(atPath: path)
            case .readable(let path): return files.isReadableFile(atPath: path)
            case .writable(let path): return files.isWritableFile(atPath: path)
            case .link(let path): return URL(fileURLWithPath: path).resolvingSymlinksInPath().path != path
            case .library(let name): return Self.libraries.contains { $0.contains(name) }
            case .objectiveCClass(let name): return NSClassFromString(name) != nil
            }
        }

        private static var libraries: [String] {
            #if canImport(MachO)
            (0..<_dyld_image_count()).compactMap { _dyld_get_image_name($0).map { String(cString: $0) } }
            #else
            []
            #endif
        }
    }
}

extension AccountPolicies {
    /// The default policies of the clients of both APIs: the policies that this device can evaluate.
    ///
    /// These are `biometricAvailable` if the platform has local authentication, and `deviceTampering` if
    /// there are detectors for tampering. Other policies are ignored, and their stored locks stay.
    package static var standard: AccountPolicies {
        var policies: [any AccountPolicy] = []
        if OwnerAuthentication.isKnown { policies.append(BiometricAvailablePolicy.ofDevice) }
        if TamperingScore.shared.isKnown { policies.append(DeviceTamperingPolicy.ofDevice) }
        return AccountPolicies(policies: policies)
    }
}

extension BiometricAvailablePolicy {
    /// The policy that checks this device.
    package static var ofDevice: BiometricAvailablePolicy {
        BiometricAvailablePolicy { OwnerAuthentication.current.isAvailable }
    }
}

extension DeviceTamperingPolicy {
    /// The policy that checks this device, with the threshold 1 for servers that send no threshold.
    package static var ofDevice: DeviceTamperingPolicy { ofDevice(standardThreshold: 1) }

    /// Returns the policy that checks this device, with the threshold for servers that send no threshold.
    package static func ofDevice(standardThreshold: Double) -> DeviceTamperingPolicy {
        DeviceTamperingPolicy(standardThreshold: standardThreshold) { TamperingScore.shared.current() }
    }
}
