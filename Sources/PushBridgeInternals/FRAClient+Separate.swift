public import FRAuthenticator
public import Foundation
public import LegacyStore
public import PushBridgeCore
public import PushBridgePlatform
public import PushBridgeStore

extension FRAClient {
    /// Creates a separate client and push handler, apart from those of the process.
    ///
    /// - Parameters:
    ///   - store: Where credentials are kept.
    ///   - transport: Carries requests to the server; `nil` is the process's own.
    ///   - policyEvaluator: Knows the policies.
    ///   - localAuthentication: Asks the user to prove that it is them.
    ///   - now: The clock.
    /// - Returns: The client and the handler, on the same store.
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

    /// The store that a client makes of an app's own storage.
    public static func store(on storage: any StorageClient) -> any CredentialStore {
        StorageClientStore(storage)
    }

    /// The store that a client has on the legacy SDK's own items.
    /// - Parameters:
    ///   - keychain: The keychain with the items.
    ///   - key: Opens and seals items; `nil` where none is sealed.
    /// - Returns: The store.
    public static func storeInPlace(
        _ keychain: any StandardStore.Keychain,
        key: (any LegacyItemKey)? = nil
    ) -> any CredentialStore {
        LegacyItemStore(LegacyKeychain(keychain, key: key))
    }
}

extension FRAPushHandler {
    /// Does what the app delegate's call with a device token does, and says when it is over.
    /// - Parameters:
    ///   - deviceToken: The token.
    ///   - completion: Called once, on any thread, when all servers without the token were asked.
    public func register(
        _ deviceToken: Data,
        completion: @escaping @Sendable () -> Void
    ) {
        didRegister(deviceToken, whenTold: completion)
    }
}
