package import Foundation

/// The enrolment of a push credential: its registration at the server, and the storage of the result.
package struct PushEnrolment: StoredOperation {
    /// A check that throws an error if a stored credential prevents the enrolment.
    ///
    /// Each API has its own rules.
    package typealias VacancyCheck = @Sendable (any CredentialReading) throws -> Void

    /// The credential that the enrolment creates.
    package let credential: PushCredential
    private let registration: PushRegistration
    private let device: DeviceDescription
    private let oath: OathCredential?
    private let token: PushDeviceToken
    private let checkVacancy: VacancyCheck
    /// The ids of the push credentials in the storage, if the storage is an app's own; see
    /// ``PendingEnrolment/neighbours``.
    package var neighbours: [String]?

    /// Creates an enrolment after all checks have succeeded.
    /// - Parameters:
    ///   - registration: The registration in the code.
    ///   - oath: The one-time-password part of the code, if the storage can store one-time-password
    ///     credentials.
    ///   - token: The device token, as it is stored.
    ///   - device: The device's description for the server.
    ///   - now: The date of the credentials.
    ///   - checkVacancy: Checks again that no other credential prevents the enrolment; called before the
    ///     credential is stored.
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

    /// Returns the request that registers the device.
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

    /// Stores the registered credential, unless another credential now prevents the enrolment.
    /// - Returns: The push credential as it is stored, with the data of its account.
    /// - Throws: The errors of the vacancy check and of the store.
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
    /// Stores a credential, unless the account already has one with the same secret, for example because `PingOath`
    /// enrolled the same code.
    func enrolUnlessKnown(_ credential: OathCredential) throws {
        let known = try oathCredentials(account: credential.account.key)
        guard !known.contains(where: { $0.password.secret == credential.password.secret }) else { return }
        _ = try enrol(credential)
    }
}
