package import FRAuthenticator
package import Foundation
package import PingAMSimulator
package import PingPush
package import PushBridgeCore
package import PushBridgePlatform
import PushBridgeStore
package import PushBridgeTestSupport
import Testing

/// The API that an app uses.
package enum API: CaseIterable, Sendable {
    case legacy
    case async
}

/// A phone with an app and its server.
///
/// The app uses one of the two APIs, on a store that both APIs can use. Only the test advances the clocks.
package final class Phone: Sendable {
    /// The initial time of the phone's clock.
    package static let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// The API of the app.
    package let api: API
    package let store: GatedLockableStore
    package let server: Simulator
    package let clock = TestClock()
    package let time: Guarded<Date>
    package let handler: FRAPushHandler
    package let legacyClient: FRAClient
    package let client: PushClient
    /// The number of calls to the legacy API's completion handlers.
    package let calls = Guarded(0)

    /// Launches an app.
    ///
    /// If `earlier` is set, the app is launched again on the same store. If `neighbour` is set, the app is
    /// launched on another phone with the same server and the same clock.
    package init(
        _ api: API,
        settings: ServiceSettings = ServiceSettings(),
        on store: any CredentialStore = MemoryCredentialStore(),
        beside neighbour: Phone? = nil,
        after earlier: Phone? = nil,
        hooks: NetworkHooks = NetworkHooks(),
        configure: (PushConfiguration) -> Void = { _ in }
    ) async throws {
        let known = earlier ?? neighbour
        let time = known?.time ?? Guarded(Self.start)
        let server = known?.server ?? Simulator(settings: settings, now: { time.withValue { $0 } })
        let locked = earlier?.store ?? GatedLockableStore(store)
        self.api = api
        self.store = locked
        self.time = time
        self.server = server
        var legacy = Authenticator.Configuration()
        legacy.store = { locked }
        legacy.transport = server
        legacy.deviceName = { "Phone" }
        legacy.now = { time.withValue { $0 } }
        legacy.clock = clock
        legacy.hooks = hooks
        let authenticator = Authenticator(legacy)
        handler = FRAPushHandler(authenticator)
        legacyClient = FRAClient(authenticator)
        let clock = clock
        client = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(locked)
            configuration.transport = server
            configuration.deviceName = "Phone"
            configuration.logger = LogManager.none
            configuration.timeout = 600
            configuration.now = { time.withValue { $0 } }
            configuration.clock = clock
            configuration.hooks = hooks
            configure(configuration)
        }
    }

    /// Registers with the server.
    ///
    /// If `userId` is set, the server uses this id for the user. If `codes` is set, the registration URI also enrols a
    /// one-time-password credential.
    @discardableResult
    package func enrol(
        _ account: String = "demo",
        userId: String? = nil,
        codes: OneTimeCodeOrder? = nil
    ) async throws -> PushBridgeCore.PushCredential {
        var order = RegistrationOrder(issuer: "Example", account: account, realm: "/alpha")
        (order.userId, order.codes) = (userId, codes)
        let uri = try server.createCode(order).uri
        let isFirst = try await client.getDeviceToken() == nil
        switch api {
        case .legacy:
            if isFirst { handler.didRegister(Data([0x00, 0xFF])) }
            let url = try #require(URL(string: uri))
            let id = try await waitForCall("the registration") { made in
                legacyClient.createMechanismFromUri(
                    uri: url,
                    onSuccess: { made($0.mechanismUUID) },
                    onError: { _ in made("") }
                )
            }
            return try #require(try store.read { try $0.pushCredential(id: id) })
        case .async:
            if isFirst { try await client.setDeviceToken("00ff") }
            return try await client.addCredentialFromUri(uri)
        }
    }

    /// Creates a push on the server.
    ///
    /// Returns the payload in the form in which the system delivers it, the message id, and the number to choose.
    package func push(
        _ type: PushBridgeCore.PushType = .default,
        to credential: PushBridgeCore.PushCredential,
        configure: (inout PushOrder) -> Void = { _ in }
    ) throws -> (userInfo: JSONValue, messageId: String, number: Int?) {
        var order = PushOrder(mechanismUid: credential.id, type: type, numbers: "34,43,57")
        configure(&order)
        let push = try server.createPush(order)
        return (push.payload, push.messageId, push.number)
    }

    /// Advances the time of the phone and the server.
    package func advance(_ seconds: TimeInterval) { time.withValue { $0 += seconds } }

    /// The number of answers that reached the server.
    package var answers: Int { server.journal.count { $0.action == "authenticate" } }
    /// The number of token updates that the server received.
    package var refreshes: Int { server.journal.count { $0.action == "refresh" } }

    /// Returns the pushes in the store.
    package func stored() throws -> [PushBridgeCore.PushNotification] {
        try store.read { try $0.notifications(.all).values }
    }
}

extension ServiceSettings {
    package static func version(_ version: ServerVersion) -> ServiceSettings {
        var settings = ServiceSettings()
        settings.version = version
        return settings
    }
}
