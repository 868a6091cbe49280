import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// Removals of a credential from its server and then from the phone.
@Suite("Removal from the server")
struct RemovalTests {
    /// A client with a credential, and the session provider for removing the credential's profile from the
    /// server.
    private struct EnrolledPhone {
        let fixture: SimulatedServiceFixture
        let credential: PushCredential

        init(_ kind: StoreKind, _ version: ServerVersion) async throws {
            var settings = ServiceSettings()
            settings.version = version
            fixture = try await SimulatedServiceFixture(kind, settings: settings)
            try await fixture.client.setDeviceToken("aa")
            let order = RegistrationOrder(issuer: "Example", account: "demo", realm: "/alpha")
            credential = try await fixture.client.addCredentialFromUri(
                try fixture.server.createCode(order).uri
            )
        }

        func remove(as user: String? = "demo") async throws -> RemovalOutcome {
            try await fixture.client.deleteCredential(credential.id, unregister: session(of: user))
        }

        func session(of user: String?) -> ServerSessionProvider {
            let server = fixture.server
            return { _ in server.session(of: user) }
        }

        var stored: PushCredential? {
            get async throws { try await fixture.client.getCredential(credential.id) }
        }
        var isAlive: Bool { fixture.server.isAlive(credential) }
        var removals: [String] { fixture.server.journal.filter { $0.action == "" }.map(\.method) }
    }

    @Test(arguments: StoreKind.allCases, ServerVersion.allCases)
    func removalDeletesTheDeviceProfileAndTheCredential(_ kind: StoreKind, _ version: ServerVersion)
        async throws
    {
        let phone = try await EnrolledPhone(kind, version)
        #expect(try await phone.remove() == .removed)
        #expect(!phone.isAlive)
        #expect(try await phone.stored == nil)
        // Before AM 8.0.1, a code did not contain the id of the device profile, so the phone first searches for
        // the profile.
        #expect(phone.removals == (version >= .v8_0_2 ? ["DELETE"] : ["GET", "DELETE"]))
        #expect(try await phone.remove() == .notStored)
    }

    /// The path of device profiles on older servers is not documented, so the client tries two paths.
    @Test(arguments: [ServerVersion.v7_1, .v7_3])
    func profileAtTheOldPathIsFound(_ version: ServerVersion) async throws {
        let phone = try await EnrolledPhone(.memory, version)
        phone.fixture.server.withService { _ = $0.settings.alternatives.insert(.oldProfilePath) }
        #expect(try await phone.remove() == .removed)
        #expect(!phone.isAlive)
        #expect(phone.removals == ["GET", "GET", "DELETE"])
    }

    @Test(arguments: [Fault.dropConnection, .serverError, .redirect(to: "https://x.example.com")])
    func failedRemovalIsRecordedAndRetried(_ fault: Fault) async throws {
        let phone = try await EnrolledPhone(.sqlite, .v8_0_2)
        phone.fixture.server.withService { $0.arm(fault, action: .unregister) }
        let outcome = try await phone.remove()
        guard case .owed(let obstacle) = outcome else {
            Issue.record("The outcome is \(outcome) instead of owed.")
            return
        }
        #expect(try await phone.stored?.owedRemoval?.obstacle == obstacle)
        // Until the retry succeeds, both the server and the device treat the credential as registered.
        let push = try await phone.fixture.receive(for: phone.credential)
        #expect(try await phone.fixture.client.approveNotification(push.id))
        let outcomes = try await phone.fixture.client.retryOwedRemovals(unregister: phone.session(of: "demo"))
        #expect(outcomes == [phone.credential.id: .removed])
        #expect(!phone.isAlive)
        #expect(try await phone.stored == nil)
        #expect(
            try await phone.fixture.client.retryOwedRemovals(unregister: phone.session(of: "demo")) == [:]
        )
    }

    @Test(arguments: [
        (nil, RemovalObstacle.noSession), ("", .refused(status: 401)), ("another", .refused(status: 403)),
    ])
    func insufficientSessionIsReported(_ user: String?, _ obstacle: RemovalObstacle) async throws {
        let phone = try await EnrolledPhone(.memory, .v8_0_2)
        #expect(try await phone.remove(as: user) == .owed(obstacle))
        #expect(try await phone.stored?.owedRemoval?.obstacle == obstacle)
        #expect(phone.isAlive)
        #expect(try await phone.remove() == .removed)
    }

    @Test func repeatingARemovalAfterALostResponseSucceeds() async throws {
        let phone = try await EnrolledPhone(.memory, .v8_0_2)
        phone.fixture.server.withService { $0.arm(.loseResponse, action: .unregister) }
        #expect(try await phone.remove() == .owed(.unreachable))
        #expect(!phone.isAlive)
        #expect(try await phone.stored != nil)
        #expect(try await phone.remove() == .removed)
        #expect(try await phone.stored == nil)
    }

    @Test func theNextRemovalAlsoRetriesEarlierFailedRemovals() async throws {
        let phone = try await EnrolledPhone(.memory, .v8_0_2)
        #expect(try await phone.remove(as: nil) == .owed(.noSession))
        let other = try await phone.fixture.enrol("other")
        let server = phone.fixture.server
        let outcome = try await phone.fixture.client.deleteCredential(other.id) { credential in
            server.session(of: credential.accountName)
        }
        #expect(outcome == .removed)
        try await waitFor("the server to remove the profile") { !phone.isAlive }
        try await waitFor("the credential to be removed") { try await phone.stored == nil }
        #expect(try await phone.fixture.client.getCredentials().isEmpty)
    }

    /// The removal of a credential does not wait for the server of another credential, which never answers.
    @Test(.timeLimit(.minutes(1))) func unreachableServerDoesNotDelayOtherLogOuts() async throws {
        let gateway = Lock((dead: "", asked: 0))
        let server = Simulator()
        let client = try await PushClient.createClient { config in
            config.storage = CredentialStoreStorage(MemoryCredentialStore())
            config.transport = Gateway(server) { request in
                guard request.url.contains("/users/dead/") else { return nil }
                gateway.withValue { $0.asked += 1 }
                try await Task.sleep(for: .seconds(3600))
                return nil
            }
            config.logger = LogManager.none
        }
        try await client.setDeviceToken("aa")
        var ids: [String] = []
        for account in ["dead", "demo"] {
            let order = RegistrationOrder(issuer: "Example", account: account)
            ids.append(try await client.addCredentialFromUri(try server.createCode(order).uri).id)
        }
        #expect(try await client.deleteCredential(ids[0]) { _ in nil } == .owed(.noSession))
        let outcome = try await client.deleteCredential(ids[1]) { credential in
            server.session(of: credential.accountName, in: .root)
        }
        #expect(outcome == .removed)
        #expect(try await client.getCredentials().map(\.id) == [ids[0]])
        try await waitFor("a request to the silent server") { gateway.withValue { $0.asked } > 0 }
        #expect(gateway.withValue { $0.asked } == 1)
    }

    /// A response with status 200 from a proxy between the phone and the server removes nothing.
    @Test(arguments: ["<html>Log in to the Wi-Fi</html>", "{}", ""])
    func captivePortalRemovesNothing(_ page: String) async throws {
        let isHome = Lock(true)
        let server = Simulator()
        let client = try await PushClient.createClient { config in
            config.storage = CredentialStoreStorage(MemoryCredentialStore())
            config.transport = Gateway(server) { _ in
                isHome.withValue { $0 } ? nil : PushResponse(status: 200, body: Data(page.utf8))
            }
            config.logger = LogManager.none
        }
        try await client.setDeviceToken("aa")
        let order = RegistrationOrder(issuer: "Example", account: "demo")
        let credential = try await client.addCredentialFromUri(try server.createCode(order).uri)
        let session: ServerSessionProvider = { _ in server.session(of: "demo", in: .root) }
        isHome.withValue { $0 = false }
        guard case .owed = try await client.deleteCredential(credential.id, unregister: session) else {
            Issue.record("The failed removal was reported as done.")
            return
        }
        #expect(server.isAlive(credential))
        isHome.withValue { $0 = true }
        #expect(try await client.retryOwedRemovals(unregister: session) == [credential.id: .removed])
        #expect(!server.isAlive(credential))
    }

    @Test func appMayRemoveACredentialWithoutTheServerAfterAFailure() async throws {
        let phone = try await EnrolledPhone(.memory, .v8_0_2)
        #expect(try await phone.remove(as: nil) == .owed(.noSession))
        #expect(try await phone.fixture.client.deleteCredential(phone.credential.id))
        #expect(try await phone.fixture.client.retryOwedRemovals { _ in nil } == [:])
    }

    @Test func aSessionProviderThatThrowsLeavesTheRemovalPending() async throws {
        struct LoggedOut: Error {}
        let phone = try await EnrolledPhone(.memory, .v8_0_2)
        let outcome = try await phone.fixture.client.deleteCredential(phone.credential.id) { _ in
            throw LoggedOut()
        }
        #expect(outcome == .owed(.noSession))
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
                let device = try Device(version)
                try await device.live { _ = try await $0.addCredentialFromUri(try device.code()) }
                isOver = try await device.live(dyingAt: step) { try await device.remove(with: $0) }
                guard !isOver else { break }
                kills += 1
                try device.check()
                for again in stride(from: 1, to: 24, by: 5) {
                    let survives = try await device.live(dyingAt: again) { client in
                        _ = try await client.retryOwedRemovals(unregister: device.session)
                    }
                    kills += survives ? 0 : 1
                    try device.check()
                }
                try await device.live { try await device.remove(with: $0) }
                #expect(try device.credential == nil, "after a kill at step \(step)")
                #expect(device.server.withService(\.devices).isEmpty)
            }
            #expect(step > 8)
        }
        #expect(kills >= 100)
    }
}

/// A gateway between a phone and its server.
///
/// The gateway answers a request itself or forwards the request.
private struct Gateway: PushTransport {
    let server: Simulator
    let answer: @Sendable (PushRequest) async throws -> PushResponse?

    init(_ server: Simulator, _ answer: @escaping @Sendable (PushRequest) async throws -> PushResponse?) {
        (self.server, self.answer) = (server, answer)
    }

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        if let response = try await answer(request) { return response }
        return try await server.send(request, timeout: timeout)
    }
}

/// A phone whose process may be killed.
///
/// Only the phone's file and the server survive.
private struct Device {
    let server: Simulator
    private let folder: TemporaryFolder
    private let key = InMemorySealingKey()

    init(_ version: ServerVersion) throws {
        var settings = ServiceSettings()
        settings.version = version
        server = Simulator(settings: settings)
        folder = try TemporaryFolder()
    }

    func code() throws -> String {
        try server.createCode(RegistrationOrder(issuer: "Example", account: "demo")).uri
    }

    var session: ServerSessionProvider {
        let server = server
        return { _ in server.session(of: "demo", in: .root) }
    }

    func remove(with client: PushClient) async throws {
        for credential in try await client.getCredentials() {
            _ = try await client.deleteCredential(credential.id, unregister: session)
        }
    }

    /// Runs a process until it ends or is killed.
    /// - Returns: Whether the process ended without being killed.
    @discardableResult
    func live(dyingAt step: Int = .max, _ body: (PushClient) async throws -> Void) async throws -> Bool {
        let file = try SQLiteCredentialStore(path: folder.path("push.sqlite"), key: key, mode: .create)
        let store = FaultyStore(file, failingAt: step)
        let transport = FaultyTransport(server, dyingWith: store)
        var isOver = true
        do {
            let client = try await PushClient.createClient { config in
                config.storage = CredentialStoreStorage(store)
                config.transport = transport
                config.logger = LogManager.none
                config.timeout = SimulatedServiceFixture.timeout
            }
            if step == .max { try await client.setDeviceToken("aa") }
            try await body(client)
            isOver = store.operations < step
        } catch {
            isOver = false
        }
        try file.close()
        return isOver
    }

    var credential: PushCredential? {
        get throws {
            let file = try SQLiteCredentialStore(path: folder.path("push.sqlite"), key: key, mode: .create)
            defer { #expect(throws: Never.self) { try file.close() } }
            return try file.read { try $0.pushCredentials().first }
        }
    }

    /// Checks that the credential is stored while its profile is at the server.
    ///
    /// If the profile is no longer at the server, the credential must be removed or have an `owedRemoval`.
    func check() throws {
        let credential = try credential
        if server.withService(\.devices).isEmpty {
            #expect(credential == nil || credential?.owedRemoval != nil)
        } else {
            #expect(credential != nil)
        }
    }
}

extension Simulator {
    /// Returns a session of a user.
    ///
    /// If there is no user, the result is `nil`. If the name is empty, the session is invalid. A session of the user
    /// `another` has the user id of `demo`.
    fileprivate func session(of user: String?, in realm: Realm = "/alpha") -> PushServerSession? {
        guard let user else { return nil }
        guard !user.isEmpty else { return PushServerSession(value: "nobody's", userId: "demo") }
        let owner = user == "another" ? "demo" : user
        return PushServerSession(value: withService { $0.createSession(for: user, in: realm) }, userId: owner)
    }

    fileprivate func isAlive(_ credential: PushCredential) -> Bool {
        withService(\.devices)[credential.id] != nil
    }
}
