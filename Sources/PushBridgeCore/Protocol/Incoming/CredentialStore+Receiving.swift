public import Foundation

extension CredentialStore {
    /// Verifies a push with the credential it names and stores it, in a transaction of its own; see
    /// ``CredentialWriting/receive(_:id:receivedAt:)``.
    public func receive(_ push: UnverifiedPush, id: String, receivedAt: Date) throws -> PushNotification {
        try write { try $0.receive(push, id: id, receivedAt: receivedAt) }
    }
}
