import Foundation
import GRDB
import PushBridgeCore
import PushBridgeStore

/// Why a legacy store as a whole cannot be read or changed.
public struct LegacyStoreError: Error, Equatable, Sendable {
    /// What can be done about it.
    public enum Code: Sendable {
        /// There is nothing at that place, or it may not be read.
        case unreadable
        /// It can be read and is not a legacy store.
        case notALegacyStore
        /// The device was not unlocked yet, or another program is using the store; try again later.
        case locked
        /// The store changed since it was read; read it again.
        case changed
        /// The store, or a file beside it, cannot be written.
        case notWritable
    }

    /// What can be done about it.
    public let code: Code
    /// One sentence for a human; never holds a secret.
    public let reason: String

    /// Creates an error.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension LegacyStoreError {
    static func unreadable(_ url: URL, _ failure: SystemFailure) -> LegacyStoreError {
        .unreadable("\(url.relativePath) cannot be read: \(failure.explanation).")
    }

    static func notWritable(_ url: URL, _ failure: SystemFailure) -> LegacyStoreError {
        let name = url.relativePath
        return switch failure.code {
        case EEXIST: .notWritable("\(name) exists already.")
        case EWOULDBLOCK: .init(.locked, reason: "\(name) is being written by another run.")
        default: .notWritable("\(name) cannot be written: \(failure.explanation).")
        }
    }

    static func unreadable(_ reason: String) -> LegacyStoreError {
        .init(.unreadable, reason: reason)
    }

    static func notALegacyStore(_ reason: String) -> LegacyStoreError {
        .init(.notALegacyStore, reason: reason)
    }

    /// What a store is called after everything was removed from it, or if there never was anything.
    static func holdsNothing(_ url: URL) -> LegacyStoreError {
        .notALegacyStore("\(url.relativePath) holds no legacy records (any more).")
    }

    static func notWritable(_ reason: String) -> LegacyStoreError {
        .init(.notWritable, reason: reason)
    }

    static func inUse(_ url: URL) -> LegacyStoreError {
        let reason = "\(url.relativePath) is in use by another program; try again later."
        return .init(.locked, reason: reason)
    }

    static func changed(_ reason: String) -> LegacyStoreError {
        .init(.changed, reason: reason)
    }

    static func changedRecord(of store: String) -> LegacyStoreError {
        .changed("A record of \(store) is not what it was when it was read.")
    }
}

/// Says in our words what goes wrong while a store is read.
func reading<Value>(_ url: URL, _ body: () throws -> Value) throws(LegacyStoreError) -> Value {
    do {
        return try body()
    } catch let error as LegacyStoreError {
        throw error
    } catch let error as SystemFailure {
        throw .unreadable(url, error)
    } catch let error as StoreError {
        throw error.code == .locked
            ? .inUse(url) : .changed("\(url.relativePath) was changed while it was read.")
    } catch  where error.isLock {
        throw .inUse(url)
    } catch {
        throw error.isDamage
            ? .notALegacyStore("\(url.relativePath) is a damaged database: \(error.explanation).")
            : .unreadable("\(url.relativePath) cannot be read: \(error.explanation).")
    }
}

/// Says in our words what goes wrong while a store is written.
@discardableResult
func writing<Value>(_ url: URL, _ body: () throws -> Value) throws(LegacyStoreError) -> Value {
    do {
        return try body()
    } catch let error as LegacyStoreError {
        throw error
    } catch let error as SystemFailure {
        throw .notWritable(url, error)
    } catch  where error.isLock {
        throw .inUse(url)
    } catch {
        throw .notWritable("\(url.relativePath) cannot be written: \(error.explanation).")
    }
}

extension Error {
    fileprivate var isLock: Bool {
        guard let error = self as? DatabaseError else { return false }
        return [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
    }

    fileprivate var isDamage: Bool {
        guard let error = self as? DatabaseError else { return false }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_TOOBIG].contains(error.resultCode)
    }

    // Of a database error the message alone: the rest may quote values.
    fileprivate var explanation: String {
        if self is PropertyListError { return "a part of it is damaged" }
        guard let error = self as? DatabaseError else { return "the system reports a failure" }
        switch error.resultCode {
        case .SQLITE_FULL: return SystemFailure(code: ENOSPC).explanation
        case .SQLITE_IOERR: return SystemFailure(code: EIO).explanation
        default:
            // SQLite may have forgotten by the time it is asked.
            guard let message = error.message, message != "not an error" else {
                return "SQLite reports error \(error.resultCode.rawValue)"
            }
            return message
        }
    }
}
