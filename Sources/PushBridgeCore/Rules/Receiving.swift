package import Foundation

/// A push that is stored.
package struct ReceivedPush: Sendable {
    package let notification: PushNotification
    /// Whether the push was stored for the first time.
    package let isNew: Bool

    package init(_ notification: PushNotification, isNew: Bool) {
        self.notification = notification
        self.isNew = isNew
    }
}

extension CredentialWriting {
    /// Verifies a push with the credential that the push names, and stores the push.
    ///
    /// If a push with the same message id is already stored, returns the stored push.
    ///
    /// The push is verified before anything is written. If the credential has no user id, or only a user id that
    /// the app set, the user id from the push is stored in the credential.
    ///
    /// - Throws: ``PushReceptionError`` if the push is refused, and the store's errors.
    package func receive(_ push: UnverifiedPush, id: String, receivedAt: Date) throws -> ReceivedPush {
        // The credential's account is not read: a push is stored even if the account is locked, or the device
        // violates a policy.
        let query = RecordQuery(id: push.claimedCredentialId)
        guard let credential = try first(PushCredential.self, where: query) else {
            throw PushReceptionError.unknownCredential
        }
        let verified = try push.verified(with: credential, receivedAt: receivedAt)
        var notification = verified.notification(id: id)
        if keepsLegacyKeys { notification.id = notification.legacyIdentifier }
        // If the server sent a date, the push has the same legacy key each time it arrives, so its notification is
        // found by this key.
        let usualId = keepsLegacyKeys && verified.isDated ? notification.id : nil
        if let known = try self.notification(messageId: verified.messageId, usualId: usualId) {
            guard known.credentialId == credential.id else { throw PushReceptionError.messageTaken }
            return ReceivedPush(known, isNew: false)
        }
        if credential.userId == nil || credential.isUserIdFromApp, let userId = verified.userId {
            try learnUserId(userId, ofCredential: credential.id)
        }
        try recordArrival(of: credential, namesUser: verified.userId != nil)
        try save(notification)
        return ReceivedPush(notification, isNew: true)
    }
}

extension CredentialStore {
    /// Verifies a push with the credential that the push names, and stores the push, in its own transaction.
    ///
    /// See ``CredentialWriting/receive(_:id:receivedAt:)``.
    package func receive(_ push: UnverifiedPush, id: String, receivedAt: Date) throws -> ReceivedPush {
        try write { try $0.receive(push, id: id, receivedAt: receivedAt) }
    }
}
