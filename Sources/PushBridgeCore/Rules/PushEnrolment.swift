/// The enrolment of a push credential: its registration at the server, and what is stored after it by
/// ``CredentialWriting/complete(_:)``.
package struct PushEnrolment: PushOperation {
    /// Throws if something that is stored stands in the way of what a code makes; the two APIs differ in what does.
    package typealias VacancyCheck = @Sendable (any CredentialReading) throws -> Void

    /// The credential to be.
    package let credential: PushCredential
    private let registration: PushRegistration
    private let device: DeviceDescription
    fileprivate let oath: OathCredential?
    fileprivate let token: PushDeviceToken
    fileprivate let checkVacancy: VacancyCheck

    /// Makes an enrolment, once nothing stood in its way.
    /// - Parameters:
    ///   - credential: What the code makes.
    ///   - registration: What the code asks for.
    ///   - oath: The one-time-password half of the code, if there is a place for it.
    ///   - token: The device token, as it is stored.
    ///   - device: The device, as the server is to know it.
    ///   - checkVacancy: Called again before anything is stored.
    package init(
        of credential: PushCredential,
        by registration: PushRegistration,
        beside oath: OathCredential?,
        token: PushDeviceToken,
        device: DeviceDescription,
        checkingVacancy checkVacancy: @escaping VacancyCheck
    ) {
        self.credential = credential
        self.registration = registration
        self.oath = oath
        self.token = token
        self.device = device
        self.checkVacancy = checkVacancy
    }

    /// The request that registers the device.
    package func firstRequest() -> PushRequest {
        registration.request(mechanismUid: credential.id, device: device)
    }
}

extension CredentialWriting {
    /// Stores what the server registered; what took its place meanwhile stays.
    /// - Returns: The push credential as stored, with the account that it shares.
    /// - Throws: What the check of the vacancy throws, and the store's errors.
    package func complete(_ enrolment: PushEnrolment) throws -> PushCredential {
        try enrolment.checkVacancy(self)
        let enrolled = try enrol(enrolment.credential, registeredWith: enrolment.token)
        if let oath = enrolment.oath { try enrolUnlessKnown(oath) }
        return enrolled
    }

    /// The same code may have been read by an API for one-time passwords before.
    private func enrolUnlessKnown(_ credential: OathCredential) throws {
        let known = try oathCredentials(account: credential.account.key)
        guard !known.contains(where: { $0.password.secret == credential.password.secret }) else { return }
        _ = try enrol(credential)
    }
}
