public import FRCore
public import Foundation
public import PushBridgeCore
public import PushBridgePlatform

/// Reads and changes accounts, mechanisms and notifications, and creates mechanisms from registration URIs.
///
/// Safe to use from any thread. Calls that cannot throw return empty results if the storage fails, and log the error.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class FRAClient: NSObject, Sendable {
    let authenticator: Authenticator

    /// A separate client; an app uses ``shared``.
    package init(_ authenticator: Authenticator) {
        self.authenticator = authenticator
    }

    /// The client; `nil` until ``start()`` was called.
    ///
    /// Set it to `nil`, for example at a log-out, to call ``setStorage(storage:)`` and ``start()`` again. Objects of
    /// the former client continue to use its storage.
    public static var shared: FRAClient? {
        get { setup.withValue(\.client) }
        set {
            setup.withValue { setup in
                setup.client = newValue
                if let newValue { setup.authenticator = newValue.authenticator }
            }
        }
    }

    /// Whether every callback of this API is called on the main queue; off by default.
    ///
    /// Closures that the API declares `@Sendable` are exceptions and are called on any thread:
    /// `FRAPushHandler.onMilestone`, and the gate and the events of a migration. By default, as in the SDK, each
    /// callback is called on the thread that its method documents, mostly a background thread. With the setting on, a
    /// callback that would be called immediately on another thread is called later, on the main queue. Set it before
    /// ``start()``.
    public static var callsBackOnMainQueue: Bool {
        get { CallbackThread.isMain }
        set { CallbackThread.isMain = newValue }
    }

    /// All accounts, oldest first or in the order of the app's own storage; locks and unlocks them by their policies.
    ///
    /// Stores each changed lock. Records of the legacy store that were locked at the start are imported first.
    /// - Returns: The accounts; none if the storage fails, which is logged.
    public func getAllAccounts() -> [Account] {
        authenticator.finishMigration()
        return authenticator.attempt("Reading accounts", or: []) { try authenticator.accounts() }
    }

    /// The account of a mechanism; locks or unlocks it by its policies.
    /// - Parameter mechanism: The mechanism; only its issuer and account name are used, and it need not be stored.
    /// - Returns: The account; `nil` if there is none, or if the storage fails, which is logged.
    public func getAccount(mechanism: Mechanism) -> Account? {
        let key = mechanism.value.account
        return authenticator.attempt("Reading an account", or: nil) {
            try authenticator.account(key)
        }
    }

    /// The account with an identifier; locks or unlocks it by its policies.
    /// - Parameter identifier: `{issuer}-{accountName}`. Several accounts may share one, because neither part is
    ///   escaped.
    /// - Returns: The first account with the identifier; `nil` if there is none, or if the storage fails, which is
    ///   logged.
    public func getAccount(identifier: String) -> Account? {
        authenticator.attempt("Reading an account", or: nil) {
            try authenticator.account(identifier: identifier)
        }
    }

    /// Stores the changed display names of an account.
    /// - Parameter account: The account; its other properties are stored as well.
    /// - Returns: Whether the change was stored; `false` if the storage does not contain the account, or if it fails,
    ///   which is logged.
    /// - Throws: ``AccountError/accountLocked(_:)`` if the object or the stored account is locked.
    @discardableResult
    public func updateAccount(account: Account) throws -> Bool { try authenticator.store(account) }

    /// Removes an account with its mechanisms and their notifications on this device; the servers are not informed.
    /// - Parameter account: The account.
    /// - Returns: Whether anything was removed; `false` if the storage fails, which is logged.
    @discardableResult
    public func removeAccount(account: Account) -> Bool {
        authenticator.attempt("Removing an account", or: false) {
            try authenticator.write { try $0.removeAll(of: account.profile.key) }
        }
    }

    /// Removes the profiles of an account's push mechanisms at their servers, and then the account on this device.
    ///
    /// Until all servers confirm, the account stays and receives pushes, and ``owedRemoval(of:)`` returns the removal.
    /// After `onSuccess`, earlier removals that failed are retried. To remove an account without its servers, call
    /// ``removeAccount(account:)``. An app's own storage does not store a failed removal: call this method again.
    /// - Parameters:
    ///   - account: The account.
    ///   - session: Asks for the app's session at the server of a mechanism; called on the caller's thread, and for
    ///     further mechanisms on a background queue.
    ///   - onSuccess: Called once with the outcome, on the same threads as `session`.
    ///   - onError: Called on the caller's thread if the storage failed before anything was sent.
    public func removeAccount(
        account: Account,
        unregistering session: @escaping ServerSessionCallback,
        onSuccess: @escaping (_ outcome: RemovalOutcome) -> Void,
        onError: @escaping ErrorCallback
    ) {
        authenticator.remove(account, session, Callbacks(onSuccess, onError))
    }

    /// The removal of a mechanism that the app requested and the server has not confirmed yet.
    /// - Parameter mechanism: The mechanism.
    /// - Returns: The removal; `nil` if there is none, or if the storage fails, which is logged.
    public func owedRemoval(of mechanism: PushMechanism) -> UnconfirmedRemoval? {
        let id = mechanism.value.mechanismUUID
        return authenticator.attempt("Reading a removal", or: nil) {
            try authenticator.read { try $0.pushCredential(id: id)?.owedRemoval }
        }
    }

    /// Retries the unconfirmed removals of both APIs; call it at a launch, or when the network is available again.
    /// - Parameters:
    ///   - session: As in ``removeAccount(account:unregistering:onSuccess:onError:)``.
    ///   - onSuccess: Called once with the outcomes by the mechanisms' ids, on the same threads as `session`.
    ///   - onError: Called on the caller's thread if the storage failed before anything was sent.
    public func retryOwedRemovals(
        unregistering session: @escaping ServerSessionCallback,
        onSuccess: @escaping (_ outcomes: [String: RemovalOutcome]) -> Void,
        onError: @escaping ErrorCallback
    ) {
        authenticator.retryRemovals(session, Callbacks(onSuccess, onError))
    }

    /// Locks an account by one of its policies, in the object and in the storage.
    /// - Parameters:
    ///   - account: The account.
    ///   - policy: The policy; only its name is used.
    /// - Returns: Whether the lock was stored; `false` if the storage failed, which is logged: then only the object is
    ///   locked.
    /// - Throws: ``AccountError/failToLockMissingPolicyName``, ``AccountError/failToLockAccountAlreadyLocked``,
    ///   ``AccountError/failToLockInvalidPolicy`` for a policy that the server did not attach to the account, and
    ///   ``FRAError/failToSaveIntoStorageClient(_:)`` for an account that is not stored.
    @discardableResult
    public func lockAccount(account: Account, policy: any FRAPolicy) throws -> Bool {
        let name = policy.name
        guard !account.profile.isLocked else { throw AccountError.failToLockAccountAlreadyLocked }
        guard !name.isEmpty else { throw AccountError.failToLockMissingPolicyName }
        let evaluator = authenticator.configuration.policyEvaluator
        guard evaluator.isPolicyAttached(account: account, policyName: name) else {
            throw AccountError.failToLockInvalidPolicy
        }
        return try authenticator.setLock(of: account, by: name)
    }

    /// Unlocks an account, in the object and in the storage; the next read locks it again if it still violates a
    /// policy.
    /// - Parameter account: The account.
    /// - Returns: Whether the unlock was stored; `false` if the storage failed, which is logged: then only the object
    ///   is unlocked.
    /// - Throws: ``AccountError/failToUnlockAccountNotLocked``, and ``FRAError/failToSaveIntoStorageClient(_:)`` for an
    ///   account that is not stored.
    @discardableResult
    public func unlockAccount(account: Account) throws -> Bool {
        guard account.profile.isLocked else { throw AccountError.failToUnlockAccountNotLocked }
        return try authenticator.setLock(of: account, by: nil)
    }
}

extension FRAClient {
    /// Registers the mechanisms of a registration URI (`otpauth`, `pushauth` or `mfauth`) and stores them.
    ///
    /// Calls exactly one callback, once. One-time-password mechanisms, and all errors found before a request is sent,
    /// are reported on the caller's thread before the call returns. Push mechanisms, and errors of their requests, are
    /// reported on a background queue. A failed registration stores nothing.
    ///
    /// `onError` receives: ``MechanismError`` for an invalid registration URI or a mechanism that exists already;
    /// ``CryptoError/invalidParam(_:)`` for a secret or challenge (`s`, `c`) that is not base64;
    /// `NetworkError.invalidRequest` for an address (`r`, `a`) that is not an HTTP address;
    /// ``AccountError/failToRegisterPolicyViolation(_:)`` if the device violates a policy of an `mfauth` code;
    /// ``PushNotificationError/missingDeviceToken`` for a push code before a device token was set;
    /// `NetworkError.apiRequestFailure` if the server rejected the registration, `URLError` if it did not answer;
    /// ``FRAError/failToSaveIntoStorageClient(_:)`` if the storage failed.
    ///
    /// ```swift
    /// FRAClient.shared?.createMechanismFromUri(
    ///     uri: scanned,
    ///     onSuccess: { mechanism in show(mechanism.accountName) },
    ///     onError: { error in show(error.localizedDescription) }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - uri: The registration URI (RFC 3986), percent-encoded as in the scanned QR code.
    ///   - onSuccess: Receives the mechanism; for an `mfauth` code, the push mechanism.
    ///   - onError: Receives the error.
    public func createMechanismFromUri(
        uri: URL,
        onSuccess: @escaping MechanismCallback,
        onError: @escaping ErrorCallback
    ) {
        authenticator.enrol(uri, Callbacks(onSuccess, onError))
    }

    /// The mechanism that answers a notification, with its notifications.
    /// - Parameter notification: The notification.
    /// - Returns: The mechanism; `nil` if it is not stored, or if the storage fails, which is logged.
    public func getMechanism(notification: PushNotification) -> PushMechanism? {
        authenticator.attempt("Reading a mechanism", or: nil) {
            try authenticator.pushMechanism(id: notification.value.credentialId)
        }
    }

    /// Removes a mechanism and its notifications on this device; its account stays, and the server is not informed.
    /// - Parameter mechanism: The mechanism.
    /// - Returns: Whether it was stored before; `false` if the storage fails, which is logged.
    @discardableResult
    public func removeMechanism(mechanism: Mechanism) -> Bool {
        authenticator.attempt("Removing a mechanism", or: false) { try authenticator.remove(mechanism.value) }
    }

    /// The notifications of a mechanism, oldest first or in the order of the app's own storage.
    /// - Parameter mechanism: The mechanism; only its id is used.
    /// - Returns: The notifications; none if the storage fails, which is logged.
    public func getAllNotifications(mechanism: PushMechanism) -> [PushNotification] {
        authenticator.attempt("Reading notifications", or: []) {
            try authenticator.notifications(of: mechanism)
        }
    }

    /// All notifications, oldest first or in the order of the app's own storage.
    /// - Returns: The notifications; none if the storage fails, which is logged.
    public func getAllNotifications() -> [PushNotification] {
        authenticator.attempt("Reading notifications", or: []) { try authenticator.notifications(.all) }
    }

    /// The notification with an identifier.
    /// - Parameter identifier: `{mechanismUUID}-{timeAdded}`, the time in milliseconds since 1970; or the id in the
    ///   store.
    /// - Returns: The notification; `nil` if there is none, or if the storage fails, which is logged.
    public func getNotification(identifier: String) -> PushNotification? {
        authenticator.attempt("Reading a notification", or: nil) {
            try authenticator.notification(identifier: identifier)
        }
    }

    /// Removes a notification; sends no request to the server.
    /// - Parameter notification: The notification.
    /// - Returns: Whether it was stored before; `false` if the storage fails, which is logged.
    @discardableResult
    public func removeNotification(notification: PushNotification) -> Bool {
        authenticator.attempt("Removing a notification", or: false) { try authenticator.remove(notification) }
    }
}

extension FRAClient {
    /// The local authentication of the user before a biometric push is approved; by default the platform's.
    public static var localAuthentication: any LocalAuthenticating {
        get { OwnerAuthentication.current }
        set { OwnerAuthentication.current = newValue }
    }
}
