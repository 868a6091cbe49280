package import Foundation
package import PushBridgePlatform

/// Whether a backup of the device may contain a file.
package enum DeviceBackup: Sendable {
    /// It may: what the file holds is sealed with a key that lies elsewhere.
    case included
    /// It may not: the file is a key, or holds secrets in clear.
    case excluded
}

/// A phone's settings for a new file beyond its mode.
///
/// Every file can be read from the first unlock after a restart on, so that a push is stored while the phone is locked,
/// also in an app that chose complete protection for its files. Only phones know both; a Mac's backups are left to its
/// owner, because the person who migrates stores there needs the key in them.
package struct FileCare: Sendable {
    /// Has the file readable from the first unlock on.
    private let protect: @Sendable (URL) throws -> Void
    /// Keeps the file out of backups.
    private let exclude: @Sendable (URL) throws -> Void

    /// The care for new files in this process; tests have their own.
    package static let current = Lock(FileCare.system)

    package init(
        protect: @escaping @Sendable (URL) throws -> Void,
        exclude: @escaping @Sendable (URL) throws -> Void
    ) {
        self.protect = protect
        self.exclude = exclude
    }

    /// Cares for a file or folder that was made a moment ago, before anything is in it.
    ///
    /// Never for a database in use: the system may open and close the file, which drops SQLite's locks.
    /// - Throws: ``SystemFailure`` if the system refuses; not where a file system has nothing of the kind.
    package static func apply(to path: String, _ backup: DeviceBackup) throws(SystemFailure) {
        let (care, url) = (current.withValue { $0 }, URL(fileURLWithPath: path))
        do {
            try care.protect(url)
            if backup == .excluded { try care.exclude(url) }
        } catch {
            let failure = SystemFailure(error)
            guard [EINVAL, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(failure.code) else { throw failure }
        }
    }
}

extension FileCare {
    #if canImport(Security) && !os(macOS)
    package static let system = FileCare { url in
        let protection = FileProtectionType.completeUntilFirstUserAuthentication
        try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: url.path)
    } exclude: { url in
        var (url, values) = (url, URLResourceValues())
        values.isExcludedFromBackup = true
        try url.setResourceValues(values)
    }
    #else
    package static let system = FileCare { _ in
    } exclude: { _ in
    }
    #endif
}

extension SystemFailure {
    /// The system's own error below one of Foundation's.
    fileprivate init(_ error: any Error) {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        self.init(code: cause.domain == NSPOSIXErrorDomain ? Int32(cause.code) : EIO)
    }
}
