import FRAuthenticator
import Foundation
import PingOath
import PingPush
import PushBridgeCore
import PushBridgeInternals
import PushBridgePlatform
import PushBridgeStore

/// Both APIs on one store, with a server that answers immediately, and the objects on which the measured calls act.
struct BothAPIs {
    let store: SQLiteCredentialStore
    let client: FRAClient
    let push: PushClient
    let oath: OathClient
    /// Objects from the legacy API: the account in the middle of the store, its TOTP mechanism, and one of
    /// its notifications.
    let account: Account
    let mechanism: TOTPMechanism
    let notification: FRAuthenticator.PushNotification
    /// The push credential of the same account.
    let credential: PushCredential
    private let handler: FRAPushHandler

    init(_ generated: GeneratedAccounts, at path: String) async throws {
        store = try SQLiteCredentialStore(path: path, key: InMemorySealingKey(), mode: .create)
        try generated.write(to: store)
        (client, handler) = FRAClient.separate(store: store, transport: ImmediateTransport())
        push = try await Self.pushClient(on: store)
        oath = try await OathClient.createClient { [store] configuration in
            configuration.storage = CredentialStoreOathStorage(store)
            configuration.logger = LogManager.none
        }
        let number = generated.count / 2
        guard
            let account = client.getAccount(identifier: generated.identifier(number)),
            let totp = account.mechanisms.compactMap({ $0 as? TOTPMechanism }).first,
            let notification = account.mechanisms.compactMap({ $0 as? PushMechanism }).first?.notifications
                .first,
            let credential = try await push.getCredential(generated.pushId(number))
        else { throw ChildProcess.Failure(description: "A store does not contain the written records.") }
        (self.account, mechanism, self.notification, self.credential) =
            (account, totp, notification, credential)
    }

    /// Returns the notifications of a credential.
    ///
    /// The async API has no call that fetches only the notifications of one credential, so the storage is used.
    func notifications(of id: String) async throws -> [PushBridgeCore.PushNotification] {
        try await CredentialStoreStorage(store).getOldestPushNotifications(limit: .max, credentialId: id)
    }

    /// Receives a push through the legacy API.
    func receive(_ payload: [AnyHashable: Any]) -> FRAuthenticator.PushNotification? {
        handler.application(.shared, didReceiveRemoteNotification: payload)
    }

    /// Accepts a push through the legacy API, and waits for its callback.
    func accept(_ notification: FRAuthenticator.PushNotification) async throws {
        try await withCheckedThrowingContinuation { (answer: CheckedContinuation<Void, any Error>) in
            notification.accept(onSuccess: { answer.resume() }, onError: { answer.resume(throwing: $0) })
        }
    }

    private static func pushClient(on store: SQLiteCredentialStore) async throws -> PushClient {
        try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(store)
            configuration.transport = ImmediateTransport()
            configuration.logger = LogManager.none
            // The legacy API removes no notifications, so the async API must remove none either.
            configuration.notificationCleanupConfig.cleanupMode = .none
        }
    }
}

/// A server that accepts every request without a network.
struct ImmediateTransport: PushTransport {
    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        PushResponse(status: 200, body: Data("{}".utf8))
    }
}
