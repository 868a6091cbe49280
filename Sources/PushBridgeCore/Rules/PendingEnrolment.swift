/// An enrolment that the server accepted, but that the store failed to save.
///
/// Another process can complete the enrolment.
package struct PendingEnrolment: Codable, Sendable {
    /// The push credential.
    package let push: PushCredential
    /// The one-time-password credential of the code; `nil` if the code contains none, or if the user removed it.
    package var oath: OathCredential? { oathWithSecret?.credential }
    /// The one-time-password credential in the form that contains its secret.
    private var oathWithSecret: OathCredential.WithSecret?
    /// The device token that was sent to the server.
    package let token: PushDeviceToken
    /// The name of the storage that failed to save the enrolment; see ``RecordStore/storageName()``.
    ///
    /// `nil` before the enrolment is stored as pending.
    package var storage: String?
    /// The ids of the push credentials that the storage contained during the enrolment.
    ///
    /// `nil` if the storage is not an app's own, or could not be read.
    package var neighbours: [String]?
    /// Whether the account may have other push credentials, as in the async API.
    private var isBesideOthers: Bool?
    /// Whether the user removed the push credential; the one-time-password credential is then still pending.
    private var isPushRemoved: Bool?

    package init(push: PushCredential, oath: OathCredential?, token: PushDeviceToken) {
        self.push = push
        oathWithSecret = oath.map(OathCredential.WithSecret.init)
        self.token = token
    }

    private enum CodingKeys: String, CodingKey {
        case push, token, storage, neighbours, isBesideOthers, isPushRemoved
        case oathWithSecret = "oath"
    }

    /// Returns whether the enrolment belongs to a storage; the storage may be used through either API.
    ///
    /// In the callback API, an app can provide only one storage, so the storage's name does not contain its type.
    /// Therefore, an enrolment of an app's own storage in one API also belongs to the app's own storages in the other
    /// API.
    package func belongs(to name: String) -> Bool {
        guard let storage, storage != name else { return true }
        let names = [storage, name]
        return names.contains(StorageName.own) && names.allSatisfy { $0.hasPrefix(StorageName.own) }
    }

    /// The enrolment for the async API, in which an account may have several push credentials.
    package var besideOthers: Self {
        var enrolment = self
        enrolment.isBesideOthers = true
        return enrolment
    }

    /// The id of the push credential.
    package var id: String { push.id }

    /// The records that the user removes.
    package enum Removal: Sendable {
        /// An account with all its credentials.
        case account(AccountKey)
        /// One credential.
        case credential(id: String)
    }

    /// Returns whether a removal includes a credential of the enrolment.
    package func isConcerned(by removal: Removal) -> Bool {
        switch removal {
        case .account(let key): push.account.key == key
        case .credential(let id): (push.id == id && isPushRemoved != true) || oath?.id == id
        }
    }

    /// Returns the enrolment without the credentials that a removal includes; `nil` if no credential is left.
    package func without(_ removal: Removal) -> Self? {
        guard case .credential(let id) = removal else { return isConcerned(by: removal) ? nil : self }
        var rest = self
        if push.id == id { rest.isPushRemoved = true }
        if oath?.id == id { rest.oathWithSecret = nil }
        return rest.isPushRemoved == true && rest.oathWithSecret == nil ? nil : rest
    }

    /// Stores the credentials as ``complete(in:)`` does, but in a different process from the one that
    /// enrolled them.
    ///
    /// If an app provides several storages, they can have the same name. So if the ``neighbours`` are known, the
    /// storage has to contain one of them or, if there are none, no push credential. A storage that already contains
    /// the enrolment's push credential is accepted too. Two empty storages with the same name cannot be distinguished.
    /// - Throws: ``OtherStorage``, and the store's errors.
    package func resume(in view: any CredentialWriting) throws {
        if let neighbours, storage?.hasPrefix(StorageName.own) == true {
            let ids = try Set(view.ids(of: .push, where: .all))
            let isSame = neighbours.isEmpty ? ids.isEmpty : !ids.isDisjoint(with: neighbours)
            guard isSame || ids.contains(id) else { throw OtherStorage() }
        }
        try complete(in: view)
    }

    /// The error if the enrolment belongs to another storage with the same name.
    package struct OtherStorage: Error {}

    /// Stores each of the credentials, unless the user removed it, or the account already has a credential
    /// with the same secret.
    ///
    /// In the callback API, and in the legacy items, an account has one credential of each kind. So if the
    /// account already has a credential of a kind, the enrolment's credential of this kind is not stored.
    /// - Throws: The store's errors.
    package func complete(in view: any CredentialWriting) throws {
        let isOnly = isBesideOthers != true || view.keepsLegacyKeys
        let stored = try view.pushCredentials(account: push.account.key)
        // Both credentials are stored in one transaction. So if the push credential is stored, an earlier attempt has
        // stored both.
        guard !stored.contains(where: { $0.id == push.id }) else { return }
        let isSuperseded = stored.contains { isOnly || $0.sharedSecret == push.sharedSecret }
        if isPushRemoved != true, !isSuperseded, try !view.isBuried(.push, id: push.id) {
            _ = try view.enrol(push, registeredWith: token)
        }
        let oath = try oathWithPlace(in: view, isOnly: isOnly)
        if let oath { try view.enrolUnlessKnown(oath) }
    }

    /// Returns the one-time-password credential; `nil` if there is none or the user removed it.
    ///
    /// If `isOnly` is `true`, the result is also `nil` if the account already has a credential of the same kind.
    private func oathWithPlace(in view: any CredentialReading, isOnly: Bool) throws -> OathCredential? {
        guard let oath, try !view.isBuried(.oath, id: oath.id) else { return nil }
        guard isOnly else { return oath }
        let key = oath.account.key
        let others = try view.oathCredentials(account: key)
        guard !others.contains(where: { $0.oathType == oath.oathType }) else { return nil }
        // In the legacy items, a mechanism of this kind that cannot be converted to a credential also prevents the
        // enrolment.
        let kind: LegacyRecordKind = oath.oathType == .totp ? .totp : .hotp
        let kept = try view.fetch(
            LedgerEntry.self,
            where: RecordQuery(owner: key.recordID, openOnly: true)
        )
        return kept.contains { $0.kind == kind } ? nil : oath
    }
}

/// Durable storage for enrolments that the store failed to save.
package protocol PendingEnrolments: Sendable {
    /// Stores an enrolment; the enrolment is durable when the call returns.
    ///
    /// - Throws: ``StoreError`` if the enrolment cannot be stored.
    func keep(_ enrolment: PendingEnrolment) throws

    /// Returns the pending enrolments; skips unreadable enrolments, which stay stored.
    ///
    /// - Throws: ``StoreError`` if the storage cannot be read.
    func waiting() throws -> [PendingEnrolment]

    /// Returns an enrolment as it is stored now, without the credentials that the user has removed.
    ///
    /// If the stored enrolment is unreadable, the result is `enrolment` itself.
    /// - Returns: `nil` if the enrolment is no longer pending.
    /// - Throws: ``StoreError`` if the storage cannot be read.
    func current(_ enrolment: PendingEnrolment) throws -> PendingEnrolment?

    /// Removes an enrolment after its credentials were saved, or because the user removed them.
    ///
    /// - Throws: ``StoreError`` if the enrolment cannot be removed.
    func forget(_ id: String) throws
}
