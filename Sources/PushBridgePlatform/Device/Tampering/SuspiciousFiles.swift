import Foundation

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
