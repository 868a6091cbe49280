import Foundation
public import PushBridgeClients
public import PushBridgeCore

/// An error of a storage.
public enum PushStorageError: Error, Sendable {
    /// Reading or writing failed.
    ///
    /// The underlying error is a `StoreError` or the error of the app's own storage.
    case storageFailure(String, (any Error)? = nil)
    /// A credential with this id, or with the same account and secret, is stored already.
    case duplicateCredential(String)
    /// A notification with this id is stored already.
    case duplicateNotification(String)
}

extension PushStorageError: DescribedError {
    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .storageFailure(let reason, _): "The storage failed: \(reason)"
        case .duplicateCredential(let id): "The credential \(id) is already stored."
        case .duplicateNotification(let id): "The notification \(id) is already stored."
        }
    }
}

extension PushStorageError: StorageFailure {
    /// Converts an error of a store into ``storageFailure(_:_:)``.
    /// - Parameter error: The error.
    public init(_ error: StoreError) {
        self = .storageFailure(error.reason, error)
    }
}

extension ClientErrors {
    /// The errors that this API throws.
    static let push = ClientErrors(closed: PushError.notInitialized) {
        PushStorageError($0)
    } foreign: { error in
        let isNamed = error is PushStorageError || error is PushError
        return isNamed ? nil : PushError.storageFailure(error.localizedDescription, error)
    }
}
