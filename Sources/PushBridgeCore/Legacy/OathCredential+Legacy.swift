extension OathCredential {
    /// Converts a legacy TOTP or HOTP mechanism; push mechanisms are refused as unsupported.
    ///
    /// The secret becomes canonical base32; algorithm, digits, period and counter stay as they are.
    public init(mechanism: LegacyMechanism, account: LegacyAccount?) throws(ConversionError) {
        let (parameters, movingFactor) = try mechanism.oathParts()
        guard let secret = mechanism.secret.withUTF8({ SharedSecret(base32: $0) }) else {
            throw .damaged("The secret is not base32.")
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
            accountAddedAt: account?.timeAdded,
            secretSpelling: mechanism.secret.unless(spelled: secret.base32Spelling)
        )
    }

    /// The credential as the legacy SDK would store it; the inverse of the conversion.
    public var legacyMechanism: LegacyMechanism {
        let parameters = LegacyOathParameters(algorithm: oathAlgorithm.rawValue, digits: digits)
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

extension LegacyMechanism {
    fileprivate func oathParts() throws(ConversionError) -> (LegacyOathParameters, OathMovingFactor) {
        switch factor {
        case .push: throw .unsupported("A push mechanism makes no one-time passwords.")
        case .totp(let parameters, let period):
            guard period > 0 else { throw .unsupported("A period of \(period) seconds makes no codes.") }
            return (parameters, .time(period: period))
        case .hotp(let parameters, let counter):
            guard counter >= 0 else { throw .unsupported("The counter is negative.") }
            return (parameters, .counter(counter))
        }
    }
}

extension LegacyOathParameters {
    /// How codes are made.
    ///
    /// An unknown algorithm is not named: in a damaged record its text could be the secret's.
    fileprivate func password(secret: SharedSecret) throws(ConversionError) -> OneTimePassword {
        guard let known = OathAlgorithm(name: algorithm) else {
            let name = algorithm.lowercased() == "sha224" ? "SHA-224" : "an unknown algorithm"
            throw .unsupported("One-time passwords with \(name) are not supported.")
        }
        do {
            return try OneTimePassword(secret: secret, algorithm: known, digits: digits)
        } catch {
            throw .unsupported("Codes of \(digits) digits are not supported.")
        }
    }
}
