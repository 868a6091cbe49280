package import Foundation

/// The enrolment of a push credential: its registration at the server, and what is stored after it.
package struct PushEnrolment: StoredOperation {
    /// Throws if a stored credential rules out the one of a code; each of the two APIs has its own rules.
    package typealias VacancyCheck = @Sendable (any CredentialReading) throws -> Void

    /// The credential to be.
    package let credential: PushCredential
    private let registration: PushRegistration
    private let device: DeviceDescription
    private let oath: OathCredential?
    private let token: PushDeviceToken
    private let checkVacancy: VacancyCheck
    /// The ids of the push credentials in the storage, if it is an app's own; see ``PendingEnrolment/neighbours``.
    package var neighbours: [String]?

    /// Creates an enrolment after all checks passed.
    /// - Parameters:
    ///   - registration: The registration in the code.
    ///   - oath: The one-time-password half of the code, if the storage supports it.
    ///   - token: The device token, as it is stored.
    ///   - device: The device's description for the server.
    ///   - now: The date of the credentials.
    ///   - checkVacancy: Called again before anything is stored.
    package init(
        of registration: PushRegistration,
        beside oath: OathRegistration?,
        token: PushDeviceToken,
        device: DeviceDescription,
        at now: Date,
        checkingVacancy checkVacancy: @escaping VacancyCheck
    ) {
        credential = registration.credential(id: UUID().uuidString, createdAt: now)
        self.oath = oath?.credential(id: UUID().uuidString, createdAt: now)
        self.registration = registration
        self.token = token
        self.device = device
        self.checkVacancy = checkVacancy
    }

    /// The request that registers the device.
    package func firstRequest() -> PushRequest {
        registration.request(mechanismUid: credential.id, device: device)
    }

    package var pendingEnrolment: PendingEnrolment? {
        var enrolment = PendingEnrolment(push: credential, oath: oath, token: token)
        enrolment.neighbours = neighbours
        return enrolment
    }

    package var isClaimed: Bool { false }
    package var recordId: String { credential.id }

    /// Stores the credential that the server registered, unless another one has its place now.
    /// - Returns: The push credential as stored, with the account that it shares.
    /// - Throws: The error of the check of the vacancy, and the store's errors.
    package func complete(in view: any CredentialWriting, at now: Date) throws -> PushCredential {
        try checkVacancy(view)
        let enrolled = try view.enrol(credential, registeredWith: token)
        if let oath { try view.enrolUnlessKnown(oath) }
        return enrolled
    }

    package func outcome(at now: Date) -> PushCredential { credential }

    package func abandon(in view: any CredentialWriting) {}
}

extension CredentialWriting {
    /// The same code may have been read by an API for one-time passwords before.
    func enrolUnlessKnown(_ credential: OathCredential) throws {
        let known = try oathCredentials(account: credential.account.key)
        guard !known.contains(where: { $0.password.secret == credential.password.secret }) else { return }
        _ = try enrol(credential)
    }
}
