extension PushCredential {
    /// The request that tells the server the device's present token.
    public func refreshRequest(device: DeviceDescription) -> PushRequest {
        let claims = JSONValue.object(device.claims(mechanismUid: id))
        var body: [String: JSONValue] = [
            "mechanismUid": .string(id),
            "jwt": .string(sharedSecret.signedToken(claims: claims.data)),
        ]
        body["username"] = userId.map(JSONValue.string)
        return PushRequest(
            .refresh,
            url: updateEndpoint,
            body: .object(body),
            loadBalancer: legacy?.registration?.loadBalancer
        )
    }

    /// The request that answers a push of this credential; the answer must suit the push's type.
    ///
    /// Does not look at whether the push is pending: ``CredentialStore/claimAnswer(_:to:claim:now:)`` does.
    public func answerRequest(
        _ answer: PushAnswer,
        to notification: PushNotification
    ) throws(PushAnswerError) -> PushRequest {
        guard notification.credentialId == id else { throw .credentialNotFound }
        guard answer.suits(notification.pushType) else { throw .wrongKind(notification.pushType) }
        guard
            let response = ChallengeResponse.compute(
                base64Challenge: notification.challenge,
                secret: sharedSecret
            )
        else { throw .invalidChallenge }
        var claims = answer.claims
        claims["response"] = .string(response)
        let jwt = sharedSecret.signedToken(claims: JSONValue.object(claims).data)
        return PushRequest(
            .authenticate,
            url: authenticationEndpoint,
            body: ["messageId": .string(notification.messageId), "jwt": .string(jwt)],
            loadBalancer: notification.loadBalancer
        )
    }
}

extension PushAnswer {
    /// The claims beside the response.
    ///
    /// `deny` is absent unless it is true: some nodes take any value of it for a denial.
    fileprivate var claims: [String: JSONValue] {
        switch self {
        case .approve, .approveBiometric: [:]
        case .approveChallenge(let number): ["challengeResponse": .string(number)]
        case .deny: ["deny": true]
        }
    }
}
