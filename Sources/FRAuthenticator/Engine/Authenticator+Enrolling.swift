import FRCore
import Foundation
import PushBridgeCore

extension Authenticator {
    /// Makes the mechanisms of a registration code; one-time passwords at once, push after the server agreed.
    func enrol(_ uri: URL, _ callbacks: Callbacks<Mechanism>) {
        do {
            switch try registration(uri) {
            case .oath(let oath):
                let stored = try storing { try write { try $0.enrol(oath, at: configuration.now()) } }
                callbacks.succeedNow(Mechanism.make(stored.legacyMechanism, origin: self))
            case .push(let push):
                try register(push, with: nil, callbacks)
            case .combined(let push, let oath):
                if case .violation(let policy) = evaluate(push.account) {
                    throw AccountError.failToRegisterPolicyViolation(policy)
                }
                try register(push, with: oath, callbacks)
            }
        } catch {
            callbacks.failNow(LegacyError.translated(error))
        }
    }

    private func registration(_ uri: URL) throws -> RegistrationURI {
        do {
            return try RegistrationURI(uri.absoluteString)
        } catch .unsupported where !["pushauth", "otpauth", "mfauth"].contains(uri.scheme?.lowercased()) {
            throw MechanismError.invalidQRCode
        }
    }

    private func register(
        _ push: PushRegistration,
        with oath: OathRegistration?,
        _ callbacks: Callbacks<Mechanism>
    ) throws {
        let token = try read { view in
            try view.refuse(push, with: oath)
            return try view.deviceToken()
        }
        guard let token else { throw PushNotificationError.missingDeviceToken }
        let now = configuration.now()
        let credential = push.credential(id: UUID().uuidString, createdAt: now)
        let request = push.request(mechanismUid: credential.id, device: describe(token))
        send(request) { [self] refusal in
            if let refusal { return callbacks.failNow(refusal) }
            do {
                let stored = try storing {
                    try write { try $0.enrol(credential, of: push, with: oath, token: token, at: now) }
                }
                callbacks.succeedNow(Mechanism.make(stored.legacyMechanism, origin: self))
            } catch {
                callbacks.failNow(LegacyError.translated(error))
            }
        }
    }

    private func storing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw FRAError.failToSaveIntoStorageClient(error.reason)
        }
    }
}

extension CredentialWriting {
    /// Stores the credentials of a registration that the server accepted; answers the one for push.
    fileprivate func enrol(
        _ credential: PushCredential,
        of push: PushRegistration,
        with oath: OathRegistration?,
        token: PushBridgeCore.PushDeviceToken,
        at now: Date
    ) throws -> PushCredential {
        try refuse(push, with: oath)
        let known = try takeKeptAccount(push.account.key)
        let stored = try enrol(
            credential.added(to: known),
            registeredWith: token,
            known: known?.profile
        )
        if let oath { _ = try enrol(oath, at: now) }
        return stored
    }

    /// Stores the credential of a registration, unless the account has one of its type.
    fileprivate func enrol(_ oath: OathRegistration, at now: Date) throws -> OathCredential {
        let same = try oathCredentials(account: oath.account.key).first {
            $0.oathType == oath.movingFactor.type
        }
        if let same { throw MechanismError.alreadyExists(same.legacyMechanism.identifier) }
        let known = try takeKeptAccount(oath.account.key)
        var credential = oath.credential(id: UUID().uuidString, createdAt: now)
        credential.legacy = LegacyDetails(accountAddedAt: known?.timeAdded ?? now)
        return try enrol(credential, known: known?.profile)
    }
}

extension CredentialReading {
    /// Throws if the account has a push mechanism or, for a registration of both kinds, any.
    fileprivate func refuse(_ push: PushRegistration, with oath: OathRegistration?) throws {
        let key = push.account.key
        if let known = try pushCredentials(account: key).first {
            throw MechanismError.alreadyExists(known.legacyMechanism.identifier)
        }
        guard oath != nil, let known = try oathCredentials(account: key).first else { return }
        throw MechanismError.alreadyExists(known.legacyMechanism.identifier)
    }
}

extension PushCredential {
    /// The credential with the date of an account that was there before it.
    fileprivate func added(to account: LegacyAccount?) -> PushCredential {
        guard let account else { return self }
        var credential = self
        credential.legacy?.accountAddedAt = account.timeAdded
        return credential
    }
}
