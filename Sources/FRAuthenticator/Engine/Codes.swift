import Foundation
import PushBridgeCore

extension Authenticator {
    /// Returns the one-time password of the current period.
    func code(for mechanism: TOTPMechanism) throws -> OathTokenCode {
        try updating { try checkLock(of: mechanism.value) }
        let credential = try making { try OathCredential(mechanism: mechanism.value, account: nil) }
        let now = configuration.now()
        let period = Double(credential.period)
        let start = (now.timeIntervalSince1970 / period).rounded(.down) * period
        let code = try making { try credential.password.code(at: now, period: credential.period) }
        return OathTokenCode(tokenType: "totp", code: code, start: start, until: start + period)
    }

    /// Stores the next counter, and then generates the one-time password of the current counter.
    ///
    /// The counter increases even if no one-time password can be generated, so that the next call can succeed.
    func nextCode(for mechanism: HOTPMechanism) throws -> OathTokenCode {
        let credential = try updating { try withPolicyOutcomes { try moveCounter(of: mechanism, $0) } }
        mechanism.move(to: credential.counter + 1)
        let code = try making { try credential.password.code(counter: credential.counter) }
        let now = configuration.now().timeIntervalSince1970
        return OathTokenCode(tokenType: "hotp", code: code, start: now, until: nil)
    }

    /// Stores the next counter.
    ///
    /// A decoded mechanism that is not stored is added to the store, unless the user removed it.
    /// - Returns: The credential with the counter before the change.
    /// - Throws: ``AccountError/accountLocked(_:)`` if the account is locked, ``OathError/invalidSecret`` if the
    ///   counter is at its maximum, and ``StoreError``, whose code is `notWritable` if the mechanism was removed.
    private func moveCounter(of mechanism: HOTPMechanism, _ evaluate: Evaluation) throws -> OathCredential {
        let outcome = try write(preloaded: mechanism) { view -> Swift.Result<OathCredential, any Error> in
            let id = mechanism.value.mechanismUUID
            let stored = try view.oathCredential(id: id)
            var credential = try making {
                try stored ?? OathCredential(mechanism: mechanism.value, account: nil)
            }
            credential.account = try view.knownAccount(credential.account.key) ?? credential.account
            let account = try view.lockIfViolated(credential.account, evaluate)
            // The error is returned and not thrown, because a thrown error would undo the lock.
            guard !account.isLocked else { return .failure(Self.lockedError(account)) }
            // A mechanism that a client returned was stored at some point. If the store no longer contains the
            // mechanism, it was removed, and saving the counter would add the mechanism again.
            guard try stored != nil || (mechanism.origin == nil && !view.isBuried(.oath, id: id)) else {
                throw StoreError(.notWritable, record: id, reason: "The mechanism was removed.")
            }
            let current = credential
            let (next, overflows) = current.counter.addingReportingOverflow(1)
            guard !overflows else { throw OathError.invalidSecret }
            credential.movingFactor = .counter(next)
            try view.save(credential)
            return .success(current)
        }
        return try outcome.get()
    }

    /// Throws an error if the mechanism's account is locked, or if the device violates one of the account's policies.
    ///
    /// An account that is not stored counts as unlocked.
    private func checkLock(of mechanism: LegacyMechanism) throws {
        guard let known = try read({ try $0.knownAccount(mechanism.account) }) else { return }
        let account = try withPolicyOutcomes { evaluate in
            guard !known.isLocked, try evaluate(known) != .comply else { return known }
            return try write { try $0.lockIfViolated(known, evaluate) }
        }
        guard !account.isLocked else { throw Self.lockedError(account) }
    }

    private static func lockedError(_ account: AccountProfile) -> AccountError {
        .accountLocked(account.lockingPolicy ?? "")
    }

    private func making<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as LegacyRecordError where error.code == .damaged {
            throw CryptoError.failToConvertData
        } catch  where error is OneTimePasswordError || error is LegacyRecordError {
            throw OathError.invalidSecret
        }
    }

    private func updating<Value>(_ body: () throws -> Value) throws -> Value {
        try LegacyError.naming(MechanismError.failedToUpdateInformation, body)
    }
}
