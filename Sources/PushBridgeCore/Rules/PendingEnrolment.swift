/// What a server registered and the store did not take: enough to store it later, by another process too.
package struct PendingEnrolment: Codable, Sendable {
    /// The push credential.
    package let push: PushCredential
    /// The one-time-password half of the code, if it has one.
    package let oath: OathCredential?
    /// The device token that the server was told.
    package let token: PushDeviceToken

    package init(push: PushCredential, oath: OathCredential?, token: PushDeviceToken) {
        self.push = push
        self.oath = oath
        self.token = token
    }

    /// The id of the push credential.
    package var id: String { push.id }

    /// Stores what the server registered, unless the account got another push credential meanwhile.
    ///
    /// - Throws: The store's errors.
    package func complete(in view: any CredentialWriting) throws {
        guard try view.pushCredentials(account: push.account.key).isEmpty else { return }
        _ = try view.enrol(push, registeredWith: token)
        if let oath { try view.enrolUnlessKnown(oath) }
    }
}

/// Where enrolments wait that no store took yet; it outlives the process.
package protocol PendingEnrolments: Sendable {
    /// Keeps an enrolment; it is durable when the call returns.
    ///
    /// - Throws: ``StoreError`` if it cannot be kept.
    func keep(_ enrolment: PendingEnrolment) throws

    /// The enrolments that wait; what cannot be read is left where it is.
    ///
    /// - Throws: ``StoreError`` if the place cannot be read.
    func waiting() throws -> [PendingEnrolment]

    /// Forgets an enrolment, because it is stored.
    ///
    /// - Throws: ``StoreError`` if it stays.
    func forget(_ id: String) throws
}
