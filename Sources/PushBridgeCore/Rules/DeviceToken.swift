package import Foundation

extension CredentialWriting {
    /// Stores a device token as known to no server, unless it is stored already.
    /// - Parameters:
    ///   - tokenId: The token.
    ///   - environment: Which of Apple's services it is for; `nil` if that is not known.
    ///   - now: The time.
    ///   - resyncs: Whether servers that know the token are told again after a week.
    /// - Returns: The token that is stored.
    /// - Throws: What the store throws.
    package func replaceDeviceToken(
        _ tokenId: String,
        environment: PushEnvironment? = nil,
        at now: Date,
        resyncs: Bool = false
    ) throws -> PushDeviceToken {
        var token = PushDeviceToken(tokenId: tokenId, createdAt: now)
        let stored = try deviceToken()
        token.environment = environment
        if var stored, stored.isSameDevice(as: token), !stored.isElsewhere(than: environment) {
            var isNews = stored.learn(environment)
            if resyncs {
                let all = try ids(of: PushCredential.self, where: .all)
                isNews = stored.assumeConfirmations(of: all, at: now) || isNews
                isNews = stored.oweOldConfirmations(before: now) || isNews
            }
            if isNews { try save(stored) }
            return stored
        }
        token.unconfirmedCredentialIds = Set(try ids(of: PushCredential.self, where: .all))
        // What a server said to an old token tells of itself: that it takes none, or by which name it knows its user.
        token.setbacks = stored?.setbacks.filter { $0.reason == .unsupported } ?? []
        token.confirmations = stored?.confirmations ?? []
        try save(token)
        return token
    }

    /// Stores that the server of a credential accepted a device token.
    package func confirm(
        _ token: PushDeviceToken,
        for credential: PushCredential,
        at now: Date
    ) throws {
        guard var stored = try deviceToken(), stored.isSameDevice(as: token) else { return }
        stored.unconfirmedCredentialIds.remove(credential.id)
        stored.setbacks.removeAll { $0.about == credential.id || $0.about == credential.serverEndpoint }
        stored.confirmations.removeAll { $0.credentialId == credential.id }
        stored.confirmations.append(TokenConfirmation(credentialId: credential.id, date: now))
        try save(stored)
    }

    /// Stores that a server did not accept a device token.
    /// - Parameters:
    ///   - status: The status of its answer; `nil` if there was none.
    ///   - token: The token.
    ///   - credential: The credential that signed for it.
    ///   - now: The time.
    /// - Throws: What the store throws.
    package func noteSetback(
        status: Int?,
        of token: PushDeviceToken,
        for credential: PushCredential,
        at now: Date
    ) throws {
        guard var stored = try deviceToken(), stored.isSameDevice(as: token) else { return }
        // A credential without a user id goes by its account's name, which may be wrong until a server accepted it.
        let isKnown =
            credential.userId != nil
            || stored.confirmations.contains { $0.credentialId == credential.id && $0.isAssumed != true }
        let reason: TokenSetback.Reason =
            switch status {
            case 404, 405, 501: .unsupported
            // What else of 4xx there is comes from gateways, which know nothing of profiles.
            case 400: isKnown ? .replaced : .userUnknown
            default: .unreachable
            }
        let about = reason == .unsupported ? credential.serverEndpoint : credential.id
        let last = stored.setbacks.first { $0.about == about && $0.reason == reason }
        // What was learned meanwhile from another credential of the server counts once.
        if let last, last.retryAt > now { return }
        stored.setbacks.removeAll { $0.about == about }
        stored.setbacks.append(
            TokenSetback(about: about, reason: reason, count: (last?.count ?? 0) + 1, date: now)
        )
        stored.unconfirmedCredentialIds.insert(credential.id)
        try save(stored)
    }

    /// Stores the name under which a credential's server knows its user; the server is told the token again.
    /// - Returns: Whether there is such a credential.
    package func setUserId(_ userId: String, ofCredential id: String) throws -> Bool {
        guard var credential = try pushCredential(id: id) else { return false }
        credential.userId = userId
        try save(credential)
        guard var token = try deviceToken() else { return true }
        token.setbacks.removeAll { $0.about == id }
        token.unconfirmedCredentialIds.insert(id)
        try save(token)
        return true
    }

    /// Stores the user that a push named, unless the credential has one; a server that had refused for want of the name
    /// is asked again at once.
    package func learnUserId(_ userId: String, ofCredential id: String) throws {
        guard var credential = try pushCredential(id: id), credential.userId == nil else { return }
        credential.userId = userId
        try save(credential)
        guard var token = try deviceToken() else { return }
        guard token.setbacks.contains(where: { $0.about == id }) else { return }
        token.setbacks.removeAll { $0.about == id }
        token.unconfirmedCredentialIds.insert(id)
        try save(token)
    }
}

extension CredentialReading {
    /// The credentials whose servers are to be told a device token now, oldest first.
    ///
    /// A damaged one cannot sign for its token and is left out, and so is one whose server asks for patience.
    package func credentials(owed token: PushDeviceToken, at now: Date) throws -> [PushCredential] {
        guard !token.unconfirmedCredentialIds.isEmpty else { return [] }
        return try pushCredentials().filter { credential in
            token.unconfirmedCredentialIds.contains(credential.id)
                && token.setback(of: credential).map { $0.retryAt <= now } ?? true
        }
    }

    /// How far the device token came with the server of a credential.
    package func tokenState(of credential: PushCredential) throws -> TokenState {
        guard let token = try deviceToken() else { return .noToken }
        guard token.unconfirmedCredentialIds.contains(credential.id) else { return .known }
        return token.setback(of: credential)?.state ?? .owed
    }
}

extension PushDeviceToken {
    /// Forgets a credential.
    /// - Returns: Whether there was something to forget.
    mutating func forget(credential id: String) -> Bool {
        let known = (unconfirmedCredentialIds.count, setbacks.count, confirmations.count)
        unconfirmedCredentialIds.remove(id)
        setbacks.removeAll { $0.about == id }
        confirmations.removeAll { $0.credentialId == id }
        return known != (unconfirmedCredentialIds.count, setbacks.count, confirmations.count)
    }

    /// Whether the token was for another of Apple's services.
    fileprivate func isElsewhere(than other: PushEnvironment?) -> Bool {
        environment.flatMap { environment in other.map { $0 != environment } } ?? false
    }

    /// Notes which of Apple's services the token is for; returns whether that is news.
    fileprivate mutating func learn(_ environment: PushEnvironment?) -> Bool {
        guard self.environment == nil, environment != nil else { return false }
        self.environment = environment
        return true
    }

    /// What last kept a credential's server from knowing the token.
    fileprivate func setback(of credential: PushCredential) -> TokenSetback? {
        setbacks.filter { $0.about == credential.id || $0.about == credential.serverEndpoint }
            .max { $0.date < $1.date }
    }

    /// Takes servers that were told the token with a registration, or before a migration, for told six days ago.
    /// - Returns: Whether there are any.
    fileprivate mutating func assumeConfirmations(of credentialIds: [String], at now: Date) -> Bool {
        let known = unconfirmedCredentialIds.union(confirmations.map(\.credentialId))
        let new = credentialIds.filter { !known.contains($0) }
        let date = now.addingTimeInterval(-6 * 24 * 3600)
        confirmations += new.map { TokenConfirmation(credentialId: $0, date: date, isAssumed: true) }
        return !new.isEmpty
    }

    /// Owes the token again to the servers that were told a week ago.
    ///
    /// Each credential has its own hour of the last day, so that not all devices ask at once.
    /// - Returns: Whether there are any.
    fileprivate mutating func oweOldConfirmations(before now: Date) -> Bool {
        let old = confirmations.filter { confirmation in
            let hour = confirmation.credentialId.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 24
            return confirmation.date.addingTimeInterval(TimeInterval(7 * 24 - hour) * 3600) <= now
                && !unconfirmedCredentialIds.contains(confirmation.credentialId)
        }
        guard !old.isEmpty else { return false }
        unconfirmedCredentialIds.formUnion(old.map(\.credentialId))
        return true
    }
}
