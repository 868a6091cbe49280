public import PushBridgePlatform

// These detectors have the SDK's names. Each detector looks for one kind of trace on an iOS device. On other
// platforms, the detectors find nothing.

/// Looks for the package manager APT.
public final class AptDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.apt.analyze() }
}

/// Looks for the shell Bash.
public final class BashDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.bash.analyze() }
}

/// Looks for the app store Cydia.
public final class CydiaDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.cydia.analyze() }
}

/// Looks for the hooking platform Substrate.
public final class CydiaSubstrateDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.substrate.analyze() }
}

/// Looks for libraries of hooking tools in this process.
public final class DyldDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.libraries.analyze() }
}

/// Checks whether the app can write into the folder `/private`.
public final class PrivateFileWritableDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.privateFile.analyze() }
}

/// Checks whether the app can write into system folders.
public final class RestrictedDirectoriesWritableDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.restrictedFolders.analyze() }
}

/// Looks for an SSH server.
public final class SSHDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.ssh.analyze() }
}

/// Checks whether the app can read the superuser's folder, which the sandbox should hide.
public final class SandboxDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.sandbox.analyze() }
}

/// Checks whether the app can read files that the sandbox should hide.
public final class SandboxRestrictedFilesAccessable: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.restrictedFiles.analyze() }
}

/// Checks whether the app can read files that jailbreaks leave behind.
public final class SuspiciousFilesAccessibleDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.readableFiles.analyze() }
}

/// Looks for files that jailbreaks and hooking tools leave behind.
public final class SuspiciousFilesExistenceDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.files.analyze() }
}

/// Looks for classes of hooking tools in this process.
public final class SuspiciousObjCClassesDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.classes.analyze() }
}

/// Looks for system folders that have been moved.
public final class SymbolicLinkDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.links.analyze() }
}

/// Looks for the app stores Sileo and Zebra, and for the file manager Filza.
public final class URLSchemeDetector: JailbreakDetector, Sendable {
    /// Creates a detector that an app can add to ``FRJailbreakDetector/detectors``.
    public init() {}
    /// Returns 1 if the detector finds a sign of tampering, otherwise 0.
    public func analyze() -> Double { TamperingSign.schemes.analyze() }
}
