import PushBridgeCore

extension LegacyMechanism {
    /// Reads an archived push mechanism.
    init(push object: ArchivedObject) throws(LegacyRecordError) {
        let registration = LegacyRegistration(
            messageId: try object.optionalText(.messageId).flatMap { $0.isEmpty ? nil : $0 },
            challenge: try object.optionalSecret(.challenge),
            loadBalancer: try object.optionalText(.loadBalancer)
        )
        let parameters = LegacyPushParameters(
            registrationEndpoint: try object.text(.registrationEndpoint),
            authenticationEndpoint: try object.text(.authenticationEndpoint),
            registration: registration
        )
        try self.init(object, factor: .push(parameters))
    }

    /// Reads an archived mechanism for time-based codes.
    init(totp object: ArchivedObject) throws(LegacyRecordError) {
        let parameters = try LegacyOathParameters(object)
        try self.init(object, factor: .totp(parameters, period: try object.integer(.period)))
    }

    /// Reads an archived mechanism for counter-based codes.
    init(hotp object: ArchivedObject) throws(LegacyRecordError) {
        let parameters = try LegacyOathParameters(object)
        try self.init(object, factor: .hotp(parameters, counter: try object.integer(.counter)))
    }

    private init(_ object: ArchivedObject, factor: LegacyFactor) throws(LegacyRecordError) {
        self.init(
            mechanismUUID: try object.identifier(.mechanismUUID),
            account: AccountKey(
                issuer: try object.text(.issuer),
                accountName: try object.text(.accountName)
            ),
            secret: try object.secret(.secret),
            timeAdded: try object.date(.timeAdded),
            factor: factor
        )
        version = try object.optionalInteger(.version)
        uid = try object.optionalText(.uid)
        resourceId = try object.optionalText(.resourceId)
        let type = try object.optionalText(.type) ?? kind.rawValue
        guard type == kind.rawValue else { throw .damaged("The field type contradicts the class.") }
        try requireSecretApart()
    }
}

extension LegacyOathParameters {
    /// The hash function of mechanisms that name none.
    private static let impliedAlgorithm = "sha1"

    fileprivate init(_ object: ArchivedObject) throws(LegacyRecordError) {
        self.init(
            algorithm: try object.optionalText(.algorithm) ?? Self.impliedAlgorithm,
            digits: try object.integer(.digits)
        )
    }
}
