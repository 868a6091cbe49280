import Foundation
import GRDB

/// Says in our words what goes wrong while a database is read.
func querying<Value>(_ url: URL, _ body: () throws -> Value) throws(LegacyStoreError) -> Value {
    do {
        return try body()
    } catch let error as LegacyStoreError {
        throw error
    } catch  where error.isLock {
        throw .inUse(url)
    } catch {
        throw error.isDamage
            ? .notALegacyStore("\(url.lastPathComponent) is a damaged database: \(error.explanation).")
            : .unreadable("\(url.lastPathComponent) cannot be read: \(error.explanation).")
    }
}

/// Says in our words what goes wrong while a database is written.
func changing<Value>(_ url: URL, _ body: () throws -> Value) throws(LegacyStoreError) -> Value {
    do {
        return try body()
    } catch let error as LegacyStoreError {
        throw error
    } catch let error as FileFault {
        throw .notWritable(url, error)
    } catch  where error.isLock {
        throw .inUse(url)
    } catch {
        throw .notWritable("\(url.lastPathComponent) cannot be written: \(error.explanation).")
    }
}

extension Error {
    fileprivate var isLock: Bool {
        guard let error = self as? DatabaseError else { return false }
        return [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
    }

    fileprivate var isDamage: Bool {
        guard let error = self as? DatabaseError else { return false }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode)
    }

    // Of a database error the message alone: the rest may quote values.
    fileprivate var explanation: String {
        if self is PropertyListError { return "a part of it is damaged" }
        guard let error = self as? DatabaseError else { return "the system reports a failure" }
        switch error.resultCode {
        case .SQLITE_FULL: return FileFault(ENOSPC).explanation
        case .SQLITE_IOERR: return FileFault(EIO).explanation
        default:
            // SQLite may have forgotten by the time it is asked.
            guard let message = error.message, message != "not an error" else {
                return "SQLite reports error \(error.resultCode.rawValue)"
            }
            return message
        }
    }
}
