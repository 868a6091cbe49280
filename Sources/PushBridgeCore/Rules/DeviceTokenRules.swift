package import Foundation

extension CredentialWriting {
    /// Stores a device token as one that no server has received, unless the token is already stored.
    ///
    /// A token from a different APNs environment counts as a new token.
    ///
    /// - Parameters:
    ///   - tokenId: The token.
    ///   - environment: The APNs environment that issued the token; `nil` if it is unknown.
    ///   - now: The time.
    ///   - resyncs: Whether servers that have the token receive it again after a week.
    /// - Returns: The token that is stored.
    /// - Throws: The store's errors.
    package func replaceDeviceToken(
        _ tokenId: String,
        environment: APNsEnvironment? = nil,
        at now: Date,
        resyncs: Bool = false
    ) throws -> PushDeviceToken {
        var token = PushDeviceToken(tokenId: tokenId, createdAt: now)
        let stored = try deviceToken()
        token.environment = environment
        if var stored, stored.isSameDevice(as: token), !stored.isElsewhere(than: environment) {
            var isChanged = stored.setEnvironment(environment)
            if resyncs {
                let all = try ids(of: .push, where: .all)
                isChanged = stored.assumeConfirmations(of: all, at: now) || isChanged
                isChanged = stored.renewOldConfirmations(before: now) || isChanged
            }
            if isChanged { try save(stored) }
            return stored
        }
        token.unconfirmedCredentialIds = Set(try ids(of: .push, where: .all))
        // Results that also apply to the new token are kept: that the server accepts no tokens, that it has no
        // profile of the device, or that it has confirmed the user's name.
        token.setbacks = stored?.setbacks.compactMap(\.forNextToken) ?? []
        token.confirmations = stored?.confirmations ?? []
        try save(token)
        return token
    }

    /// Stores the results of sending a device token to servers, unless a different token is stored now.
    ///
    /// - Throws: The store's error if the store cannot be read or written.
    package func recordAnswers(_ answers: [TokenAnswer], to token: PushDeviceToken, at now: Date) throws {
        guard !answers.isEmpty, var stored = try deviceToken(), stored.isSameDevice(as: token) else { return }
        var (setbacks, confirmations) = (stored.setbacksByCause, stored.confirmationsById)
        for answer in answers {
            let credential = answer.credential
            if answer.failure == nil {
                stored.unconfirmedCredentialIds.remove(credential.id)
                for cause in credential.causes { setbacks[cause] = nil }
                confirmations[credential.id] = TokenConfirmation(credentialId: credential.id, date: now)
            } else {
                stored.unconfirmedCredentialIds.insert(credential.id)
                // A 400 concerns one user: a server that accepts no tokens responds with 405 or 501. So the server
                // is no longer marked as unsupported.
                if answer.refusal == 400 { setbacks[credential.serverEndpoint] = nil }
                let setback = setback(answer, after: setbacks, confirmations[credential.id], at: now)
                setbacks[setback.about] = setback
            }
        }
        stored.setbacks = setbacks.values.sorted { $0.about < $1.about }
        stored.confirmations = confirmations.values.sorted { $0.credentialId < $1.credentialId }
        try save(stored)
    }

    private func setback(
        _ answer: TokenAnswer,
        after setbacks: [String: TokenSetback],
        _ confirmation: TokenConfirmation?,
        at now: Date
    ) -> TokenSetback {
        let credential = answer.credential
        // A user's name that comes from the account or from the app is a guess until the server has sent or accepted
        // it.
        let isUserKnown =
            confirmation.map { $0.isAssumed != true } == true
            || credential.userId != nil && !credential.isUserIdFromApp
        let reason: TokenSetback.Reason =
            switch answer.refusal {
            case 405?, 501?: .unsupported
            case 400?: isUserKnown ? .refused : .userUnknown
            // Other failures show nothing about the profile: gateways, for example, send other 4xx codes.
            default: .unreachable
            }
        let about = reason == .unsupported ? credential.serverEndpoint : credential.id
        var count = 1
        if let last = setbacks[about], last.reason == reason {
            // If the server rejects the token again for the same reason during the waiting time, the count stays the
            // same. For a server that accepts no tokens, this includes rejections for its other credentials.
            if last.isRecent(at: now) {
                var last = last
                last.isOfEarlierToken = nil
                return last
            }
            count += last.count
        }
        return TokenSetback(about: about, reason: reason, count: count, date: now)
    }

    /// Stores the user's name in a credential, as the app sets it.
    ///
    /// The token then has to be sent to the server again; if the server has already sent the same name, this applies
    /// only after a failed attempt.
    /// - Returns: Whether the credential is stored.
    /// - Throws: The store's error if the store cannot be read or written.
    package func setUserId(_ userId: String, ofCredential id: String) throws -> Bool {
        guard let credential = try pushCredential(id: id) else { return false }
        let isFromApp = userId != credential.userId || credential.isUserIdFromApp
        try setUserId(userId, of: credential, isFromApp: isFromApp)
        return true
    }

    /// Stores the user's name from a push, unless the server has already sent a name.
    ///
    /// If the last attempt to send the token for this credential failed, the token can be sent again immediately,
    /// unless the server accepts no tokens.
    ///
    /// - Throws: The store's error if the store cannot be read or written.
    package func learnUserId(_ userId: String, ofCredential id: String) throws {
        guard let credential = try pushCredential(id: id),
            credential.userId == nil || credential.isUserIdFromApp
        else { return }
        try setUserId(userId, of: credential, isFromApp: false)
    }

    /// Removes each ``TokenSetback`` of a credential if the arrival of a push shows that the setback no
    /// longer applies.
    ///
    /// A push proves that the device's profile exists. If the push contains the user's name, the server is
    /// AM 8.0.1 or later, which accepts tokens.
    ///
    /// - Throws: The store's error if the store cannot be read or written.
    package func recordArrival(of credential: PushCredential, namesUser: Bool) throws {
        guard var token = try deviceToken() else { return }
        let left = token.setbacks.filter { setback in
            switch setback.reason {
            case .refused: setback.about != credential.id
            case .unsupported: !namesUser || setback.about != credential.serverEndpoint
            case .unreachable, .userUnknown: true
            }
        }
        guard left.count < token.setbacks.count else { return }
        token.setbacks = left
        try save(token)
    }

    private func setUserId(_ userId: String, of known: PushCredential, isFromApp: Bool) throws {
        var credential = known
        credential.userId = userId
        credential.isUserIdFromApp = isFromApp
        try save(credential, keepsOtherLocks: true)
        guard var token = try deviceToken(), isFromApp || token.setbacksByCause[credential.id] != nil else {
            return
        }
        // If the server has accepted the token under the old name, this proves nothing about the new name.
        if userId != known.userId { token.confirmations.removeAll { $0.credentialId == credential.id } }
        token.setbacks.removeAll { $0.about == credential.id }
        token.unconfirmedCredentialIds.insert(credential.id)
        try save(token)
    }
}

extension CredentialReading {
    /// Returns the credentials whose servers have to receive a device token now.
    ///
    /// Leaves out damaged credentials, because they cannot sign. Also leaves out credentials whose next retry
    /// is not due yet.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func credentials(lacking token: PushDeviceToken, at now: Date) throws -> [PushCredential] {
        guard !token.unconfirmedCredentialIds.isEmpty else { return [] }
        let setbacks = token.setbacksByCause
        return try pushCredentials().filter { credential in
            token.unconfirmedCredentialIds.contains(credential.id)
                && credential.setback(in: setbacks)?.isTooEarlyForRetry(at: now) != true
        }
    }

    /// Returns the state of the device token at the server of a credential.
    ///
    /// - Throws: The store's error if the store cannot be read.
    package func tokenState(of credential: PushCredential) throws -> DeviceTokenState {
        TokenStates(try deviceToken())[credential]
    }
}

/// The states of a device token at the servers of several credentials.
package struct TokenStates {
    private let token: PushDeviceToken?
    private let setbacks: [String: TokenSetback]

    /// Creates the states of the device token; pass `nil` if the device has no token.
    package init(_ token: PushDeviceToken?) {
        self.token = token
        setbacks = token?.setbacksByCause ?? [:]
    }

    /// The state of the device token at the server of a credential.
    package subscript(credential: PushCredential) -> DeviceTokenState {
        guard let token else { return .noToken }
        guard token.unconfirmedCredentialIds.contains(credential.id) else { return .known }
        return credential.setback(in: setbacks)?.state ?? .owed
    }
}

extension PushCredential {
    /// The values of ``TokenSetback/about`` that concern the credential.
    fileprivate var causes: [String] { [id, serverEndpoint] }

    /// Returns the setback with the latest retry date; `nil` if no setback concerns the credential.
    fileprivate func setback(in setbacks: [String: TokenSetback]) -> TokenSetback? {
        causes.compactMap { setbacks[$0] }.max { $0.retryAt < $1.retryAt }
    }
}

extension TokenSetback {
    /// The setback for the device's next token; `nil` if this setback concerned only the old token.
    fileprivate var forNextToken: TokenSetback? {
        var setback = self
        switch reason {
        case .unsupported: break
        case .refused: setback.isOfEarlierToken = true
        case .unreachable, .userUnknown: return nil
        }
        return setback
    }
}

extension PushDeviceToken {
    /// Removes all data about a credential.
    /// - Returns: Whether the token contained data about the credential.
    mutating func forget(credential id: String) -> Bool {
        let known = (unconfirmedCredentialIds.count, setbacks.count, confirmations.count)
        unconfirmedCredentialIds.remove(id)
        setbacks.removeAll { $0.about == id }
        confirmations.removeAll { $0.credentialId == id }
        return known != (unconfirmedCredentialIds.count, setbacks.count, confirmations.count)
    }

    /// Returns whether the token is from an environment other than `other`; `false` if one of them is unknown.
    fileprivate func isElsewhere(than other: APNsEnvironment?) -> Bool {
        environment.flatMap { environment in other.map { $0 != environment } } ?? false
    }

    /// Sets the APNs environment of the token, unless it is already known; returns whether it was set.
    fileprivate mutating func setEnvironment(_ environment: APNsEnvironment?) -> Bool {
        guard self.environment == nil, environment != nil else { return false }
        self.environment = environment
        return true
    }

    fileprivate var setbacksByCause: [String: TokenSetback] {
        Dictionary(setbacks.map { ($0.about, $0) }) { $1 }
    }

    fileprivate var confirmationsById: [String: TokenConfirmation] {
        Dictionary(confirmations.map { ($0.credentialId, $0) }) { $1 }
    }

    /// Treats a token that servers received at registration, or before a migration, as if it had been sent
    /// six days ago.
    /// - Returns: Whether this applies to any server.
    fileprivate mutating func assumeConfirmations(of credentialIds: [String], at now: Date) -> Bool {
        let known = unconfirmedCredentialIds.union(confirmations.map(\.credentialId))
        let new = credentialIds.filter { !known.contains($0) }
        let date = now.addingTimeInterval(-6 * 24 * 3600)
        confirmations += new.map { TokenConfirmation(credentialId: $0, date: date, isAssumed: true) }
        return !new.isEmpty
    }

    /// Marks the token to be sent again to the servers that received it a week ago.
    ///
    /// The credential's id determines the hour on the last day of the week, so that not all devices send requests at
    /// the same time.
    /// - Returns: Whether any server has to receive the token again.
    fileprivate mutating func renewOldConfirmations(before now: Date) -> Bool {
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
