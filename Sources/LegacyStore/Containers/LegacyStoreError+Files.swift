import Foundation

extension LegacyStoreError {
    static func unreadable(_ url: URL, _ fault: FileFault) -> LegacyStoreError {
        .unreadable("\(url.lastPathComponent) cannot be read: \(fault.explanation).")
    }

    static func notWritable(_ url: URL, _ fault: FileFault) -> LegacyStoreError {
        fault.number == EEXIST
            ? .notWritable("\(url.lastPathComponent) exists already.")
            : .notWritable("\(url.lastPathComponent) cannot be written: \(fault.explanation).")
    }

    static func unreadable(_ reason: String) -> LegacyStoreError {
        .init(.unreadable, reason: reason)
    }

    static func notALegacyStore(_ reason: String) -> LegacyStoreError {
        .init(.notALegacyStore, reason: reason)
    }

    /// What a store is called after everything was removed from it, or if there never was anything.
    static func holdsNothing(_ url: URL) -> LegacyStoreError {
        .notALegacyStore("\(url.lastPathComponent) holds no legacy records (any more).")
    }

    static func notWritable(_ reason: String) -> LegacyStoreError {
        .init(.notWritable, reason: reason)
    }

    static func inUse(_ url: URL) -> LegacyStoreError {
        let reason = "\(url.lastPathComponent) is in use by another program; try again later."
        return .init(.locked, reason: reason)
    }

    static func changed(_ reason: String) -> LegacyStoreError {
        .init(.changed, reason: reason)
    }

    static func changedRecord(_ url: URL) -> LegacyStoreError {
        .changed("A record of \(url.lastPathComponent) is not what it was when it was read.")
    }

    static func goneRecords(_ url: URL) -> LegacyStoreError {
        .changed("\(url.lastPathComponent) does not hold all of the records that are to be removed.")
    }
}
