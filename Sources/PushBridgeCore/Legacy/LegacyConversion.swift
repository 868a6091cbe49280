import Foundation

extension PushCredential {
    /// Converts a legacy push mechanism.
    ///
    /// The secret becomes standard base64; the endpoints stay unchanged. The display names, policies and lock are those
    /// of `account`, if there is one.
    ///
    /// An invalid secret or address in a record of the successor SDK is accepted, because the SDK does not validate
    /// them. The credential then cannot sign, or its requests fail.
    ///
    /// - Throws: ``LegacyRecordError`` with the code `damaged` if, in a legacy record, the secret is not base64 or an
    ///   address is invalid.
    package init(
        mechanism: LegacyMechanism,
        parameters: LegacyPushParameters,
        account: LegacyAccount?
    ) throws(LegacyRecordError) {
        let secret = mechanism.secret.withUTF8 { SharedSecret(base64: $0) }
        guard secret != nil || parameters.server != nil else {
            throw .invalidSecret("The secret is not base64.")
        }
        guard let endpoints = parameters.endpoints else {
            throw .damaged("An endpoint is not a URL with a host.")
        }
        let (id, account) = (mechanism.mechanismUUID, account?.profile ?? mechanism.bareProfile)
        if let secret {
            self.init(
                id: id,
                account: account,
                endpoints: endpoints,
                sharedSecret: secret,
                createdAt: mechanism.timeAdded
            )
        } else {
            self.init(
                id: id,
                account: account,
                endpoints: endpoints,
                secretText: mechanism.secret.withUTF8 { $0 },
                createdAt: mechanism.timeAdded
            )
        }
        userId = mechanism.uid
        deviceResourceId = mechanism.resourceId
        legacy = LegacyDetails(
            version: mechanism.version,
            secretSpelling: secret.flatMap { mechanism.secret.unless(spelled: $0.base64Spelling) },
            registration: parameters.registration
        )
    }

    /// The legacy mechanism from which the initialiser would create this credential.
    package var legacyMechanism: LegacyMechanism {
        var mechanism = LegacyMechanism(
            mechanismUUID: id,
            account: account.key,
            secret: legacy?.secretSpelling ?? secretSpelling,
            timeAdded: createdAt,
            factor: .push(
                LegacyPushParameters(
                    registrationEndpoint: registrationEndpoint,
                    authenticationEndpoint: authenticationEndpoint,
                    registration: legacy?.registration ?? LegacyRegistration()
                )
            )
        )
        mechanism.version = legacy?.version
        mechanism.uid = userId
        // A record without a version may be from the successor SDK, which stores an empty id if the server sent no id.
        mechanism.resourceId = legacy?.version == nil && deviceResourceId == "" ? nil : deviceResourceId
        return mechanism
    }
}

extension OathCredential {
    /// Converts a legacy TOTP or HOTP mechanism; rejects a push mechanism as unsupported.
    ///
    /// The secret becomes canonical base32. The algorithm, the number of digits, the period and the counter
    /// stay unchanged.
    ///
    /// - Throws: ``LegacyRecordError`` with the code `unsupported` for a push mechanism, or if the hash function, the
    ///   number of digits, the period or the counter cannot be used; with `damaged` if the secret is not base32 (RFC
    ///   4648).
    package init(mechanism: LegacyMechanism, account: LegacyAccount?) throws(LegacyRecordError) {
        let (parameters, movingFactor) = try mechanism.oathParts()
        guard let secret = mechanism.secret.withUTF8({ SharedSecret(base32: $0) }) else {
            throw .invalidSecret("The secret is not base32.")
        }
        self.init(
            id: mechanism.mechanismUUID,
            account: account?.profile ?? mechanism.bareProfile,
            password: try parameters.password(secret: secret),
            movingFactor: movingFactor,
            createdAt: mechanism.timeAdded
        )
        userId = mechanism.uid
        resourceId = mechanism.resourceId
        legacy = LegacyDetails(
            version: mechanism.version,
            secretSpelling: mechanism.secret.unless(spelled: secret.base32Spelling)
        )
    }

    /// The legacy mechanism from which the initialiser would create this credential.
    package var legacyMechanism: LegacyMechanism {
        let parameters = LegacyOathParameters(algorithm: oathAlgorithm.name, digits: digits)
        let factor: LegacyFactor =
            switch movingFactor {
            case .time(let period): .totp(parameters, period: period)
            case .counter(let counter): .hotp(parameters, counter: counter)
            }
        var mechanism = LegacyMechanism(
            mechanismUUID: id,
            account: account.key,
            secret: legacy?.secretSpelling ?? password.secret.base32Spelling,
            timeAdded: createdAt,
            factor: factor
        )
        mechanism.version = legacy?.version
        mechanism.uid = userId
        mechanism.resourceId = resourceId
        return mechanism
    }
}

extension LegacyPushParameters {
    /// The endpoints; `nil` if an address in a legacy record is not a URL with a host.
    package var endpoints: PushEndpoints? {
        PushEndpoints(
            registration: registrationEndpoint,
            authentication: authenticationEndpoint,
            server: server
        ) ?? server.map(PushEndpoints.init(uncheckedServer:))
    }
}

extension LegacyMechanism {
    fileprivate func oathParts() throws(LegacyRecordError) -> (LegacyOathParameters, OathMovingFactor) {
        switch factor {
        case .push: throw .unsupported("A push mechanism cannot make one-time passwords.")
        case .totp(let parameters, let period):
            guard period > 0 else { throw .unsupported("The period of \(period) seconds is not positive.") }
            return (parameters, .time(period: period))
        case .hotp(let parameters, let counter):
            guard counter >= 0 else { throw .unsupported("The counter is negative.") }
            return (parameters, .counter(counter))
        }
    }
}

extension LegacyOathParameters {
    /// Returns the generator of the one-time passwords.
    ///
    /// The error does not contain the name of an unknown algorithm, because in a damaged record this text may
    /// be the secret.
    fileprivate func password(secret: SharedSecret) throws(LegacyRecordError) -> OneTimePassword {
        guard let known = OathAlgorithm(name: algorithm) else {
            throw .unsupported("One-time passwords with an unknown algorithm are not supported.")
        }
        do {
            return try OneTimePassword(secret: secret, algorithm: known, digits: digits)
        } catch {
            throw .unsupported("One-time passwords of \(digits) digits are not supported.")
        }
    }
}
