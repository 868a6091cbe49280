public import FRCore
public import Foundation
public import PushBridgeCore
public import PushBridgePlatform

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
    ///
    /// Set it to `nil`, as at a log-out, and ``setStorage(storage:)`` and ``start()`` can be called again. Objects that
    /// came from the client before go on working on its storage.
    public static var shared: FRAClient? {
        get { setup.withValue(\.client) }
        set {
            setup.withValue { setup in
                setup.client = newValue
                if let newValue { setup.authenticator = newValue.authenticator }
            }
        }
    }

    /// All accounts, oldest first or as the app's own storage lists them, locked and unlocked as their policies demand.
    public func getAllAccounts() -> [Account] {
        authenticator.finishMigration()
        return authenticator.attempt("Reading accounts", or: []) { try authenticator.accounts() }
    }

    /// The account of a mechanism, locked or unlocked as its policies demand.
    public func getAccount(mechanism: Mechanism) -> Account? {
        let key = mechanism.value.account
        return authenticator.attempt("Reading an account", or: nil) {
            try authenticator.account(key)
        }
    }

    /// The account with an identifier, locked or unlocked as its policies demand.
    public func getAccount(identifier: String) -> Account? {
        authenticator.attempt("Reading an account", or: nil) {
            try authenticator.account(identifier: identifier)
        }
    }

    /// Stores what changed of an account; `false` if the account is not stored, or if the storage refused.
    ///
    /// Throws ``AccountError/accountLocked(_:)``.
    @discardableResult
    public func updateAccount(account: Account) throws -> Bool { try authenticator.store(account) }

    /// Removes an account with its mechanisms and their notifications; returns whether there was anything.
    @discardableResult
    public func removeAccount(account: Account) -> Bool {
        authenticator.attempt("Removing an account", or: false) {
            try authenticator.write { try $0.removeAll(of: account.profile.key) }
        }
    }

    /// Removes the profiles of an account's push mechanisms at their servers, and then the account as
    /// ``removeAccount(account:)`` does.
    ///
    /// Until the servers agree, the account stays and receives pushes, and ``owedRemoval(of:)`` shows the removal.
    /// After `onSuccess`, earlier removals that failed are tried again. ``removeAccount(account:)`` removes an account
    /// here without asking its servers. An app's own storage does not remember a removal that failed: call this again.
    /// - Parameters:
    ///   - account: The account.
    ///   - session: Tells the app's session at the server of a mechanism; called on the caller's thread, and for
    ///     further mechanisms on a background queue.
    ///   - onSuccess: Called once, like `session`, with what became of it.
    ///   - onError: Called on the caller's thread if the storage failed before anything was sent.
    public func removeAccount(
        account: Account,
        unregistering session: @escaping ServerSessionCallback,
        onSuccess: @escaping (_ outcome: RemovalOutcome) -> Void,
        onError: @escaping ErrorCallback
    ) {
        authenticator.remove(account, session, Callbacks(onSuccess, onError))
    }

    /// The removal of a mechanism that the app asked for and the server has not agreed to yet; `nil` if there is none.
    public func owedRemoval(of mechanism: PushMechanism) -> OwedRemoval? {
        let id = mechanism.mechanismUUID
        return authenticator.attempt("Reading a removal", or: nil) {
            try authenticator.read { try $0.pushCredential(id: id)?.owedRemoval }
        }
    }

    /// Tries the removals that are owed again, of either API; for a launch, or when the network is back.
    /// - Parameters:
    ///   - session: As in ``removeAccount(account:unregistering:onSuccess:onError:)``.
    ///   - onSuccess: Called once, like `session`, with what became of each, by the mechanism's id.
    ///   - onError: Called on the caller's thread if the storage failed before anything was sent.
    public func retryOwedRemovals(
        unregistering session: @escaping ServerSessionCallback,
        onSuccess: @escaping (_ outcomes: [String: RemovalOutcome]) -> Void,
        onError: @escaping ErrorCallback
    ) {
        authenticator.retryRemovals(session, Callbacks(onSuccess, onError))
    }

    /// Locks an account in the name of one of its policies, object and storage alike; returns `false` if the storage
    /// refused, and then only the object is locked.
    @discardableResult
    public func lockAccount(account: Account, policy: any FRAPolicy) throws -> Bool {
        let name = policy.name
        guard !name.isEmpty else { throw AccountError.failToLockMissingPolicyName }
        guard !account.lock else { throw AccountError.failToLockAccountAlreadyLocked }
        let evaluator = authenticator.configuration.policyEvaluator
        guard evaluator.isPolicyAttached(account: account, policyName: name) else {
            throw AccountError.failToLockInvalidPolicy
        }
        return try authenticator.setLock(of: account, by: name)
    }

    /// Unlocks an account, object and storage alike; returns `false` if the storage refused, and then only the object
    /// is unlocked.
    @discardableResult
    public func unlockAccount(account: Account) throws -> Bool {
        guard account.lock else { throw AccountError.failToUnlockAccountNotLocked }
        return try authenticator.setLock(of: account, by: nil)
    }
}

extension FRAClient {
    /// Makes the mechanisms of a registration code (`otpauth`, `pushauth` or `mfauth`) and stores them.
    ///
    /// Exactly one callback is called. A one-time password is there at once, on the caller's thread; so is every
    /// error found before anything is sent. Push mechanisms, and what goes wrong with them, come on a background
    /// queue. A code of both kinds reports its push mechanism.
    public func createMechanismFromUri(
        uri: URL,
        onSuccess: @escaping MechanismCallback,
        onError: @escaping ErrorCallback
    ) {
        authenticator.enrol(uri, Callbacks(onSuccess, onError))
    }

    /// The mechanism that answers a notification, with its notifications.
    public func getMechanism(notification: PushNotification) -> PushMechanism? {
        authenticator.attempt("Reading a mechanism", or: nil) {
            try authenticator.pushMechanism(id: notification.mechanismUUID)
        }
    }

    /// Removes a mechanism and its notifications; returns whether there was one.
    @discardableResult
    public func removeMechanism(mechanism: Mechanism) -> Bool {
        authenticator.attempt("Removing a mechanism", or: false) { try authenticator.remove(mechanism.value) }
    }

    /// The notifications of a mechanism, oldest first or as the app's own storage lists them.
    public func getAllNotifications(mechanism: Mechanism) -> [PushNotification] {
        authenticator.attempt("Reading notifications", or: []) {
            try authenticator.notifications(of: mechanism)
        }
    }

    /// All notifications, oldest first or as the app's own storage lists them.
    public func getAllNotifications() -> [PushNotification] {
        authenticator.attempt("Reading notifications", or: []) { try authenticator.notifications(.all) }
    }

    /// The notification with an identifier.
    public func getNotification(identifier: String) -> PushNotification? {
        authenticator.attempt("Reading a notification", or: nil) {
            try authenticator.notification(identifier: identifier)
        }
    }

    /// Removes a notification; returns whether there was one.
    @discardableResult
    public func removeNotification(notification: PushNotification) -> Bool {
        authenticator.attempt("Removing a notification", or: false) { try authenticator.remove(notification) }
    }
}

extension FRAClient {
    /// What asks the user before a biometric push is approved: the platform's, unless an app brings its own.
    public static var localAuthentication: any LocalAuthenticating {
        get { OwnerAuthentication.current }
        set { OwnerAuthentication.current = newValue }
    }
}
