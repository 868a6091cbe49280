public import FRCore
public import Foundation
public import PushBridgeCore
public import PushBridgePlatform

/// Reads and changes accounts, mechanisms and notifications, and creates mechanisms from registration URIs.
///
/// The client is safe to use from any thread. If the storage fails, methods that cannot throw log the error
/// and return an empty result.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class FRAClient: NSObject, Sendable {
    let authenticator: Authenticator

    /// Creates a separate client, for tests; an app uses ``shared``.
    package init(_ authenticator: Authenticator) {
        self.authenticator = authenticator
    }

    /// The client, or `nil` if ``start()`` has not been called yet.
    ///
    /// To change the storage, for example when the user logs out, set `shared` to `nil` and call
    /// ``setStorage(storage:)`` and ``start()`` again. Objects of the former client continue to use the
    /// former storage.
    public static var shared: FRAClient? {
        get { setup.withValue(\.client) }
        set {
            setup.withValue { setup in
                setup.client = newValue
                if let newValue { setup.authenticator = newValue.authenticator }
            }
        }
    }

    /// Whether every callback of this API is called on the main queue; `false` by default.
    ///
    /// By default, as in the SDK, each callback is called on the thread that its method documents. This is
    /// usually a background thread. If this property is `true`, a callback that would be called immediately
    /// on another thread is called later, on the main queue. Set this property before ``start()``.
    ///
    /// Closures that the API declares `@Sendable`, such as `FRAPushHandler.onMilestone` and a migration's gate, are
    /// called on any thread.
    public static var callsBackOnMainQueue: Bool {
        get { CallbackThread.isMain }
        set { CallbackThread.isMain = newValue }
    }

    /// Returns all accounts, after locking or unlocking each account as its policies require.
    ///
    /// The oldest account is first. If the accounts are in an app's own storage, they are in the order of that
    /// storage instead. The method stores each changed lock. If the last import could not read all records of the
    /// legacy store, the method first tries again.
    /// - Returns: The accounts. If the storage fails, the error is logged and the array is empty.
    public func getAllAccounts() -> [Account] {
        authenticator.finishMigration()
        return authenticator.loggingFailure("Reading accounts", default: []) { try authenticator.accounts() }
    }

    /// Returns the account of a mechanism, after locking or unlocking the account as its policies require.
    /// - Parameter mechanism: The mechanism. Only its issuer and account name are used, so the mechanism does
    ///   not have to be stored.
    /// - Returns: The account, or `nil` if it is not stored. If the storage fails, the error is logged and
    ///   the result is `nil`.
    public func getAccount(mechanism: Mechanism) -> Account? {
        let key = mechanism.value.account
        return authenticator.loggingFailure("Reading an account", default: nil) {
            try authenticator.account(key)
        }
    }

    /// Returns the account with an identifier, after locking or unlocking the account as its policies
    /// require.
    /// - Parameter identifier: `{issuer}-{accountName}`. Neither part is escaped, so several accounts can
    ///   have the same identifier.
    /// - Returns: An account with the identifier, or `nil` if no account has it. If the storage fails, the error is
    ///   logged and the result is `nil`.
    public func getAccount(identifier: String) -> Account? {
        authenticator.loggingFailure("Reading an account", default: nil) {
            try authenticator.account(identifier: identifier)
        }
    }

    /// Stores the changed display names of an account.
    /// - Parameter account: The account. Its other properties are stored as well.
    /// - Returns: Whether the change was stored. The result is `false` if the storage does not contain the
    ///   account, or if the storage fails; a failure is logged.
    /// - Throws: ``AccountError/accountLocked(_:)`` if the object or the stored account is locked.
    @discardableResult
    public func updateAccount(account: Account) throws -> Bool { try authenticator.store(account) }

    /// Removes an account, its mechanisms and their notifications from this device; the servers are not
    /// informed.
    /// - Parameter account: The account.
    /// - Returns: Whether anything was removed. If the storage fails, the error is logged and the result is
    ///   `false`.
    @discardableResult
    public func removeAccount(account: Account) -> Bool {
        authenticator.loggingFailure("Removing an account", default: false) {
            let key = account.profile.key
            return try authenticator.perform(removal: .account(key)) {
                try authenticator.write { try $0.removeAll(of: key) }
            }
        }
    }

    /// Removes the device profile of each push mechanism of an account from its server, and then removes the
    /// account from this device.
    ///
    /// Until all servers confirm the removal, the account stays and receives pushes, and ``owedRemoval(of:)``
    /// returns the unconfirmed removal. A mechanism that is enrolled in the meantime stays. After `onSuccess`,
    /// the client retries earlier removals that failed. To remove an account without informing its servers, call
    /// ``removeAccount(account:)``. If the account is in an app's own storage, a failed removal is not stored,
    /// so call this method again.
    /// - Parameters:
    ///   - account: The account.
    ///   - session: Asks for the app's session at the server of a mechanism. It is called for one mechanism after
    ///     another: first on the caller's thread, then on any thread.
    ///   - onSuccess: Called once with the outcome, on any thread. If no server has a profile to remove, this is
    ///     the caller's thread.
    ///   - onError: Called on the caller's thread, before anything is sent, if the storage fails or if an enrolment
    ///     of the account is not stored yet.
    public func removeAccount(
        account: Account,
        unregistering session: @escaping ServerSessionCallback,
        onSuccess: @escaping (_ outcome: RemovalOutcome) -> Void,
        onError: @escaping ErrorCallback
    ) {
        authenticator.remove(account, session, Callbacks(onSuccess, onError))
    }

    /// Returns a mechanism's removal that was requested and that the server has not confirmed yet.
    /// - Parameter mechanism: The mechanism.
    /// - Returns: The removal, or `nil` if there is no such removal. If the storage fails, the error is
    ///   logged and the result is `nil`.
    public func owedRemoval(of mechanism: PushMechanism) -> UnconfirmedRemoval? {
        let id = mechanism.value.mechanismUUID
        return authenticator.loggingFailure("Reading a removal", default: nil) {
            try authenticator.read { try $0.pushCredential(id: id)?.owedRemoval }
        }
    }

    /// Retries the unconfirmed removals that were requested through either API.
    ///
    /// Call this method at launch, or when the network is available again.
    /// - Parameters:
    ///   - session: The same closure as for ``removeAccount(account:unregistering:onSuccess:onError:)``.
    ///   - onSuccess: Called once, on any thread, with the outcomes by the ids of the mechanisms.
    ///   - onError: Called on the caller's thread if the storage failed before anything was sent.
    public func retryOwedRemovals(
        unregistering session: @escaping ServerSessionCallback,
        onSuccess: @escaping (_ outcomes: [String: RemovalOutcome]) -> Void,
        onError: @escaping ErrorCallback
    ) {
        authenticator.retryRemovals(session, Callbacks(onSuccess, onError))
    }

    /// Locks an account because of one of its policies, both in the object and in the storage.
    /// - Parameters:
    ///   - account: The account.
    ///   - policy: The policy; only its name is used.
    /// - Returns: Whether the lock was stored. If the storage fails, the error is logged, the result is
    ///   `false` and only the object is locked.
    /// - Throws: ``AccountError/failToLockMissingPolicyName`` if the policy has no name;
    ///   ``AccountError/failToLockAccountAlreadyLocked`` if the account is locked already;
    ///   ``AccountError/failToLockInvalidPolicy`` if the server did not attach the policy to the account;
    ///   ``FRAError/failToSaveIntoStorageClient(_:)`` if the account is not stored.
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

    /// Unlocks an account, both in the object and in the storage.
    ///
    /// The next read locks the account again if the device still violates one of its policies.
    /// - Parameter account: The account.
    /// - Returns: Whether the change was stored. If the storage fails, the error is logged, the result is
    ///   `false` and only the object is unlocked.
    /// - Throws: ``AccountError/failToUnlockAccountNotLocked`` if the account is not locked, and
    ///   ``FRAError/failToSaveIntoStorageClient(_:)`` if the account is not stored.
    @discardableResult
    public func unlockAccount(account: Account) throws -> Bool {
        guard account.profile.isLocked else { throw AccountError.failToUnlockAccountNotLocked }
        return try authenticator.setLock(of: account, by: nil)
    }
}

extension FRAClient {
    /// Registers the mechanisms of a registration URI (`otpauth`, `pushauth` or `mfauth`) and stores them.
    ///
    /// One of the callbacks is called, once. One-time-password mechanisms, and all errors that occur before a
    /// request is sent, are reported on the caller's thread before the call returns. Push mechanisms, and the
    /// errors of their requests, are reported on a background queue. A failed registration stores nothing.
    ///
    /// `onError` receives: ``MechanismError`` for an invalid registration URI or a mechanism that exists
    /// already; ``CryptoError/invalidParam(_:)`` for a secret or challenge (`s`, `c`) that is not base64;
    /// `NetworkError.invalidRequest` for an address (`r`, `a`) that is not an HTTP address;
    /// ``AccountError/failToRegisterPolicyViolation(_:)`` if the device violates a policy of an `mfauth`
    /// code; ``PushNotificationError/missingDeviceToken`` for a push code if no device token has been set;
    /// `NetworkError.apiRequestFailure` if the server rejected the registration; `URLError` if the server did
    /// not respond; ``FRAError/failToSaveIntoStorageClient(_:)`` if the storage failed.
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
    ///   - onSuccess: Receives the mechanism. For an `mfauth` code, this is the push mechanism.
    ///   - onError: Receives the error.
    public func createMechanismFromUri(
        uri: URL,
        onSuccess: @escaping MechanismCallback,
        onError: @escaping ErrorCallback
    ) {
        authenticator.enrol(uri, Callbacks(onSuccess, onError))
    }

    /// Returns the mechanism that received a notification, with all its notifications.
    /// - Parameter notification: The notification.
    /// - Returns: The mechanism, or `nil` if it is not stored. If the storage fails, the error is logged and the
    ///   result is `nil`.
    public func getMechanism(notification: PushNotification) -> PushMechanism? {
        authenticator.loggingFailure("Reading a mechanism", default: nil) {
            try authenticator.pushMechanism(id: notification.value.credentialId)
        }
    }

    /// Removes a mechanism and its notifications from this device.
    ///
    /// The account of the mechanism stays, and the server is not informed.
    /// - Parameter mechanism: The mechanism.
    /// - Returns: Whether the storage contained the mechanism. If the storage fails, the error is logged and the
    ///   result is `false`.
    @discardableResult
    public func removeMechanism(mechanism: Mechanism) -> Bool {
        authenticator.loggingFailure("Removing a mechanism", default: false) {
            try authenticator.perform(removal: .credential(id: mechanism.value.mechanismUUID)) {
                try authenticator.remove(mechanism.value)
            }
        }
    }

    /// Returns the notifications of a mechanism.
    ///
    /// The oldest notification is first. If the notifications are in an app's own storage, they are in the
    /// order of that storage instead.
    /// - Parameter mechanism: The mechanism. Only its id is used, unless an app's own storage receives the object.
    /// - Returns: The notifications. If the storage fails, the error is logged and the array is empty.
    public func getAllNotifications(mechanism: PushMechanism) -> [PushNotification] {
        authenticator.loggingFailure("Reading notifications", default: []) {
            try authenticator.notifications(of: mechanism)
        }
    }

    /// Returns all notifications.
    ///
    /// The oldest notification is first. If the notifications are in an app's own storage, they are in the
    /// order of that storage instead.
    /// - Returns: The notifications. If the storage fails, the error is logged and the array is empty.
    public func getAllNotifications() -> [PushNotification] {
        authenticator.loggingFailure("Reading notifications", default: []) {
            try authenticator.notifications(.all)
        }
    }

    /// Returns the notification with an identifier.
    /// - Parameter identifier: Either `{mechanismUUID}-{timeAdded}`, where the time is in milliseconds since
    ///   1970, or the notification's id in the store.
    /// - Returns: The notification, or `nil` if no notification has the identifier. If the storage fails, the
    ///   error is logged and the result is `nil`.
    public func getNotification(identifier: String) -> PushNotification? {
        authenticator.loggingFailure("Reading a notification", default: nil) {
            try authenticator.notification(identifier: identifier)
        }
    }

    /// Removes a notification from this device; the server is not informed.
    /// - Parameter notification: The notification.
    /// - Returns: Whether the storage contained the notification. If the storage fails, the error is logged and the
    ///   result is `false`.
    @discardableResult
    public func removeNotification(notification: PushNotification) -> Bool {
        authenticator.loggingFailure("Removing a notification", default: false) {
            try authenticator.remove(notification)
        }
    }
}

extension FRAClient {
    /// Authenticates the user locally before a biometric push is approved.
    ///
    /// The default is the platform's local authentication.
    public static var localAuthentication: any LocalAuthenticating {
        get { OwnerAuthentication.current }
        set { OwnerAuthentication.current = newValue }
    }
}
