import Foundation
import PushBridgeCore

extension Authenticator {
    /// The code of this moment.
    func code(for mechanism: TOTPMechanism) throws -> OathTokenCode {
        let credential = try credential(of: mechanism)
        let now = configuration.now()
        let period = Double(credential.period)
        let start = (now.timeIntervalSince1970 / period).rounded(.down) * period
        let code = try making { try credential.password.code(at: now, period: credential.period) }
        return OathTokenCode(tokenType: "totp", code: code, start: start, until: start + period)
    }

    /// The next code; the counter after it is stored first, also where no code exists for a counter, so that the
    /// next call gets one.
    func nextCode(for mechanism: HOTPMechanism) throws -> OathTokenCode {
        let id = try credential(of: mechanism).id
        let (credential, next) = try updating {
            try write { view in
                guard var stored = try view.oathCredential(id: id) else {
                    throw MechanismError.failedToUpdateInformation("The mechanism is not stored.")
                }
                let current = stored
                let (next, overflows) = stored.counter.addingReportingOverflow(1)
                guard !overflows else { throw OathError.invalidSecret }
                stored.movingFactor = .counter(next)
                try view.save(stored)
                return (current, next)
            }
        }
        mechanism.move(to: next)
        let code = try making { try credential.password.code(counter: credential.counter) }
        let now = configuration.now().timeIntervalSince1970
        return OathTokenCode(tokenType: "hotp", code: code, start: now, until: nil)
    }

    /// The credential as stored or, if it is not, as the object holds it; throws if the account is locked.
    private func credential(of mechanism: OathMechanism) throws -> OathCredential {
        let value = mechanism.value
        let stored = try updating { try read { try $0.oathCredential(id: value.mechanismUUID) } }
        guard let stored else { return try making { try OathCredential(mechanism: value, account: nil) } }
        guard !stored.isLocked else { throw AccountError.accountLocked(stored.lockingPolicy ?? "") }
        if try updating({ try lockIfViolated(stored.account) }) {
            let locked = try updating { try read { try $0.oathCredential(id: stored.id) } }
            throw AccountError.accountLocked(locked?.lockingPolicy ?? "")
        }
        return stored
    }

    private func making<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch is OneTimePasswordError {
            throw OathError.invalidSecret
        } catch is ConversionError {
            throw OathError.invalidSecret
        }
    }

    private func updating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw MechanismError.failedToUpdateInformation(error.reason)
        }
    }
}

extension LegacyMechanism {
    /// The same mechanism with another factor.
    func with(_ factor: LegacyFactor) -> LegacyMechanism {
        var mechanism = LegacyMechanism(
            mechanismUUID: mechanismUUID,
            account: account,
            secret: secret,
            timeAdded: timeAdded,
            factor: factor
        )
        mechanism.version = version
        mechanism.uid = uid
        mechanism.resourceId = resourceId
        return mechanism
    }
}
