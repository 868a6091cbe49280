import FRAuthenticator
package import Foundation
package import PingAMSimulator
package import PingPush
import PushBridgeCommandLine
package import PushBridgeCore
package import PushBridgeInternals
package import PushBridgePlatform
@_spi(PushBridgeTools) package import PushBridgeStore

/// The server, the store and the device of a side, or of both sides if they share everything.
///
/// All environments start in the same state.
package final class SideEnvironment: Sendable {
    package let settings: ScenarioSettings
    package let server: Simulator
    package let phone: Phone
    let changes: SideChanges
    let options: PlayOptions
    private let home: StoreHome
    private let transport: RecordingTransport

    init(_ settings: ScenarioSettings, changes: SideChanges, in options: PlayOptions) throws {
        let phone = Phone()
        self.settings = settings
        self.options = options
        self.changes = changes
        self.phone = phone
        home = try StoreHome(settings.store ?? .memory)
        if let keychain = home.keychain { try changes.prepare(keychain) }
        server = Simulator(settings: ServiceSettings(settings), now: { phone.now })
        transport = RecordingTransport(server)
    }

    /// The legacy SDK's items; `nil` if the side does not work in place.
    package var keychain: InMemoryKeychain? { home.keychain }

    /// Returns the records of the store, even while the device is locked.
    package func contents() throws -> StoreContents {
        keychain?.isLocked = false
        defer { keychain?.isLocked = phone.isLocked }
        return try home.store.contents()
    }

    /// Changes the state of the device.
    ///
    /// The change can affect which items are readable.
    func change(_ change: Step.Device) {
        phone.change(change)
        keychain?.isLocked = phone.isLocked
    }

    /// The store that the side uses.
    package var storeOfSide: any CredentialStore {
        let phone = phone
        // If the side works in place, its keychain is locked with the device, so the store needs no lock of its own.
        guard keychain == nil else { return changes.store(home.store) }
        return changes.store(LockableStore(home.store) { phone.isLocked })
    }

    /// The transport that the side uses.
    package var transportOfSide: any PushTransport { changes.transport(transport, self) }

    /// The policies that the clients of the scenario can evaluate.
    package var policies: [any AccountPolicy & MfaPolicy] {
        guard settings.policies == true else { return [] }
        let phone = phone
        return [
            BiometricAvailablePolicy(isAvailable: { phone.hasBiometrics }),
            DeviceTamperingPolicy(score: { phone.tampering }),
        ]
    }

    /// Returns the time-outs of all requests that were sent since the last call of this function.
    func takeTimeouts() -> [TimeInterval] { transport.takeSent().map(\.timeout) }

    func reopenStore() throws {
        try home.reopen()
    }

    func end() throws {
        server.releaseResponses()
        try home.close()
    }

    /// Stops the server and closes the store after a failure.
    ///
    /// Further errors are ignored.
    func abandon() {
        do {
            try end()
        } catch {
            return
        }
    }
}

/// Deliberate changes to the behaviour of a side, with which tests verify that the comparison finds differences.
package struct SideChanges: Sendable {
    package var transport: @Sendable (any PushTransport, SideEnvironment) -> any PushTransport = {
        transport,
        _ in
        transport
    }
    package var store: @Sendable (any CredentialStore) -> any CredentialStore = { $0 }
    package var side: @Sendable (any ParitySide) -> any ParitySide = { $0 }
    /// Adds the items of an earlier release to a keychain.
    package var prepare: @Sendable (InMemoryKeychain) throws -> Void = { _ in }

    /// The time limit for a call; after this time, the side counts as blocked.
    package var patience = Duration.seconds(120)

    package init() {}
}

extension ServiceSettings {
    fileprivate init(_ settings: ScenarioSettings) {
        self.init()
        seed = settings.seed ?? 1
        allowsSeveralDevices = settings.severalDevices ?? false
        version = settings.version ?? version
        sender = settings.sender ?? sender
        realmStyle =
            switch settings.addresses ?? .short {
            case .short: .short
            case .full: .full
            case .query: .query
            }
        topology =
            switch settings.nodes ?? .single {
            case .single, .tokenStore: .single
            case .balanced: .balanced(nodes: ["01", "02"], tokenStore: false)
            }
    }
}

extension SideEnvironment {
    /// Waits until a condition is met or the time limit expires.
    ///
    /// A condition that is not met in time is no error here, because it results in a difference.
    func waitUntil(_ condition: @Sendable () -> Bool) async {
        let end = ContinuousClock.now + changes.patience
        while !condition(), ContinuousClock.now < end {
            do {
                try await Task.sleep(for: .milliseconds(1))
            } catch {
                return
            }
        }
    }
}

/// The simulated device of a side, and its clock.
///
/// Policies examine this device.
package final class Phone: Sendable {
    private struct State {
        var now = Date(timeIntervalSince1970: 1_700_000_000)
        var hasBiometrics = true
        var tampering = 0.0
        var isLocked = false
        var refusesFace = false
    }

    private let state = Lock(State())

    package init() {}

    package var now: Date { state.withValue(\.now) }

    package var hasBiometrics: Bool { state.withValue(\.hasBiometrics) }

    package var tampering: Double { state.withValue(\.tampering) }

    package var isLocked: Bool { state.withValue(\.isLocked) }

    package var refusesFace: Bool { state.withValue(\.refusesFace) }

    func advance(_ seconds: Double) {
        state.withValue { $0.now += seconds }
    }

    func change(_ change: Step.Device) {
        state.withValue { state in
            state.hasBiometrics = change.biometrics ?? state.hasBiometrics
            state.tampering = change.tampering ?? state.tampering
            state.isLocked = change.isLocked ?? state.isLocked
            state.refusesFace = change.refusesFace ?? state.refusesFace
        }
    }
}

/// The storage of a side.
///
/// At a restart, a store in a file is opened again. The contents of other stores are kept.
package final class StoreHome: Sendable {
    /// The legacy SDK's items; `nil` if the side does not work in place.
    let keychain: InMemoryKeychain?
    private let current: Lock<any CredentialStore>
    private let folder: URL?
    private let key = InMemorySealingKey()

    package init(_ kind: ScenarioSettings.Store) throws {
        switch kind {
        case .memory:
            (folder, keychain) = (nil, nil)
            current = Lock(MemoryCredentialStore())
        case .inPlace:
            let keychain = InMemoryKeychain()
            (folder, self.keychain) = (nil, keychain)
            current = Lock(FRAClient.storeInPlace(keychain))
        case .sqlite:
            keychain = nil
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("push-parity-\(UUID().uuidString)")
            let properties: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: properties
            )
            self.folder = folder
            current = Lock(try Self.open(folder, key: key))
        }
    }

    package var store: any CredentialStore { current.withValue { $0 } }

    func reopen() throws {
        if let keychain { current.withValue { $0 = FRAClient.storeInPlace(keychain) } }
        guard let folder else { return }
        try current.withValue { store in
            try (store as? SQLiteCredentialStore)?.close()
            store = try Self.open(folder, key: key)
        }
    }

    package func close() throws {
        guard let folder else { return }
        try current.withValue { try ($0 as? SQLiteCredentialStore)?.close() }
        try FileManager.default.removeItem(at: folder)
    }

    private static func open(_ folder: URL, key: InMemorySealingKey) throws -> any CredentialStore {
        try SQLiteCredentialStore(
            path: folder.appendingPathComponent("push.sqlite").path,
            key: key,
            mode: .create
        )
    }
}
