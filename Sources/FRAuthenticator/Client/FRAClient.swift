public import Foundation
import PushBridgeCore

/// Reads and changes accounts, mechanisms and notifications, and makes mechanisms from registration codes.
///
/// Safe to use from any thread. Calls that cannot throw answer that nothing is there when the storage fails; the
/// log tells why.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class FRAClient: NSObject, Sendable {
    let authenticator: Authenticator

    /// A client of its own; an app uses ``shared``.
    package init(_ authenticator: Authenticator) {
        self.authenticator = authenticator
    }

    /// The client; `nil` until ``start()`` was called.
    public static var shared: FRAClient? { setup.withValue(\.client) }

    /// All accounts, oldest first, locked and unlocked as their policies demand.
    public func getAllAccounts() -> [Account] {
        authenticator.finishMigration()
        return authenticator.attempt("Reading accounts", or: []) { try authenticator.accounts() }
    }

    /// The account of a mechanism, locked or unlocked as its policies demand.
    public func getAccount(mechanism: Mechanism) -> Account? {
        let key = mechanism.value.account
        return authenticator.attempt("Reading an account", or: nil) {
            try authenticator.account { try $0.accountRecord(key) }
        }
    }

    /// The account with an identifier, locked or unlocked as its policies demand.
    public func getAccount(identifier: String) -> Account? {
        authenticator.attempt("Reading an account", or: nil) {
            try authenticator.account { try $0.accountRecord(identifier: identifier) }
        }
    }

    /// Stores what changed of an account; `false` if the account is not stored.
    ///
    /// Throws ``FRAError/failToSaveIntoStorageClient(_:)`` if the storage fails.
    @discardableResult
    public func updateAccount(account: Account) throws -> Bool {
        try saving { try authenticator.store(account) }
    }

    /// Removes an account with its mechanisms and their notifications; answers whether there was anything.
    @discardableResult
    public func removeAccount(account: Account) -> Bool {
        authenticator.attempt("Removing an account", or: false) {
            try authenticator.write { try $0.removeAccount(account.profile.key) }
        }
    }

    /// Locks an account in the name of one of its policies, object and storage alike.
    public func lockAccount(account: Account, policy: any FRAPolicy) throws {
        let name = policy.name
        guard !name.isEmpty else { throw AccountError.failToLockMissingPolicyName }
        guard !account.lock else { throw AccountError.failToLockAccountAlreadyLocked }
        let evaluator = authenticator.configuration.policyEvaluator
        guard evaluator.isPolicyAttached(account: account, policyName: name) else {
            throw AccountError.failToLockInvalidPolicy
        }
        try saving { try authenticator.setLock(of: account, by: name) }
    }

    /// Unlocks an account, object and storage alike.
    public func unlockAccount(account: Account) throws {
        guard account.lock else { throw AccountError.failToUnlockAccountNotLocked }
        try saving { try authenticator.setLock(of: account, by: nil) }
    }

    private func saving<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw FRAError.failToSaveIntoStorageClient(error.reason)
        }
    }
}
