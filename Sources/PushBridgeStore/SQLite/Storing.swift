import Foundation
import GRDB
import PushBridgeCore
import PushBridgeFiles

/// Calls `body` and converts errors of SQLite or the system into a ``StoreError`` that names the operation.
func storing<Value>(
    _ operation: @autoclosure () -> String,
    _ body: () throws -> Value
) throws(StoreError) -> Value {
    do {
        return try body()
    } catch let error as StoreError {
        throw error
    } catch let error as DatabaseError {
        throw StoreError(error.storeCode, reason: "\(operation()) failed: \(error.sentence).")
    } catch let error as SystemFailure {
        throw StoreError(error.storeCode, reason: "\(operation()) failed: \(error.message).")
    } catch {
        throw StoreError(.failed, reason: "\(operation()) failed: \(error)")
    }
}

extension DatabaseError {
    fileprivate var storeCode: StoreError.Code {
        switch resultCode {
        case .SQLITE_FULL: .full
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: .notWritable
        case .SQLITE_IOERR where Self.writeFaults.contains(extendedResultCode): .notWritable
        case .SQLITE_NOTADB: .notAStore
        // All statements are fixed, so an error in one of them means that the schema was changed.
        case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_MISMATCH: .damaged
        // BUSY and LOCKED mean that another process is writing, AUTH means on iOS that the device has not
        // been unlocked yet, and INTERRUPT and ABORT mean that the app is suspended.
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_AUTH, .SQLITE_INTERRUPT, .SQLITE_ABORT: .locked
        default: .failed
        }
    }

    /// The codes of failed writes; SQLite may also return these codes for a full disk, instead of `SQLITE_FULL`.
    private static let writeFaults: [ResultCode] = [
        .SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_TRUNCATE,
        .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC,
    ]

    // The sentence leaves out the statement and its arguments, because the arguments contain people's names.
    fileprivate var sentence: String {
        switch resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: "another process is writing to the store; try again"
        case .SQLITE_INTERRUPT, .SQLITE_ABORT: "the app is suspended; try again when it is active"
        case .SQLITE_NOTADB: "it is not a database, or its first bytes are damaged"
        default: "\(message ?? resultCode.description) (SQLite \(extendedResultCode.rawValue))"
        }
    }
}

extension SystemFailure {
    fileprivate var storeCode: StoreError.Code {
        switch code {
        case ENOSPC, EDQUOT: .full
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP: .notWritable
        default: .failed
        }
    }
}

extension StoreError {
    /// Returns the error for a record that only a newer version can read; the record stays unchanged.
    static func newerForm(_ kind: RecordKind, _ record: String) -> StoreError {
        StoreError(
            .newerVersion,
            record: record,
            reason: "A newer version of PushBridge wrote this \(kind.noun)."
        )
    }
}
