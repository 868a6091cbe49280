package import Foundation

/// Removes a credential's device profile from its server, in one or more requests.
///
/// The operation deletes the profile by its id, and the server responds with the deleted profile. If the id is unknown
/// or wrong, or if a successful response does not contain this profile, the operation looks up the id in the server's
/// list of the user's devices. If the list does not contain the device, the profile was already removed, provided that
/// the list is certainly this user's list and identifies each of its devices.
package struct ProfileRemoval: PushOperation {
    private let credential: PushCredential
    private let session: PushServerSession
    /// The address of the list of the user's devices; servers before AM 7.5 may use a different address.
    private var folder: String
    private let query: [Substring]
    /// Whether the absence of a device from the list proves that the device's profile was removed.
    ///
    /// The list of another user proves nothing. It may be the list of a user who logged in later, or the list
    /// that an administrator gets for a guessed name.
    private let isListOfUser: Bool
    private var deletedId: String?
    private var hasLooked = false

    /// Creates the removal of a credential's profile.
    /// - Throws: ``RemovalObstacle/noAddress`` if the registration's address does not show where the profiles are.
    package init(of credential: PushCredential, with session: PushServerSession) throws(RemovalObstacle) {
        let parts = credential.registrationEndpoint.split(separator: "?", maxSplits: 1)
        let service = "/push/sns/message"
        let owner = credential.userId ?? credential.accountName
        let user = session.userId ?? owner
        guard let address = parts.first, address.hasSuffix(service),
            let name = user.addingPercentEncoding(withAllowedCharacters: .inPathSegments)
        else { throw .noAddress }
        self.credential = credential
        let isKnown = session.userId != nil || credential.userId != nil && !credential.isUserIdFromApp
        isListOfUser = isKnown && user == owner
        self.session = session
        folder = "\(address.dropLast(service.count))/users/\(name)\(Self.place)"
        query = parts.dropFirst().flatMap { $0.split(separator: "&") }.filter { !$0.hasPrefix("_action=") }
    }

    private static let place = "/devices/2fa/push"
    private static let oldPlace = "/devices/push"

    /// Returns the first request.
    ///
    /// - Throws: ``RemovalObstacle`` if no request can be made.
    package mutating func firstRequest() throws(RemovalObstacle) -> PushRequest {
        guard let id = credential.deviceResourceId, !id.isEmpty else { return look() }
        return try delete(id)
    }

    /// Evaluates the server's response.
    /// - Returns: The next request; `nil` if the profile was removed.
    /// - Throws: The reason why the removal is not confirmed.
    package mutating func request(after response: PushResponse) throws(RemovalObstacle) -> PushRequest? {
        let isGood = 200..<300 ~= response.status
        let answer = JSONValue(json: response.body)
        if let deletedId {
            let names = [answer?["_id"], answer?["uuid"]]
            if isGood, names.contains(.string(deletedId)) { return nil }
            guard isGood || response.status == 404 else { throw .refused(status: response.status) }
            // The server has no profile with this id, or something else responded, for example a captive portal.
            guard !hasLooked else { throw isGood ? .unreachable : .refused(status: response.status) }
            return look()
        }
        if response.status == 404, folder.hasSuffix(Self.place) {
            folder = String(folder.dropLast(Self.place.count)) + Self.oldPlace
            return look()
        }
        guard isGood else { throw .refused(status: response.status) }
        guard let answer else { throw .unreachable }
        guard case .array(let profiles)? = answer["result"] else {
            throw .unknownProfile
        }
        if let own = profiles.first(where: { $0["deviceMechanismUID"] == .string(credential.id) }) {
            guard let id = (own["_id"] ?? own["uuid"])?.string else { throw .unknownProfile }
            return try delete(id)
        }
        guard isListOfUser, profiles.allSatisfy({ $0["deviceMechanismUID"] != nil }) else {
            throw .unknownProfile
        }
        return nil
    }

    private mutating func look() -> PushRequest {
        deletedId = nil
        hasLooked = true
        return request("GET", folder, query + ["_queryFilter=true"])
    }

    private mutating func delete(_ id: String) throws(RemovalObstacle) -> PushRequest {
        guard let name = id.addingPercentEncoding(withAllowedCharacters: .inPathSegments) else {
            throw .unknownProfile
        }
        deletedId = id
        return request("DELETE", "\(folder)/\(name)", query)
    }

    private func request(_ method: String, _ address: String, _ query: [Substring]) -> PushRequest {
        let url = query.isEmpty ? address : "\(address)?\(query.joined(separator: "&"))"
        let loadBalancer = credential.legacy?.registration?.loadBalancer
        return PushRequest(method, url: url, session: session.header, loadBalancer: loadBalancer)
    }
}

extension CharacterSet {
    /// The characters that a path component may contain unescaped; a slash would begin another component.
    fileprivate static let inPathSegments = CharacterSet.urlPathAllowed.subtracting(["/", ";"])
}

/// The credentials whose removal a caller requested, and the credentials with an earlier unconfirmed removal.
package typealias CredentialsToRemove = (requested: [PushCredential], earlier: [PushCredential])

extension CredentialReading {
    /// Returns the credentials with an unconfirmed removal.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func credentialsBeingRemoved() throws -> [PushCredential] {
        try pushCredentials().filter { $0.owedRemoval != nil }
    }
}

extension CredentialWriting {
    /// Marks a credential for removal, first from its server and then from the device.
    /// - Returns: The credential, and the credentials with an earlier unconfirmed removal; `nil` if the credential is
    ///   not stored.
    /// - Throws: The store's error if the store cannot be read or written.
    package func requestRemoval(ofCredential id: String, at now: Date) throws -> CredentialsToRemove? {
        guard let credential = try pushCredential(id: id) else { return nil }
        return try withEarlierRemovals([markForRemoval(credential, withAccountOf: nil, at: now)])
    }

    /// Marks an account for removal, first from the servers of its push credentials and then from the device.
    ///
    /// An account without push credentials can be removed at once.
    /// - Returns: The account's push credentials, and the credentials with an earlier unconfirmed removal.
    /// - Throws: The store's error if the store cannot be read or written.
    package func requestRemoval(ofAccount key: AccountKey, at now: Date) throws -> CredentialsToRemove {
        let oathIds = try ids(of: .oath, where: RecordQuery(owner: key.recordID))
        let credentials = try pushCredentials(account: key).map { credential in
            try markForRemoval(credential, withAccountOf: oathIds, at: now)
        }
        return try withEarlierRemovals(credentials)
    }

    private func withEarlierRemovals(_ credentials: [PushCredential]) throws -> CredentialsToRemove {
        let ids = Set(credentials.map(\.id))
        return (credentials, try credentialsBeingRemoved().filter { !ids.contains($0.id) })
    }

    /// Marks a credential for removal and, if `oathIds` is given, its account with these one-time-password credentials.
    private func markForRemoval(
        _ credential: PushCredential,
        withAccountOf oathIds: [String]?,
        at now: Date
    ) throws -> PushCredential {
        var credential = credential
        let known = credential.owedRemoval
        credential.owedRemoval = UnconfirmedRemoval(
            since: known?.since ?? now,
            isOfAccount: oathIds != nil || known?.isOfAccount == true,
            oathIds: oathIds ?? known?.oathIds
        )
        try save(credential, keepsOtherLocks: true)
        return credential
    }

    /// Stores the result of a removal from the server.
    ///
    /// If there is no obstacle, the credential is removed; otherwise the obstacle is stored. If the removal of the
    /// account was requested, the account is removed together with its last push credential. If a one-time-password
    /// credential was enrolled after the request, it stays with its account.
    ///
    /// - Throws: The store's error if the store cannot be read or written.
    package func settleRemoval(of credential: PushCredential, _ obstacle: RemovalObstacle?) throws {
        guard var stored = try pushCredential(id: credential.id) else { return }
        if let obstacle {
            // An app's own storage may have lost the removal; it then does not store the obstacle.
            guard stored.owedRemoval != nil else { return }
            stored.owedRemoval?.obstacle = obstacle
            return try save(stored, keepsOtherLocks: true)
        }
        // An app's own storage may have lost the removal. The caller's credential still contains it.
        guard let removal = stored.owedRemoval ?? credential.owedRemoval, removal.isOfAccount else {
            _ = try deletePushCredential(id: stored.id)
            return
        }
        try dismissPushCredential(id: stored.id)
        let key = stored.account.key
        let owned = RecordQuery(owner: key.recordID)
        guard try count(of: .push, where: owned) == 0 else { return }
        let removed = removal.oathIds ?? []
        guard try removal.oathIds == nil || ids(of: .oath, where: owned).allSatisfy(removed.contains) else {
            for id in removed { try dismiss(.oath, where: RecordQuery(id: id)) }
            return
        }
        _ = try removeAccount(key)
    }
}
