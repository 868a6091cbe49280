import FRAuthenticator
import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PingPush
import PushBridgeCore
import PushBridgeInternals
import PushBridgeTestSupport
import Testing

/// The legacy API and the async API on one store, with a push service on loopback.
struct BothApis {
    let store = MemoryCredentialStore()
    let server: SimulatorServer
    let legacy: FRAClient
    let handler: FRAPushHandler
    let client: PushClient

    init(
        policyEvaluator: FRAPolicyEvaluator = FRAPolicyEvaluator(),
        localAuthentication: (any FRAClient.LocalAuthenticating)? = nil,
        new configureNew: (PushConfiguration) -> Void = { _ in }
    ) async throws {
        server = try await SimulatorServer.start()
        server.simulator.withService { $0.settings.allowsSeveralDevices = true }
        let store = store
        (legacy, handler) = FRAClient.separate(
            store: store,
            policyEvaluator: policyEvaluator,
            localAuthentication: localAuthentication
        )
        client = try await PushClient.createClient { config in
            config.storage = CredentialStoreStorage(store)
            config.logger = LogManager.none
            config.timeout = 600  // Requests can take long on a busy machine.
            configureNew(config)
        }
        try await client.setDeviceToken(Data([0xf7, 0x9b]))
    }

    func code(_ account: String = "alice", policies: String? = nil) throws -> String {
        var order = RegistrationOrder(issuer: "Example", account: account)
        order.account.policies = policies
        return try server.simulator.createRegistration(order).uri(labelIssuer: "forgerock")
    }

    func enrol(_ account: String = "alice") async throws -> PushCredential {
        try await client.addCredentialFromUri(try code(account))
    }

    /// Returns a login in the form in which APNs delivers it.
    func login(
        _ credential: PushCredential,
        _ type: PushBridgeCore.PushType = .default
    ) throws -> [AnyHashable: Any] {
        let order = PushOrder(mechanismUid: credential.id, type: type, numbers: "34,43,57")
        let push = try server.simulator.createPush(order)
        let object = try JSONSerialization.jsonObject(with: push.payload.data)
        return try #require(object as? [AnyHashable: Any])
    }

    /// Receives a login, and returns the notification of each API.
    func receive(
        _ credential: PushCredential,
        _ type: PushBridgeCore.PushType = .default
    ) async throws -> (FRAuthenticator.PushNotification, PushBridgeCore.PushNotification) {
        let login = try login(credential, type)
        let old = handler.application(UIApplication.shared, didReceiveRemoteNotification: login)
        let push = try #require(old)
        let all = try await client.getAllNotifications()
        return (push, try #require(all.first { $0.messageId == push.messageId }))
    }
}

/// Returns the error that a legacy call reports; `nil` if the call succeeds.
func legacyError(
    _ call: (@escaping SuccessCallback, @escaping ErrorCallback) -> Void
) async -> (any Error)? {
    do {
        return try await waitForCall("the call's callback") { report in
            call({ report(nil) }, { report($0) })
        }
    } catch {
        return error
    }
}
