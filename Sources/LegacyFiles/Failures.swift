import Foundation
import GRDB
import LegacyStore
import PushBridgeCore
import PushBridgeFiles

/// Calls `body`, which reads a file, and converts its errors into a ``LegacyStoreError``.
func reading<Value>(_ url: URL, _ body: () throws -> Value) throws(LegacyStoreError) -> Value {
    let name = url.relativePath
    do {
        return try body()
    } catch let error as LegacyStoreError {
        throw error
    } catch let error as SystemFailure {
        // Swift replaced the invalid bytes of the name, so no file has the changed name.
        let isNotUTF8 = error.code == ENOENT && name.contains("\u{FFFD}")
        let reason =
            isNotUTF8
            ? "its name is not valid UTF-8 (\u{FFFD} marks the invalid bytes); rename the file"
            : error.explanation
        throw .unreadable("\(name) cannot be read: \(reason).")
    } catch let error as StoreError {
        throw error.code == .locked ? .inUse(url) : .changed("\(name) was changed while it was being read.")
    } catch let error as DatabaseError {
        if error.isLock { throw .inUse(url) }
        throw error.isDamage
            ? .notALegacyStore("\(name) is a damaged database: \(error.explanation).")
            : .unreadable("\(name) cannot be read: \(error.explanation).")
    } catch {
        throw .unreadable("\(name) cannot be read: the system reports a failure.")
    }
}

/// Calls `body`, which writes a database, and converts its errors into a ``LegacyStoreError``.
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

    /// Returns the error for a store that contains no records of the SDKs, perhaps because all were removed.
    static func holdsNothing(_ url: URL) -> LegacyStoreError {
        .notALegacyStore("\(url.relativePath) contains no legacy records.")
    }

    /// Returns the error for a database that contains no records and whose log is missing.
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

    /// The message of the error; the other parts of the error are left out, because they may quote values.
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

extension FurtherServices.Findings {
    /// The text after the file's name in a message about items that look like the SDKs' but are not read; `nil` if
    /// there are no such items.
    var sentence: String? {
        let sentences = [itemSentence, encryptedSentence, deletedSentence].compactMap(\.self)
        return sentences.isEmpty ? nil : sentences.joined(separator: " It also ")
    }

    private var itemSentence: String? {
        guard !items.isEmpty else { return nil }
        let count = items.values.reduce(0, +)
        let (noun, pronoun) = count == 1 ? ("item that looks", "it") : ("items that look", "them")
        let names = Set(modules.filter { items[$0.key] != nil }.values.joined()).sorted()
        let options = Self.options(of: items) + (names.count == 1 ? " --module \(names[0])" : "")
        let rest =
            names.count > 1
            ? " Add `--module NAME` as well; the archives contain classes of the modules \(names.joined(separator: ", "))."
            : ""
        return
            "contains \(count) \(noun) like the SDK's, in services that are not read; to read \(pronoun), add `\(options)`.\(rest)"
    }

    private var encryptedSentence: String? {
        guard !encryptedItems.isEmpty else { return nil }
        let count = encryptedItems.values.reduce(0, +)
        let noun = count == 1 ? "encrypted item with a name" : "encrypted items with names"
        return
            "contains \(count) \(noun) like the SDK's, in services that are not read; add `\(Self.options(of: encryptedItems))` and"
            + " `--source-key`, or export them with the app, because the app has the key."
    }

    private var deletedSentence: String? {
        deletedWords.map { "contains \($0), which \($0.hasPrefix("1 ") ? "is" : "are") not read." }
    }

    /// A phrase with the number of deleted items in services that are not read; `nil` if there are none.
    var deletedWords: String? {
        guard !deletedItems.isEmpty else { return nil }
        let count = deletedItems.values.reduce(0, +)
        let noun =
            count == 1
            ? "deleted item in another service that looks like an item of the SDK"
            : "deleted items in other services that look like items of the SDK"
        return "\(count) \(noun)"
    }

    /// A phrase with the number of encrypted items that may belong to any program; `nil` if there are none.
    var otherWords: String? {
        guard !otherEncryptedItems.isEmpty else { return nil }
        let count = otherEncryptedItems.values.reduce(0, +)
        let noun = count == 1 ? "item with an encrypted value" : "items with encrypted values"
        return "\(count) \(noun) under other services"
    }

    private static func options(of counts: [String: Int]) -> String {
        counts.keys.sorted().map { "--service \($0)" }.joined(separator: " ")
    }
}
