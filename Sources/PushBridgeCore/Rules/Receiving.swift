package import Foundation

/// A push that is stored.
package struct ReceivedPush: Sendable {
    package let notification: PushNotification
    /// Whether the push had not been stored before.
    package let isNew: Bool

    package init(_ notification: PushNotification, isNew: Bool) {
        self.notification = notification
        self.isNew = isNew
    }
}

extension CredentialWriting {
    /// Verifies a push with the credential that it names, and stores it.
    ///
    /// For a repeated message id, returns the stored push.
    ///
    /// Verifies the push before anything is written. Adds the user's id to the credential if it has none. Throws
    /// ``PushReceptionError`` for a push that is refused, and the store's errors.
    package func receive(_ push: UnverifiedPush, id: String, receivedAt: Date) throws -> ReceivedPush {
        // The credential's account is not read: a push is stored even if a lock or policy applies.
        let query = RecordQuery(id: push.claimedCredentialId)
        guard let credential = try first(PushCredential.self, where: query) else {
            throw PushReceptionError.unknownCredential
        }
        let verified = try push.verified(with: credential, receivedAt: receivedAt)
        var notification = verified.notification(id: id)
        if keepsLegacyKeys { notification.id = notification.legacyIdentifier }
        // A push with the server's date has the same legacy key each time that it arrives.
        let usualId = keepsLegacyKeys && verified.isDated ? notification.id : nil
        if let known = try self.notification(messageId: verified.messageId, usualId: usualId) {
            guard known.credentialId == credential.id else { throw PushReceptionError.messageTaken }
            return ReceivedPush(known, isNew: false)
        }
        if credential.userId == nil || credential.isUserIdFromApp, let userId = verified.userId {
            try learnUserId(userId, ofCredential: credential.id)
        }
        try noteArrival(of: credential, namesUser: verified.userId != nil)
        try save(notification)
        return ReceivedPush(notification, isNew: true)
    }
}

extension CredentialStore {
    /// Verifies a push with the credential that it names, and stores it, in its own transaction.
    ///
    /// See ``CredentialWriting/receive(_:id:receivedAt:)``.
    package func receive(_ push: UnverifiedPush, id: String, receivedAt: Date) throws -> ReceivedPush {
        try write { try $0.receive(push, id: id, receivedAt: receivedAt) }
    }
}
