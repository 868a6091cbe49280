@_spi(PushBridgeTools) import FRAuthenticator
import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Removal of accounts that begins at the server.
@Suite("Removal of accounts at the server")
struct AccountRemovalTests {
    @Test(arguments: StoreKind.allCases, ServerVersion.allCases)
    func profileGoesFirstAndThenTheAccount(_ kind: StoreKind, _ version: ServerVersion) async throws {
        let phone = try await Phone(kind, version)
        #expect(try await phone.remove() == .removed)
        #expect(phone.server.withService(\.devices).isEmpty)
        #expect(phone.account == nil)
    }

    @Test func accountOfBothKindsGoesAsAWhole() async throws {
        let phone = try await Phone(.memory, .v8_0_2, codes: OneTimeCodeOrder())
        #expect(phone.account?.mechanisms.count == 2)
        phone.server.withService { $0.arm(.dropConnection, action: .unregister) }
        #expect(try await phone.remove() == .owed(.unreachable))
        #expect(phone.account?.mechanisms.count == 2)
        #expect(try await phone.remove() == .removed)
        #expect(phone.account == nil)
    }

    @Test func whatIsOwedIsTriedAgainByEitherAPI() async throws {
        for byTheOther in [false, true] {
            let phone = try await Phone(.sqlite, .v8_0_2, codes: OneTimeCodeOrder())
            #expect(try await phone.remove(hasSession: false) == .owed(.noSession))
            #expect(phone.account?.mechanisms.count == 2)
            if byTheOther {
                let (store, server) = (phone.store, phone.server)
                let client = try await PushClient.createClient { config in
                    config.storage = CredentialStoreStorage(store)
                    config.transport = server
                    config.logger = LogManager.none
                }
                let outcomes = try await client.retryOwedRemovals { _ in server.session }
                #expect(Array(outcomes.values) == [.removed])
            } else {
                let outcomes = try await phone.told { succeed, fail in
                    phone.client.retryOwedRemovals(
                        unregistering: { $1(phone.server.session) },
                        onSuccess: succeed,
                        onError: fail
                    )
                }
                #expect(Array(outcomes.values) == [.removed])
            }
            #expect(phone.server.withService(\.devices).isEmpty)
            #expect(phone.account == nil)
        }
    }

    @Test func accountWithoutPushNeedsNoServer() async throws {
        let phone = try await Phone(.memory, .v8_0_2, codes: OneTimeCodeOrder())
        let account = try #require(phone.account)
        let push = try #require(account.mechanisms.first { $0 is PushMechanism })
        #expect(phone.client.removeMechanism(mechanism: push))
        let asked = phone.server.journal.count
        #expect(try await phone.remove() == .removed)
        #expect(phone.account == nil)
        #expect(phone.server.journal.count == asked)
    }

    @Test func sessionMayBeToldLateAndTwice() async throws {
        let phone = try await Phone(.memory, .v8_0_2)
        let account = try #require(phone.account)
        let outcome: RemovalOutcome = try await phone.told { succeed, fail in
            let answer = { (mechanism: PushMechanism, answer: @escaping (ServerSession?) -> Void) in
                #expect(mechanism.accountName == "demo")
                answer(phone.server.session)
                answer(nil)
            }
            phone.client.removeAccount(
                account: account,
                unregistering: answer,
                onSuccess: succeed,
                onError: fail
            )
        }
        #expect(outcome == .removed)
    }

    /// The process dies at every step of the store and of the network.
    @Test func killedAnywhereNothingIsGoneHereAndAliveThere() async throws {
        for version in [ServerVersion.v8_0_0, .v8_0_2] {
            var step = 0
            var isOver = false
            while !isOver {
                step += 1
                let phone = try await Phone(.sqlite, version, codes: version == .v8_0_2 ? .init() : nil)
                let dying = FaultyStore(phone.store, failingAt: step)
                let client = Phone.client(dying, FaultyTransport(phone.server, dyingWith: dying))
                _ = try? await phone.remove(with: client)
                isOver = dying.operations < step
                let isHere = phone.account != nil
                #expect(isHere || phone.server.withService(\.devices).isEmpty, "step \(step)")
                let owed = try phone.store.read { try $0.credentialsOwingRemoval() }
                #expect(!isHere || !owed.isEmpty || !phone.server.withService(\.devices).isEmpty)
                if isHere { #expect(try await phone.remove() == .removed) }
                #expect(phone.account == nil)
                #expect(phone.server.withService(\.devices).isEmpty)
            }
            #expect(step > 8)
        }
    }
}

private struct Phone {
    let server: Simulator
    let store: any CredentialStore
    let client: FRAClient
    private let folder: TemporaryFolder?

    init(_ kind: StoreKind, _ version: ServerVersion, codes: OneTimeCodeOrder? = nil) async throws {
        var settings = ServiceSettings()
        settings.version = version
        server = Simulator(settings: settings)
        switch kind {
        case .memory: (store, folder) = (MemoryCredentialStore(), nil)
        case .storageClient: (store, folder) = (FRAClient.store(on: ArchivingStorage()), nil)
        case .sqlite:
            let new = try TemporaryFolder()
            folder = new
            let path = new.path("push.sqlite")
            store = try SQLiteCredentialStore(path: path, key: InMemorySealingKey(), mode: .create)
        }
        client = Self.client(store, server)
        try store.write { try $0.save(PushBridgeCore.PushDeviceToken(tokenId: "aa", createdAt: Date())) }
        var order = RegistrationOrder(issuer: "Forge", account: "demo")
        order.codes = codes
        let url = try #require(URL(string: try server.createCode(order).uri))
        let client = client
        let report = await outcome { succeed, fail in
            client.createMechanismFromUri(uri: url, onSuccess: { _ in succeed() }, onError: fail)
        }
        #expect(report.error == nil)
    }

    static func client(_ store: any CredentialStore, _ transport: any PushTransport) -> FRAClient {
        var configuration = Authenticator.Configuration()
        configuration.store = { store }
        configuration.deviceName = { "Phone" }
        configuration.transport = transport
        return FRAClient(Authenticator(configuration))
    }

    var account: Account? { client.getAccount(identifier: "Forge-demo") }

    func remove(with other: FRAClient? = nil, hasSession: Bool = true) async throws -> RemovalOutcome {
        let account = try #require(account)
        let session = hasSession ? server.session : nil
        return try await told { succeed, fail in
            (other ?? client).removeAccount(
                account: account,
                unregistering: { _, answer in answer(session) },
                onSuccess: succeed,
                onError: fail
            )
        }
    }

    /// Makes a call and waits for what it tells.
    func told<Value: Sendable>(
        _ call: (@escaping (Value) -> Void, @escaping ErrorCallback) -> Void
    ) async throws -> Value {
        let value = Lock<Value?>(nil)
        let report = await outcome { succeed, fail in
            call(
                { told in
                    value.withValue { $0 = told }
                    succeed()
                },
                fail
            )
        }
        if let error = report.error { throw error }
        return try #require(value.withValue { $0 })
    }
}

extension Simulator {
    fileprivate var session: ServerSession {
        ServerSession(value: withService { $0.createSession(for: "demo") }, userId: "demo")
    }
}
