public import FRAuthenticator
public import Foundation
public import LegacyStore
public import PushBridgeCore
public import PushBridgePlatform
public import PushBridgeStore

extension FRAClient {
    /// Creates a client and a push handler that are separate from the process's own client and push handler.
    ///
    /// - Parameters:
    ///   - store: The store of the credentials.
    ///   - transport: Sends requests to the server; `nil` means the process's own transport.
    ///   - policyEvaluator: Evaluates the policies.
    ///   - localAuthentication: The local authentication of the user.
    ///   - now: The clock.
    /// - Returns: The client and the handler, which use the same store.
    public static func separate(
        store: any CredentialStore,
        transport: (any PushTransport)? = nil,
        policyEvaluator: FRAPolicyEvaluator = FRAPolicyEvaluator(),
        localAuthentication: (any LocalAuthenticating)? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> (client: FRAClient, handler: FRAPushHandler) {
        var configuration = Authenticator.Configuration()
        configuration.store = { store }
        if let transport { configuration.transport = transport }
        configuration.deviceName = { "iOS device" }
        configuration.localAuthentication = localAuthentication
        configuration.policyEvaluator = policyEvaluator
        configuration.now = now
        let authenticator = Authenticator(configuration)
        return (FRAClient(authenticator), FRAPushHandler(authenticator))
    }

    /// Creates the store through which a client uses an app's own storage.
    public static func store(on storage: any StorageClient) -> any CredentialStore {
        StorageClientStore(storage)
    }

    /// Creates the store through which a client uses the legacy SDK's own items.
    /// - Parameters:
    ///   - keychain: The keychain with the items.
    ///   - key: Decrypts and encrypts items; `nil` if no item is encrypted.
    /// - Returns: The store.
    public static func storeInPlace(
        _ keychain: any StandardStore.Keychain,
        key: (any LegacyItemKey)? = nil
    ) -> any CredentialStore {
        LegacyItemStore(LegacyKeychain(keychain, key: key))
    }
}

extension FRAPushHandler {
    /// Registers a device token as the app delegate's callback does, and reports the end of the registration.
    /// - Parameters:
    ///   - deviceToken: The token.
    ///   - completion: Called once, on any thread: after the requests to all servers that need the token have
    ///     ended, or if the token could not be stored.
    public func register(
        _ deviceToken: Data,
        completion: @escaping @Sendable () -> Void
    ) {
        didRegister(deviceToken, whenSent: completion)
    }
}
