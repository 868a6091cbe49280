import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The kinds of storage with which the legacy API works.
enum StoreKind: CaseIterable, Sendable {
    case memory
    case sqlite
    case keychain
    case storageClient
    case inPlace
}

/// Local authentication whose result a test sets.
final class FakeAuthentication: LocalAuthenticating {
    struct Refusal: LocalizedError {
        var errorDescription: String? { FakeAuthentication.refusal }
    }

    static let refusal = "The user cancelled."

    private let asked = Lock<[AuthenticationPrompt]>([])
    private let passes: Bool
    let isAvailable = true

    init(passes: Bool = true) {
        self.passes = passes
    }

    var prompts: [AuthenticationPrompt] { asked.withValue { $0 } }

    func authenticate(
        _ prompt: AuthenticationPrompt,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        asked.withValue { $0.append(prompt) }
        let passes = passes
        DispatchQueue.global().async { completion(passes ? nil : Refusal()) }
    }
}

/// A policy whose result a test sets.
final class SwitchPolicy: FRAPolicy {
    let name = "switch"
    var data: Any?
    let complies: Lock<Bool>

    init(_ complies: Lock<Bool>) {
        self.complies = complies
    }

    func evaluate() -> Bool { complies.withValue { $0 } }
}

/// A client and a push handler on an empty store, with an in-memory server.
struct ClientFixture {
    let store: any CredentialStore
    let storage: ArchivingStorage?
    let server = FakeTransport()
    let authentication: FakeAuthentication
    let complies = Lock(true)
    let authenticator: Authenticator
    let client: FRAClient
    let handler: FRAPushHandler
    private let folder: TemporaryFolder?

    init(_ kind: StoreKind = .memory, authentication: FakeAuthentication = FakeAuthentication()) throws {
        var folder: TemporaryFolder?
        var storage: ArchivingStorage?
        let store: any CredentialStore
        switch kind {
        case .memory:
            store = MemoryCredentialStore()
        case .sqlite:
            let new = try TemporaryFolder()
            folder = new
            store = try SQLiteCredentialStore(
                path: new.path("push.sqlite"),
                key: InMemorySealingKey(),
                mode: .create
            )
        case .keychain:
            store = KeychainCredentialStore(keychain: InMemoryKeychain())
        case .storageClient:
            let new = ArchivingStorage()
            storage = new
            store = StorageClientStore(new)
        case .inPlace:
            store = LegacyItemStore(LegacyKeychain(InMemoryKeychain()))
        }
        try self.init(store, authentication, storage: storage, folder: folder)
    }

    /// Creates a fixture with a storage that the test supplies.
    init(storage: any StorageClient, pending: (any PendingEnrolments)? = nil) throws {
        try self.init(StorageClientStore(storage), FakeAuthentication(), pending: pending)
    }

    init(
        _ store: any CredentialStore,
        _ authentication: FakeAuthentication = FakeAuthentication(),
        storage: ArchivingStorage? = nil,
        folder: TemporaryFolder? = nil,
        pending: (any PendingEnrolments)? = nil
    ) throws {
        (self.store, self.folder, self.storage, self.authentication) = (
            store, folder, storage, authentication
        )
        var configuration = Authenticator.Configuration()
        configuration.store = { [store] in store }
        configuration.transport = server
        configuration.deviceName = { "Phone" }
        configuration.localAuthentication = authentication
        configuration.pendingEnrolments = pending
        configuration.policyEvaluator = FRAPolicyEvaluator()
        try configuration.policyEvaluator.registerPolicies(policies: [SwitchPolicy(complies)])
        authenticator = Authenticator(configuration)
        client = FRAClient(authenticator)
        handler = FRAPushHandler(authenticator)
    }

    func setToken(_ bytes: [UInt8] = [0x00, 0xFF]) {
        handler.application(
            .shared,
            didRegisterForRemoteNotificationsWithDeviceToken: Data(bytes)
        )
    }

    /// Creates the mechanism of a registration URI.
    func create(_ uri: String) async throws -> Mechanism {
        let made = Lock<Mechanism?>(nil)
        let url = try #require(URL(string: uri))
        let report = await outcome { succeed, fail in
            client.createMechanismFromUri(
                uri: url,
                onSuccess: { mechanism in
                    made.withValue { $0 = mechanism }
                    succeed()
                },
                onError: fail
            )
        }
        if let error = report.error { throw error }
        return try #require(made.withValue { $0 })
    }

    /// Enrols a push mechanism.
    ///
    /// If no device token is set, the function sets one first.
    @discardableResult
    func enrol(_ account: String = "babs", policies: String? = nil) async throws -> PushMechanism {
        if handler.deviceToken == nil { setToken() }
        return try #require(try await create(Self.uri(account, policies: policies)) as? PushMechanism)
    }

    /// Delivers a push as the server of the mechanism would.
    func deliver(
        _ claims: JSONValue = [:],
        to mechanism: PushMechanism,
        messageId: String = "AUTHENTICATE:1",
        signedWith secret: SharedSecret? = nil
    ) throws -> FRAuthenticator.PushNotification? {
        let stored = try store.read { try $0.pushCredential(id: mechanism.mechanismUUID) }
        let credential = try #require(stored)
        var all: [String: JSONValue] = ["u": .string(credential.id), "c": "Y2hhbGxlbmdl"]
        if case .object(let members) = claims { all.merge(members) { _, new in new } }
        let token = (secret ?? credential.sharedSecret).signedToken(claims: JSONValue.object(all).data)
        return handler.application(
            .shared,
            didReceiveRemoteNotification: ["aps": ["messageId": messageId, "data": token]]
        )
    }

    static func uri(
        _ account: String = "babs",
        issuer: String = "Example",
        policies: String? = nil,
        server: String = "https://am.example.com"
    ) throws -> String {
        let service = "\(server)/json/alpha/push/sns/message"
        return try PushRegistration.sample(account, issuer: issuer, policies: policies, service: service)
            .uri()
    }
}
