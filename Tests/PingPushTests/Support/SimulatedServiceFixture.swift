import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import Testing

/// A client and a simulated push service.
struct SimulatedServiceFixture {
    /// A timeout that is far longer than any request needs, because on a busy machine all requests may have
    /// to wait.
    static let timeout: TimeInterval = 600

    let fixture: PushClientFixture
    let server: Simulator

    var client: PushClient { fixture.client }

    init(
        _ kind: StoreKind,
        settings: ServiceSettings = ServiceSettings(),
        configure: (PushConfiguration) -> Void = { _ in }
    ) async throws {
        let server = Simulator(settings: settings)
        self.server = server
        fixture = try await PushClientFixture(kind) { config in
            config.transport = server
            config.timeout = Self.timeout
            configure(config)
        }
    }

    func enrol(
        _ account: String = "demo",
        policies: String? = nil,
        realm: Realm = "/alpha"
    ) async throws -> PushCredential {
        var order = RegistrationOrder(issuer: "Example", account: account, realm: realm)
        order.account.policies = policies
        let uri = try server.createRegistration(order).uri(labelIssuer: "forgerock")
        return try await client.addCredentialFromUri(uri)
    }

    /// Creates a login push at the service and passes it to the client as APNs would.
    func receive(
        _ type: PushType = .default,
        for credential: PushCredential,
        configure: (inout PushOrder) -> Void = { _ in }
    ) async throws -> PushNotification {
        var order = PushOrder(mechanismUid: credential.id, type: type, numbers: "34,43,57")
        configure(&order)
        let push = try server.createPush(order)
        return try #require(await client.processNotification(message: push.payload.text))
    }

    func state(of push: PushNotification) -> PushState? { server.state(ofPush: push.messageId) }

    var actions: [String] { server.journal.map { "\($0.action) \($0.status ?? 0)" } }
}
