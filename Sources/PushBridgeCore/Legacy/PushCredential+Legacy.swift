extension PushCredential {
    /// Converts a legacy push mechanism.
    ///
    /// The secret is recoded to standard base64, the endpoints stay verbatim. `account` lends its display
    /// names, policies and lock; a mechanism without one converts as well.
    public init(
        mechanism: LegacyMechanism,
        parameters: LegacyPushParameters,
        account: LegacyAccount?
    ) throws(ConversionError) {
        guard let secret = mechanism.secret.withUTF8({ SharedSecret(base64: $0) }) else {
            throw .damaged("The secret is not base64.")
        }
        guard
            let endpoints = PushEndpoints(
                registration: parameters.registrationEndpoint,
                authentication: parameters.authenticationEndpoint
            )
        else { throw .damaged("An endpoint is not a URL with a host.") }
        self.init(
            id: mechanism.mechanismUUID,
            account: account?.profile ?? mechanism.bareProfile,
            endpoints: endpoints,
            sharedSecret: secret,
            createdAt: mechanism.timeAdded
        )
        userId = mechanism.uid
        deviceResourceId = mechanism.resourceId
        legacy = LegacyDetails(
            version: mechanism.version,
            accountAddedAt: account?.timeAdded,
            secretSpelling: mechanism.secret.unless(spelled: secret.base64Spelling),
            registration: parameters.knowsServerOnly ? nil : parameters.registration
        )
    }

    /// The credential as the legacy SDK would store it; the inverse of the conversion.
    public var legacyMechanism: LegacyMechanism {
        var mechanism = LegacyMechanism(
            mechanismUUID: id,
            account: account.key,
            secret: legacy?.secretSpelling ?? sharedSecret.base64Spelling,
            timeAdded: createdAt,
            factor: .push(
                LegacyPushParameters(
                    registrationEndpoint: registrationEndpoint,
                    authenticationEndpoint: authenticationEndpoint,
                    registration: legacy?.registration ?? .none
                )
            )
        )
        mechanism.version = legacy?.version
        mechanism.uid = userId
        mechanism.resourceId = deviceResourceId
        return mechanism
    }
}
