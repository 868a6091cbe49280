package import Foundation

/// A push that is stored.
package struct ReceivedPush: Sendable {
    package let notification: PushNotification
    /// Whether its message id was not known.
    package let isNew: Bool

    package init(_ notification: PushNotification, isNew: Bool) {
        self.notification = notification
        self.isNew = isNew
    }
}

extension CredentialWriting {
    /// Verifies a push with the credential it names and stores it; a repeated message id returns what is stored.
    ///
    /// Verifies before anything is written. Fills in the credential's user id if the server did not send it.
    /// Throws ``PushReceptionError`` for a push that is refused, and the store's errors.
    package func receive(_ push: UnverifiedPush, id: String, receivedAt: Date) throws -> ReceivedPush {
        // Its account is not read: a lock or a policy keeps no push out.
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
    /// Verifies a push with the credential it names and stores it, in its own transaction; see
    /// ``CredentialWriting/receive(_:id:receivedAt:)``.
    package func receive(_ push: UnverifiedPush, id: String, receivedAt: Date) throws -> ReceivedPush {
        try write { try $0.receive(push, id: id, receivedAt: receivedAt) }
    }
}
