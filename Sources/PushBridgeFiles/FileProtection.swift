package import Foundation
package import PushBridgePlatform

/// Whether a backup of the device may contain a file.
package enum DeviceBackup: Sendable {
    /// The backup may contain the file, because its contents are sealed with a key that is stored elsewhere.
    case included
    /// The backup must not contain the file, for example a key or a file with secrets in plain text.
    case excluded
}

/// The settings that a phone applies to a new file, in addition to the file's mode.
///
/// Every file can be read as soon as the phone has been unlocked once after a restart, so that a push can be
/// stored while the phone is locked. This also applies to an app that uses complete protection for its files.
/// On a Mac, there are no settings, because people who migrate stores on a Mac need the keys in their backups.
package struct FileProtection: Sendable {
    /// Makes the file readable after the first unlock.
    private let protect: @Sendable (URL) throws -> Void
    /// Excludes the file from backups.
    private let exclude: @Sendable (URL) throws -> Void

    /// The settings for new files in this process; tests replace them.
    package static let current = Lock(FileProtection.system)

    package init(
        protect: @escaping @Sendable (URL) throws -> Void,
        exclude: @escaping @Sendable (URL) throws -> Void
    ) {
        self.protect = protect
        self.exclude = exclude
    }

    /// Applies the settings to an empty file or folder.
    ///
    /// This method must not be called for a database in use: the system may open and close the file, which
    /// releases SQLite's locks.
    /// - Throws: ``SystemFailure`` if the system fails, except if the file system does not support the settings.
    package static func apply(to path: String, _ backup: DeviceBackup) throws(SystemFailure) {
        let (protection, url) = (current.withValue { $0 }, URL(fileURLWithPath: path))
        do {
            try protection.protect(url)
            if backup == .excluded { try protection.exclude(url) }
        } catch {
            let failure = SystemFailure(error)
            guard [EINVAL, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(failure.code) else { throw failure }
        }
    }
}

extension FileProtection {
    #if canImport(Security) && !os(macOS)
    package static let system = FileProtection { url in
        let protection = FileProtectionType.completeUntilFirstUserAuthentication
        try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: url.path)
    } exclude: { url in
        var (url, values) = (url, URLResourceValues())
        values.isExcludedFromBackup = true
        try url.setResourceValues(values)
    }
    #else
    package static let system = FileProtection { _ in
    } exclude: { _ in
    }
    #endif
}

extension SystemFailure {
    /// Creates the failure from the POSIX error that an error of Foundation contains, or else with the code `EIO`.
    fileprivate init(_ error: any Error) {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        self.init(code: cause.domain == NSPOSIXErrorDomain ? Int32(cause.code) : EIO)
    }
}
