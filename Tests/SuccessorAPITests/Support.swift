import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

extension FakeTransport {
    /// Creates a server that responds to every request with one status.
    convenience init(status: Int) {
        self.init { _ in PushResponse(status: status, body: Data("{}".utf8)) }
    }
}

/// Sample codes and pushes, as a server makes them.
enum Sample {
    static let base = "https://am.example.com/json/alpha/push/sns/message"

    static func uri(_ more: String = "", loadBalancer: String? = "amlbcookie=01") throws -> String {
        var registration = try PushRegistration.sample()
        registration.loadBalancer = loadBalancer
        return registration.uri() + more
    }

    static func token(of credential: PushCredential, _ claims: [String: JSONValue] = [:]) -> String {
        var all: [String: JSONValue] = ["u": .string(credential.id), "c": "Y2hhbGxlbmdl"]
        all.merge(claims) { _, new in new }
        return credential.sharedSecret.signedToken(claims: JSONValue.object(all).data)
    }

    static func payload(
        of credential: PushCredential,
        _ claims: [String: JSONValue] = [:],
        messageId: String = "m1"
    ) -> [String: Any] {
        ["aps": ["messageId": messageId, "data": token(of: credential, claims)]]
    }
}

/// A client with one credential, by default on an app's own storage.
struct EnrolledClient {
    let client: PushClient
    let credential: PushCredential
    let server: FakeTransport
    let storage: any PushStorage

    init(
        _ storage: any PushStorage = DictionaryStorage(),
        status: Int = 200,
        configure: (PushConfiguration) -> Void = { _ in }
    ) async throws {
        let server = FakeTransport(status: status)
        let client = try await PushClient.createClient { config in
            config.storage = storage
            config.transport = server
            config.logger = LogManager.none
            configure(config)
        }
        try await client.setDeviceToken("00ff")
        credential = try await client.addCredentialFromUri(Sample.uri())
        (self.client, self.server, self.storage) = (client, server, storage)
    }

    func receive(_ claims: [String: JSONValue] = [:], messageId: String = "m1") async throws
        -> PushNotification
    {
        let payload = Sample.payload(of: credential, claims, messageId: messageId)
        return try #require(await client.processNotification(messageData: payload))
    }
}
