import FRAuthenticator
import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Which of the two APIs an app uses.
enum API: CaseIterable, Sendable {
    case legacy
    case async
}

/// Lets those who pass wait while it is shut.
final class Gate: @unchecked Sendable {
    // Every access to `isShut` happens while `condition` is locked.
    private var isShut = false
    private let condition = NSCondition()

    func shut() { condition.withLock { isShut = true } }

    func open() {
        condition.withLock {
            isShut = false
            condition.broadcast()
        }
    }

    func pass() {
        condition.withLock {
            let limit = Date() + TimeInterval(WaitedInVain.seconds)
            while isShut, condition.wait(until: limit) {}
        }
    }
}

/// A store that can be locked, as before the first unlock, or late.
final class LockableStore: CredentialStore, RecordStore {
    private let records: any RecordStore
    let isLocked = Guarded(false)
    let gate = Gate()

    init(_ store: any CredentialStore) {
        records = store.backing.records
    }

    var backing: StoreBacking { StoreBacking(self) }
    var changes: AsyncStream<Void> { records.changes }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try check()
        return try records.read(body)
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try check()
        return try records.write(body)
    }

    private func check() throws {
        gate.pass()
        if isLocked.withValue({ $0 }) {
            throw StoreError(.locked, reason: "The device was not unlocked yet.")
        }
    }
}

/// A phone with an app of one API, and its server; both by clocks that stand still.
final class Phone: Sendable {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    let api: API
    let store: LockableStore
    let server: Simulator
    let clock = TestClock()
    let time: Guarded<Date>
    let handler: FRAPushHandler
    let legacyClient: FRAClient
    let client: PushClient
    /// How often completion handlers of the legacy API were called.
    let calls = Guarded(0)

    /// Launches an app, for the first time or after an earlier launch.
    init(
        _ api: API,
        settings: ServiceSettings = ServiceSettings(),
        on store: any CredentialStore = MemoryCredentialStore(),
        after earlier: Phone? = nil,
        hooks: NetworkHooks = NetworkHooks(),
        configure: (PushConfiguration) -> Void = { _ in }
    ) async throws {
        let time = earlier?.time ?? Guarded(Self.start)
        let server = earlier?.server ?? Simulator(settings: settings, now: { time.withValue { $0 } })
        let locked = earlier?.store ?? LockableStore(store)
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
    @discardableResult
    func enrol(_ account: String = "demo") async throws -> PushBridgeCore.PushCredential {
        let order = RegistrationOrder(issuer: "Example", account: account, realm: "/alpha")
        let uri = try server.createRegistration(order).uri(labelIssuer: "forgerock")
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

    /// Has the server send a push, and tells its payload as the system hands it over.
    func push(
        _ type: PushBridgeCore.PushType = .default,
        to credential: PushBridgeCore.PushCredential,
        configure: (inout PushOrder) -> Void = { _ in }
    ) throws -> (userInfo: JSONValue, messageId: String, number: Int?) {
        var order = PushOrder(mechanismUid: credential.id, type: type, numbers: "34,43,57")
        configure(&order)
        let push = try server.createPush(order)
        return (push.payload, push.messageId, push.number)
    }

    func advance(_ seconds: TimeInterval) { time.withValue { $0 += seconds } }

    /// The answers that reached the server.
    var answers: Int { server.journal.count { $0.action == "authenticate" } }
    /// How often the server was told a device token.
    var refreshes: Int { server.journal.count { $0.action == "refresh" } }

    func stored() throws -> [PushBridgeCore.PushNotification] {
        try store.read { try $0.notifications(.all).values }
    }
}

// What the delegates of an app ask, in the API of the phone; `nil` if the push is not ours.
extension Phone {
    func process(_ userInfo: JSONValue) async throws {
        switch api {
        case .legacy: _ = handler.application(.shared, didReceiveRemoteNotification: userInfo.userInfo)
        case .async: _ = try await client.processNotification(userInfo: userInfo.userInfo)
        }
    }

    func presentation(of userInfo: JSONValue) async -> PushPresentation? {
        switch api {
        case .legacy: await called { handler.presentation(of: userInfo.userInfo, completion: $0) }
        case .async: await client.presentation(of: userInfo.userInfo)
        }
    }

    func backgroundResult(of userInfo: JSONValue) async -> PushBackgroundResult? {
        switch api {
        case .legacy:
            await called { done in
                handler.application(
                    .shared,
                    didReceiveRemoteNotification: userInfo.userInfo,
                    fetchCompletionHandler: { done(PushBackgroundResult(rawValue: $0.rawValue) ?? .failed) }
                )
            }
        case .async: await client.backgroundResult(of: userInfo.userInfo)
        }
    }

    func perform(_ actionId: String, _ userInfo: JSONValue, text: String? = nil) async -> PushReaction {
        switch api {
        case .legacy:
            await called {
                handler.perform(actionId, userInfo: userInfo.userInfo, text: text, completion: $0)
            } ?? .foreign
        case .async: await client.perform(actionId, userInfo: userInfo.userInfo, text: text)
        }
    }

    /// The message ids of those that can still be answered.
    func receive(delivered: [JSONValue], at dates: [Date] = []) async -> [String] {
        let delivered = delivered.map(\.userInfo)
        switch api {
        case .legacy: return handler.receive(delivered: delivered, at: dates).map(\.messageId)
        case .async: return await client.receive(delivered: delivered, at: dates).map(\.messageId)
        }
    }

    /// Approves what the app finds in its store, in one order or the other.
    /// - Returns: How many pushes there were to answer.
    func answerPending(reversed: Bool) async throws -> Int {
        switch api {
        case .legacy:
            let found = legacyClient.getAllNotifications().filter(\.isPending)
            for push in reversed ? found.reversed() : found {
                try await waitForCall("the answer") { done in
                    push.accept(onSuccess: { done(()) }, onError: { _ in done(()) })
                }
            }
            return found.count
        case .async:
            let found = try await client.getPendingNotifications()
            for push in reversed ? found.reversed() : found {
                // Refused if the other end was first.
                do { _ = try await client.approveNotification(push.id) } catch is PushError { continue }
            }
            return found.count
        }
    }

    func badge() async throws -> Int {
        switch api {
        case .legacy: handler.badge
        case .async: try await client.badge()
        }
    }

    func setToken(_ bytes: [UInt8]) async throws {
        switch api {
        case .legacy:
            try await waitForCall("the servers to be told") { told in
                handler.didRegister(Data(bytes)) { told(()) }
            }
        case .async: try await client.setDeviceToken(Data(bytes))
        }
    }

    /// Waits for a completion handler; `nil` if the push was left alone.
    private func called<Value: Sendable>(_ ask: (@escaping (Value) -> Void) -> Bool) async -> Value? {
        let (told, calls) = (Awaited<Value>(), calls)
        let isOurs = ask { value in
            calls.withValue { $0 += 1 }
            told.come(value)
        }
        guard isOurs else { return nil }
        do {
            return try await told.value("the completion handler")
        } catch {
            Issue.record(error)
            return nil
        }
    }
}

extension JSONValue {
    /// The payload as the platform hands it out.
    var userInfo: [AnyHashable: Any] { foundationValue as? [AnyHashable: Any] ?? [:] }
}

extension ServiceSettings {
    static func version(_ version: ServerVersion) -> ServiceSettings {
        var settings = ServiceSettings()
        settings.version = version
        return settings
    }
}
