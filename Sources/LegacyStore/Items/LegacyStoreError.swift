package import Foundation
package import PushBridgeFiles

/// Why a legacy store as a whole cannot be read or changed.
public struct LegacyStoreError: Error, Equatable, Sendable {
    /// The possible remedy.
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

    /// The possible remedy.
    public let code: Code
    /// One sentence for a human; never holds a secret.
    public let reason: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: One sentence for people, without a secret.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension LegacyStoreError {
    package static func notWritable(_ url: URL, _ failure: SystemFailure) -> LegacyStoreError {
        let name = url.relativePath
        return switch failure.code {
        case EEXIST: .notWritable("\(name) exists already.")
        case EWOULDBLOCK: .init(.locked, reason: "\(name) is being written by another run.")
        default: .notWritable("\(name) cannot be written: \(failure.explanation).")
        }
    }

    package static func notWritable(_ reason: String) -> LegacyStoreError {
        .init(.notWritable, reason: reason)
    }

    package static func changed(_ reason: String) -> LegacyStoreError {
        .init(.changed, reason: reason)
    }

    static func changedRecord(of store: String) -> LegacyStoreError {
        .changed("A record of \(store) is not what it was when it was read.")
    }
}

/// Converts errors of writing a file.
///
/// - Throws: ``LegacyStoreError`` with the code `notWritable`.
@discardableResult
package func writing<Value>(_ url: URL, _ body: () throws -> Value) throws(LegacyStoreError) -> Value {
    do {
        return try body()
    } catch let error as LegacyStoreError {
        throw error
    } catch let error as SystemFailure {
        throw .notWritable(url, error)
    } catch {
        throw .notWritable("\(url.relativePath) cannot be written: the system reports a failure.")
    }
}
