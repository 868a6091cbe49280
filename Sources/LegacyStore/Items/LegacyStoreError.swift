package import Foundation
package import PushBridgeFiles

/// The error that is thrown if a legacy store as a whole cannot be read or changed.
public struct LegacyStoreError: Error, Equatable, Sendable {
    /// The code of the error; it determines the possible remedy.
    public enum Code: Sendable {
        /// The store does not exist or cannot be read.
        case unreadable
        /// The file can be read but is not a legacy store.
        case notALegacyStore
        /// The device has not been unlocked yet, or another program is using the store; try again later.
        case locked
        /// The store has changed since it was read; read it again.
        case changed
        /// The store, or a file beside it, cannot be written.
        case notWritable
    }

    /// The code of the error; it determines the possible remedy.
    public let code: Code
    /// An explanation for people, in one sentence without secrets.
    public let reason: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: An explanation for people, in one sentence without secrets.
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
        .changed("A record of \(store) has changed since it was read.")
    }
}

/// Calls `body`, and converts its errors into the errors of a file that cannot be written.
///
/// - Throws: ``LegacyStoreError`` with the code `notWritable`, or `locked` if another run is writing the
///   file.
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
