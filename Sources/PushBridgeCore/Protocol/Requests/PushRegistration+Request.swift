extension PushRegistration {
    /// The request that registers the device under `mechanismUid`, the id of the credential to be.
    public func request(mechanismUid: String, device: DeviceDescription) -> PushRequest {
        var claims = device.claims(mechanismUid: mechanismUid)
        claims["response"] = .string(
            ChallengeResponse.compute(challenge: challenge, secret: sharedSecret)
        )
        let jwt = sharedSecret.signedToken(claims: JSONValue.object(claims).data)
        return PushRequest(
            .register,
            url: endpoints.registration,
            body: ["messageId": .string(messageId), "jwt": .string(jwt)],
            loadBalancer: loadBalancer
        )
    }
}
