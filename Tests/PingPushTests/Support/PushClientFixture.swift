import Foundation
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// The kinds of store with which the tests run.
enum StoreKind: CaseIterable, Sendable {
    case memory
    case sqlite
    case own
    case keychain
}

extension PushStorageError {
    /// The store's error inside a storage error; `nil` if the storage error contains no store error.
    var cause: StoreError? {
        if case .storageFailure(_, let cause) = self { cause as? StoreError } else { nil }
    }
}

/// A client on an empty store, with an in-memory server.
struct PushClientFixture {
    let storage: any PushStorage
    let server = FakeTransport()
    let client: PushClient
    private let folder: TemporaryFolder?

    init(
        _ kind: StoreKind = .memory,
        configure: (PushConfiguration) -> Void = { _ in }
    ) async throws {
        switch kind {
        case .memory:
            folder = nil
            storage = CredentialStoreStorage(MemoryCredentialStore())
        case .keychain:
            folder = nil
            storage = PushKeychainStorage(keychain: InMemoryKeychain())
        case .sqlite:
            let folder = try TemporaryFolder()
            self.folder = folder
            storage = try PushSQLiteStorage(path: folder.path("push.sqlite"), key: InMemorySealingKey())
        case .own:
            folder = nil
            storage = OwnStorage()
        }
        let (storage, server) = (storage, server)
        client = try await PushClient.createClient { config in
            config.storage = storage
            config.transport = server
            config.logger = LogManager.none
            configure(config)
        }
    }

    /// Sets the device token and enrols an account.
    @discardableResult
    func enrol(_ account: String = "babs", policies: String? = nil) async throws -> PushCredential {
        try await client.setDeviceToken("00ff")
        return try await client.addCredentialFromUri(Self.uri(account, policies: policies))
    }

    /// Delivers a push as the server of `credential` would.
    func deliver(
        _ claims: JSONValue = [:],
        to credential: PushCredential,
        messageId: String = "AUTHENTICATE:1"
    ) async throws -> PushNotification {
        let message = Self.payload(claims, for: credential, messageId: messageId).text
        return try #require(await client.processNotification(message: message))
    }

    static func payload(
        _ claims: JSONValue = [:],
        for credential: PushCredential,
        signedWith secret: SharedSecret? = nil,
        messageId: String = "AUTHENTICATE:1"
    ) -> JSONValue {
        var all: [String: JSONValue] = ["u": .string(credential.id), "c": "Y2hhbGxlbmdl"]
        if case .object(let members) = claims { all.merge(members) { _, new in new } }
        let token = (secret ?? credential.sharedSecret).signedToken(claims: JSONValue.object(all).data)
        return ["aps": ["messageId": .string(messageId), "data": .string(token)]]
    }

    static func uri(
        _ account: String = "babs",
        secret: SharedSecret = .random(),
        policies: String? = nil
    ) throws -> String {
        try PushRegistration.sample(account, policies: policies, secret: secret).uri()
    }
}

extension PushRequest {
    /// Returns the verified claims of the token in the request's body; `nil` if the body contains no token.
    func claims(signedWith secret: SharedSecret) throws -> JSONValue? {
        guard case .string(let jwt)? = self["jwt"] else { return nil }
        return JSONValue(json: try JSONWebToken(jwt).verified(with: secret).claims)
    }
}
