import FRCore
import Foundation
import PushBridgeCore

extension Authenticator {
    /// Creates the mechanisms of a registration URI.
    ///
    /// A one-time-password mechanism is created immediately. If the URI is for push, the mechanisms are
    /// created after the server has accepted the registration.
    func enrol(_ uri: URL, _ callbacks: Callbacks<Mechanism>) {
        callbacks.failing {
            let code = try registration(uri)
            switch code {
            case .oath(let oath):
                let credential = oath.credential(id: UUID().uuidString, createdAt: configuration.now())
                let stored = try storing {
                    try write { view in
                        try view.checkVacancy(for: code)
                        return try view.enrol(credential)
                    }
                }
                callbacks.succeedNow(Mechanism.make(stored.legacyMechanism, origin: self))
            case .push(let push):
                try register(push, with: nil, of: code, callbacks)
            case .combined(let push, let oath):
                let evaluator = configuration.policyEvaluator.core
                if case .violation(let policy) = evaluator.evaluate(push.account.policies) {
                    throw AccountError.failToRegisterPolicyViolation(policy)
                }
                try register(push, with: oath, of: code, callbacks)
            }
        }
    }

    private func registration(_ uri: URL) throws -> RegistrationURI {
        let text = uri.absoluteString
        do {
            let ignored = try RegistrationURI.ignoredParameters(of: text)
            if !ignored.isEmpty {
                let names = ignored.joined(separator: ", ")
                FRALog.w("The code has invalid parameters, which are ignored: \(names).")
            }
            return try RegistrationURI(text, readsAsSuccessor: false)
        } catch {
            switch error {
            case .unsupported where !uri.hasUnknownKind: throw MechanismError.invalidQRCode
            case .malformed where uri.scheme != nil && uri.host == nil: throw MechanismError.invalidType
            default: throw error
            }
        }
    }

    private func register(
        _ push: PushRegistration,
        with oath: OathRegistration?,
        of code: RegistrationURI,
        _ callbacks: Callbacks<Mechanism>
    ) throws {
        let checkVacancy: PushEnrolment.VacancyCheck = { try $0.checkVacancy(for: code) }
        func vacancy(_ view: some CredentialReading) throws -> PushBridgeCore.PushDeviceToken? {
            try checkVacancy(view)
            return try view.deviceToken()
        }
        let own = try ownStorage()
        let (token, absent) = try storing {
            if let own {
                try own.read(preloaded: nil) { (try vacancy($0), try $0.absence(of: code.account.key)) }
            } else {
                (try read { try vacancy($0) }, AbsentAccount?.none)
            }
        }
        guard let token else { throw PushNotificationError.missingDeviceToken }
        let enrolment = PushEnrolment(
            of: push,
            beside: oath,
            token: token,
            device: describe(token),
            at: configuration.now(),
            checkingVacancy: checkVacancy
        )
        performAndStore(enrolment, preloaded: absent, reportingTo: callbacks, naming: storing) { [self] in
            Mechanism.make($0.legacyMechanism, origin: self)
        }
    }

    private func storing<Value>(_ body: () throws -> Value) throws -> Value {
        try LegacyError.naming(FRAError.failToSaveIntoStorageClient, body)
    }
}

extension URL {
    /// Whether the URL has the scheme of a registration URI, but its host is not a known kind of mechanism.
    fileprivate var hasUnknownKind: Bool {
        ["pushauth", "otpauth", "mfauth"].contains(scheme?.lowercased())
            && !["push", "totp", "hotp"].contains(host?.lowercased())
    }
}
