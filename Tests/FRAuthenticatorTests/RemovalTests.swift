import FRAuthenticator
import Foundation
import LegacyStore
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// Removals of accounts, which start at the server.
@Suite("Removal of accounts from the server")
struct AccountRemovalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns a phone that has enrolled an account at a server of the given version.
    private func enrolled(
        _ kind: StoreKind,
        _ version: ServerVersion,
        codes: OneTimeCodeOrder? = nil
    ) async throws -> Phone {
        let store: any CredentialStore =
            switch kind {
            case .memory: MemoryCredentialStore()
            case .keychain: KeychainCredentialStore(keychain: InMemoryKeychain())
            case .storageClient: StorageClientStore(ArchivingStorage())
            case .inPlace: LegacyItemStore(LegacyKeychain(InMemoryKeychain()))
            case .sqlite:
                try SQLiteCredentialStore(
                    path: folder.path("\(UUID().uuidString).sqlite"),
                    key: InMemorySealingKey(),
                    mode: .create
                )
            }
        let phone = try await Phone(.legacy, settings: .version(version), on: store)
        try await phone.enrol(codes: codes)
        return phone
    }

    @Test(arguments: StoreKind.allCases, ServerVersion.allCases)
    func aRemovalDeletesTheDeviceProfileAndTheAccount(_ kind: StoreKind, _ version: ServerVersion)
        async throws
    {
        let phone = try await enrolled(kind, version)
        #expect(try await phone.remove() == .removed)
        #expect(phone.server.withService(\.devices).isEmpty)
        #expect(phone.account == nil)
        // Before AM 8.0.1, a code did not contain the id of the device profile, so the phone first searches for
        // the profile.
        let removals = phone.server.journal.filter { $0.action == "" }.map(\.method)
        #expect(removals == (version >= .v8_0_2 ? ["DELETE"] : ["GET", "DELETE"]))
    }

    @Test func anAccountWithBothMechanismsIsRemovedCompletelyOrNotAtAll() async throws {
        let phone = try await enrolled(.memory, .v8_0_2, codes: OneTimeCodeOrder())
        #expect(phone.account?.mechanisms.count == 2)
        phone.server.withService { $0.arm(.dropConnection, action: .unregister) }
        #expect(try await phone.remove() == .owed(.unreachable))
        #expect(phone.account?.mechanisms.count == 2)
        #expect(try await phone.remove() == .removed)
        #expect(phone.account == nil)
    }

    @Test func eitherAPIRetriesAFailedRemoval() async throws {
        for byTheOther in [false, true] {
            let phone = try await enrolled(.sqlite, .v8_0_2, codes: OneTimeCodeOrder())
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
                #expect(Array(try await phone.retry().values) == [.removed])
            }
            #expect(phone.server.withService(\.devices).isEmpty)
            #expect(phone.account == nil)
        }
    }

    /// The retry of a removal keeps a mechanism that was enrolled after the removal was requested.
    ///
    /// The user removes the account without a session at the server, so the removal is retried later. Before the retry,
    /// the user scans another code for the account.
    @Test(arguments: [StoreKind.memory, .sqlite, .inPlace])
    func aMechanismThatIsEnrolledAfterTheRequestStays(_ kind: StoreKind) async throws {
        let phone = try await enrolled(kind, .v8_0_2)
        #expect(try await phone.remove(hasSession: false) == .owed(.noSession))
        let url = try #require(
            URL(string: "otpauth://totp/Example:demo?secret=JBSWY3DPEHPK3PXP&issuer=Example")
        )
        let report = await outcome { success, failure in
            phone.legacyClient.createMechanismFromUri(
                uri: url,
                onSuccess: { _ in success() },
                onError: failure
            )
        }
        #expect(report.error == nil)
        #expect(Array(try await phone.retry().values) == [.removed])
        #expect(phone.account?.mechanisms.map(\.type) == ["totp"])
    }

    @Test func accountWithoutPushNeedsNoServer() async throws {
        let phone = try await enrolled(.memory, .v8_0_2, codes: OneTimeCodeOrder())
        let account = try #require(phone.account)
        let push = try #require(account.mechanisms.first { $0 is PushMechanism })
        #expect(phone.legacyClient.removeMechanism(mechanism: push))
        let asked = phone.server.journal.count
        #expect(try await phone.remove() == .removed)
        #expect(phone.account == nil)
        #expect(phone.server.journal.count == asked)
    }

    @Test func sessionThatIsProvidedTwiceIsUsedOnce() async throws {
        let phone = try await enrolled(.memory, .v8_0_2)
        let account = try #require(phone.account)
        let outcome: RemovalOutcome = try await phone.callbackValue { succeed, fail in
            let answer = { (mechanism: PushMechanism, answer: @escaping (PushServerSession?) -> Void) in
                #expect(mechanism.accountName == "demo")
                answer(phone.server.session)
                answer(nil)
            }
            phone.legacyClient.removeAccount(
                account: account,
                unregistering: answer,
                onSuccess: succeed,
                onError: fail
            )
        }
        #expect(outcome == .removed)
    }

    @Test(arguments: [StoreKind.memory, .sqlite])
    func failedRemovalIsReportedUntilItSucceeds(_ kind: StoreKind) async throws {
        let phone = try await enrolled(kind, .v8_0_2)
        let mechanism = try #require(phone.account?.mechanisms.first as? PushMechanism)
        #expect(phone.legacyClient.owedRemoval(of: mechanism) == nil)
        #expect(try await phone.remove(hasSession: false) == .owed(.noSession))
        #expect(phone.legacyClient.owedRemoval(of: mechanism)?.obstacle == .noSession)
        phone.server.withService { $0.arm(.dropConnection, action: .unregister) }
        #expect(try await phone.retry() == [mechanism.mechanismUUID: .owed(.unreachable)])
        // The result is the same after a restart.
        let restarted = Phone.client(phone.store, phone.server)
        #expect(restarted.owedRemoval(of: mechanism)?.obstacle == .unreachable)
        #expect(try await phone.retry() == [mechanism.mechanismUUID: .removed])
        #expect(phone.legacyClient.owedRemoval(of: mechanism) == nil)
    }

    /// The removal of an account does not wait for the server of another account, which never answers.
    @Test(.timeLimit(.minutes(1))) func unreachableServerDoesNotDelayOtherLogOuts() async throws {
        let phone = try await enrolled(.memory, .v8_0_2)
        #expect(try await phone.remove(hasSession: false) == .owed(.noSession))
        let asked = Lock(0)
        let client = Phone.client(phone.store, HalfDead(server: phone.server, asked: asked))
        try await phone.enrol("babs")
        let account = try #require(client.getAccount(identifier: "Example-babs"))
        let server = phone.server
        let outcome: RemovalOutcome = try await phone.callbackValue { succeed, fail in
            client.removeAccount(
                account: account,
                unregistering: { $1(server.session(of: $0.accountName)) },
                onSuccess: succeed,
                onError: fail
            )
        }
        #expect(outcome == .removed)
        #expect(client.getAllAccounts().map(\.identifier) == ["Example-demo"])
        try await waitFor("a request to the silent server") { asked.withValue { $0 } > 0 }
        #expect(asked.withValue { $0 } == 1)
    }

    /// A removal that is killed at any operation leaves no device profile without its account.
    ///
    /// The process is killed at each operation of the store and of the network, and is killed again during the retry.
    @Test func aKilledRemovalLeavesNoDeviceProfileWithoutItsAccount() async throws {
        var kills = 0
        for version in [ServerVersion.v8_0_0, .v8_0_2] {
            var step = 0
            var isOver = false
            while !isOver {
                step += 1
                let phone = try await enrolled(.sqlite, version, codes: version == .v8_0_2 ? .init() : nil)
                isOver = await phone.die(at: step) { client in
                    _ = try? await phone.remove(with: client)
                }
                guard !isOver else { break }
                kills += 1
                try phone.check("step \(step)")
                for again in stride(from: 1, to: 24, by: 5) {
                    let survives = await phone.die(at: again) { client in
                        _ = try? await phone.retry(with: client)
                    }
                    kills += survives ? 0 : 1
                    try phone.check("step \(step), again \(again)")
                }
                if phone.account != nil { #expect(try await phone.remove() == .removed) }
                #expect(phone.account == nil)
                #expect(phone.server.withService(\.devices).isEmpty)
            }
            #expect(step > 8)
        }
        #expect(kills >= 100)
    }
}

/// A transport over which the server of one account never answers.
private struct HalfDead: PushTransport {
    let server: Simulator
    let asked: Lock<Int>

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        if request.url.contains("/users/demo/") {
            asked.withValue { $0 += 1 }
            try await Task.sleep(for: .seconds(3600))
        }
        return try await server.send(request, timeout: timeout)
    }
}

extension Phone {
    fileprivate static func client(_ store: any CredentialStore, _ transport: any PushTransport) -> FRAClient
    {
        var configuration = Authenticator.Configuration()
        configuration.store = { store }
        configuration.deviceName = { "Phone" }
        configuration.transport = transport
        return FRAClient(Authenticator(configuration))
    }

    /// Runs a process until it ends or is killed.
    /// - Returns: Whether the process ended without being killed.
    fileprivate func die(at step: Int, _ body: (FRAClient) async -> Void) async -> Bool {
        let dying = FaultyStore(store, failingAt: step)
        await body(Self.client(dying, FaultyTransport(server, dyingWith: dying)))
        return dying.operations < step
    }

    /// Checks that the credential is stored while its profile is at the server.
    ///
    /// If the profile is no longer at the server, the credential must be removed or have an `owedRemoval`.
    fileprivate func check(_ when: String) throws {
        let credential = try store.read { try $0.pushCredentials().first }
        if server.withService(\.devices).isEmpty {
            #expect(credential == nil || credential?.owedRemoval != nil, "\(when)")
        } else {
            #expect(credential != nil, "\(when)")
        }
    }

    fileprivate func retry(with other: FRAClient? = nil) async throws -> [String: RemovalOutcome] {
        let session = server.session
        return try await callbackValue { succeed, fail in
            (other ?? legacyClient).retryOwedRemovals(
                unregistering: { $1(session) },
                onSuccess: succeed,
                onError: fail
            )
        }
    }

    fileprivate var account: Account? { legacyClient.getAccount(identifier: "Example-demo") }

    fileprivate func remove(
        with other: FRAClient? = nil,
        hasSession: Bool = true
    ) async throws -> RemovalOutcome {
        let account = try #require(account)
        let session = hasSession ? server.session : nil
        return try await callbackValue { succeed, fail in
            (other ?? legacyClient).removeAccount(
                account: account,
                unregistering: { _, answer in answer(session) },
                onSuccess: succeed,
                onError: fail
            )
        }
    }

    /// Makes a call and waits for the value of its callback.
    fileprivate func callbackValue<Value: Sendable>(
        _ call: (@escaping (Value) -> Void, @escaping ErrorCallback) -> Void
    ) async throws -> Value {
        let result: Swift.Result<Value, any Error> = try await waitForCall("the call's callback") { report in
            call({ report(.success($0)) }, { report(.failure($0)) })
        }
        return try result.get()
    }
}

extension Simulator {
    fileprivate var session: PushServerSession { session(of: "demo") }

    fileprivate func session(of user: String) -> PushServerSession {
        PushServerSession(value: withService { $0.createSession(for: user, in: "/alpha") }, userId: user)
    }
}
