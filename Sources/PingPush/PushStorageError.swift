public import Foundation
import PushBridgeCore
import PushBridgeStore

/// Why a storage could not do what it was asked.
public enum PushStorageError: Error, Sendable {
    /// Reading or writing failed.
    case storageFailure(String, (any Error)?)
    /// A credential with this id, or for the same account and secret, is stored already.
    case duplicateCredential(String)
    /// A notification with this id is stored already.
    case duplicateNotification(String)
}

extension PushStorageError: LocalizedError {
    /// One sentence for a human.
    public var errorDescription: String? {
        switch self {
        case .storageFailure(let reason, _): "The storage failed: \(reason)"
        case .duplicateCredential(let id): "The credential \(id) is stored already."
        case .duplicateNotification(let id): "The notification \(id) is stored already."
        }
    }
}

extension PushStorageError: Equatable {
    /// Whether both are the same case and say the same; causes do not count.
    public static func == (one: PushStorageError, other: PushStorageError) -> Bool {
        one.errorDescription == other.errorDescription
    }
}

extension PushStorageError {
    init(_ error: StoreError) {
        self = .storageFailure(error.reason, error)
    }
}

extension ClientErrors {
    /// The names that this API gives errors.
    static let push = ClientErrors(closed: PushError.notInitialized) { PushStorageError($0) }
}

/// Opens or closes a storage and gives its errors the API's names.
func storing<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as StoreError {
        throw PushStorageError(error)
    }
}
