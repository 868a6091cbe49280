import Foundation
import GRDB
import LegacyStore
import PushBridgeCore
import PushBridgeFiles

/// Calls `body`, and converts its errors into errors that report an unreadable store.
func reading<Value>(_ url: URL, _ body: () throws -> Value) throws(LegacyStoreError) -> Value {
    let name = url.relativePath
    do {
        return try body()
    } catch let error as LegacyStoreError {
        throw error
    } catch let error as SystemFailure {
        throw .unreadable("\(name) cannot be read: \(error.explanation).")
    } catch let error as StoreError {
        throw error.code == .locked ? .inUse(url) : .changed("\(name) was changed while it was read.")
    } catch let error as DatabaseError {
        if error.isLock { throw .inUse(url) }
        throw error.isDamage
            ? .notALegacyStore("\(name) is a damaged database: \(error.explanation).")
            : .unreadable("\(name) cannot be read: \(error.explanation).")
    } catch {
        throw .unreadable("\(name) cannot be read: the system reports a failure.")
    }
}

/// Calls `body`, and converts its errors into errors that report an unwritable database.
@discardableResult
func writingDatabase<Value>(_ url: URL, _ body: () throws -> Value) throws(LegacyStoreError) -> Value {
    try writing(url) {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw error.isLock
                ? LegacyStoreError.inUse(url)
                : .notWritable("\(url.relativePath) cannot be written: \(error.explanation).")
        }
    }
}

extension LegacyStoreError {
    static func unreadable(_ reason: String) -> LegacyStoreError {
        .init(.unreadable, reason: reason)
    }

    static func notALegacyStore(_ reason: String) -> LegacyStoreError {
        .init(.notALegacyStore, reason: reason)
    }

    /// The error for a store that is empty, perhaps because all records were removed from it.
    static func holdsNothing(_ url: URL) -> LegacyStoreError {
        .notALegacyStore("\(url.relativePath) contains no legacy records.")
    }

    /// The error for a database that contains no records, but whose log is missing.
    ///
    /// The log of a database contains its latest changes.
    static func lacksLog(_ url: URL) -> LegacyStoreError {
        let name = url.relativePath
        let log = CompanionFile.log.url(of: url.resolvingSymlinksInPath()).lastPathComponent
        return .notALegacyStore(
            "\(name) contains no records without its log \(log), which is missing: copy that file too."
        )
    }

    static func inUse(_ url: URL) -> LegacyStoreError {
        let reason = "\(url.relativePath) is in use by another program; try again later."
        return .init(.locked, reason: reason)
    }
}

extension DatabaseError {
    fileprivate var isLock: Bool { [.SQLITE_BUSY, .SQLITE_LOCKED].contains(resultCode) }

    fileprivate var isDamage: Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_TOOBIG].contains(resultCode)
    }

    /// The message of the error, without its other parts, because these may quote values.
    fileprivate var explanation: String {
        switch resultCode {
        case .SQLITE_FULL: return SystemFailure(code: ENOSPC).explanation
        case .SQLITE_IOERR: return SystemFailure(code: EIO).explanation
        default:
            // SQLite may discard the error before the message is read.
            guard let message, message != "not an error" else {
                return "SQLite reports error \(resultCode.rawValue)"
            }
            return message
        }
    }
}

extension FurtherServices {
    /// Returns the end of a sentence about items that look like items of the SDKs but belong to services that
    /// are not read.
    static func sentence(_ counts: [String: Int]) -> String {
        let options = counts.keys.sorted().map { "--service \($0)" }.joined(separator: " ")
        return
            "contains \(counts.values.reduce(0, +)) items that look like the SDK's under other services;"
            + " `\(options)` reads them."
    }
}
