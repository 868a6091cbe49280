public import Foundation

extension CredentialStore {
    /// Verifies a push with the credential it names and stores it; a repeated message id returns what is stored.
    ///
    /// Verification comes before anything is written. Fills in the credential's user id if it has none. Throws
    /// ``PushReceptionError`` for a push that is refused, and the store's errors.
    public func receive(_ push: UnverifiedPush, id: String, receivedAt: Date) throws -> PushNotification {
        let verified = try read { view throws in
            guard let credential = try view.pushCredential(id: push.claimedCredentialId) else {
                throw PushReceptionError.unknownCredential
            }
            return try push.verified(with: credential, receivedAt: receivedAt)
        }
        return try write { view throws in try view.store(verified, id: id) }
    }
}

extension CredentialWriting {
    fileprivate func store(_ push: VerifiedPush, id: String) throws -> PushNotification {
        // The credential may have been removed since the push was verified with it.
        guard let credential = try pushCredential(id: push.credentialId) else {
            throw PushReceptionError.unknownCredential
        }
        if let known = try notification(messageId: push.messageId) {
            guard known.credentialId == push.credentialId else { throw PushReceptionError.messageTaken }
            return known
        }
        if let filled = push.fillingUserId(in: credential) { try save(filled) }
        let notification = push.notification(id: id)
        try save(notification)
        return notification
    }
}
