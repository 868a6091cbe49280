import Foundation
package import PingAMSimulator
package import PushBridgeCore
package import PushBridgePlatform

/// One side's surroundings: a server, a store and a device of its own, equal to those of the other side.
package final class World: Sendable {
    package let settings: ScenarioSettings
    package let server: Simulator
    package let phone: Phone
    let wrapping: Wrapping
    private let home: StoreHome
    /// The requests that are over, from the side's point of view.
    let exchanges = Exchanges()
    private let sent: SentTimeouts

    static func make(_ settings: ScenarioSettings, wrapping: Wrapping) async throws -> World {
        let phone = Phone()
        let server = Simulator(settings: ServiceSettings(settings), now: { phone.now })
        let home = try StoreHome(settings.store ?? .memory)
        return World(settings, server: server, phone: phone, home: home, wrapping: wrapping)
    }

    private init(
        _ settings: ScenarioSettings,
        server: Simulator,
        phone: Phone,
        home: StoreHome,
        wrapping: Wrapping
    ) {
        self.settings = settings
        self.server = server
        self.phone = phone
        self.home = home
        self.wrapping = wrapping
        sent = SentTimeouts()
    }

    /// The store as it is.
    package var store: any CredentialStore { home.store }

    /// The store as the side sees it.
    package var storeOfSide: any CredentialStore { wrapping.store(home.store) }

    /// A new way to the server that remembers the time-outs asked for.
    package func makeTransport() -> any PushTransport {
        CountingTransport(wrapping.transport(TimedTransport(server, sent), self), exchanges)
    }

    /// The policies that the scenario's clients know.
    package var policies: [any MfaPolicy] {
        guard settings.policies == true else { return [] }
        let phone = phone
        return [
            BiometricAvailablePolicy(isAvailable: { phone.hasBiometrics }),
            DeviceTamperingPolicy(score: { phone.tampering }),
        ]
    }

    /// The time-outs of the requests since the last call.
    func takeTimeouts() -> [TimeInterval] { sent.take() }

    func reopenStore() throws {
        try home.reopen()
    }

    func end() async throws {
        server.releaseResponses()
        try home.close()
    }

    /// Ends after a failure, which tells more than what ending may meet with.
    func abandon() async {
        do {
            try await end()
        } catch {
            return
        }
    }
}

/// What a test puts between a side and its surroundings, to see that the comparison notices.
package struct Wrapping: Sendable {
    package var transport: @Sendable (any PushTransport, World) -> any PushTransport = { transport, _ in
        transport
    }
    package var store: @Sendable (any CredentialStore) -> any CredentialStore = { $0 }
    package var side: @Sendable (any ParitySide) -> any ParitySide = { $0 }

    /// How long a side may take to do what it never does.
    package var patience = Duration.seconds(120)

    package init() {}
}

extension ServiceSettings {
    fileprivate init(_ settings: ScenarioSettings) {
        self.init()
        seed = settings.seed ?? 1
        realmStyle =
            switch settings.addresses ?? .short {
            case .short: .short
            case .full: .full
            case .query: .query
            }
        topology =
            switch settings.nodes ?? .single {
            case .single: .single(.local)
            case .tokenStore: .single(.tokenStore)
            case .balanced: .balanced(nodes: ["01", "02"], tokenStore: false)
            }
    }
}
