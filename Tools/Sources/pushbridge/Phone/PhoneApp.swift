@_spi(PushBridgeTools) import FRAuthenticator
import FRCore
import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushParity

/// The app on a made-up device, with one of the two APIs.
protocol PhoneApp: Sendable {
    /// Enrols by a registration URI, and returns the credential's id.
    func enrol(_ uri: String) async throws -> String
    /// Takes the device token, as at every launch.
    func register(_ token: Data) async throws
    /// Takes a push in the background, and returns what the system is told of it.
    func wake(_ payload: JSONValue) async -> String
    /// How a push is shown; `nil` if it is not ours.
    func presentation(of payload: JSONValue) async -> PushPresentation?
    /// Does what a response to a banner asks for.
    func perform(_ actionId: String, _ payload: JSONValue, text: String?) async -> PushReaction
    /// Approves in the app after its user proved to be there; made-up users always pass.
    func approve(_ notificationId: String) async throws -> Bool
    /// Ends the app.
    func close() async
}

/// The app with the async API.
struct AsyncPhoneApp: PhoneApp {
    private let client: PushClient

    init(_ store: any CredentialStore) async throws {
        client = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(store)
            configuration.logger = LogManager.none
        }
    }

    func enrol(_ uri: String) async throws -> String { try await client.addCredentialFromUri(uri).id }

    func register(_ token: Data) async throws { _ = try await client.setDeviceToken(token) as Bool }

    func wake(_ payload: JSONValue) async -> String {
        await client.backgroundResult(of: payload.userInfo).map { "\($0)" } ?? "foreign"
    }

    func presentation(of payload: JSONValue) async -> PushPresentation? {
        await client.presentation(of: payload.userInfo)
    }

    func perform(_ actionId: String, _ payload: JSONValue, text: String?) async -> PushReaction {
        await client.perform(actionId, userInfo: payload.userInfo, text: text)
    }

    func approve(_ notificationId: String) async throws -> Bool {
        try await client.approveBiometricNotification(notificationId, authenticationMethod: "terminal")
    }

    func close() async { await client.close() }
}

/// The app with the callback API.
struct LegacyPhoneApp: PhoneApp {
    private let client: FRAClient
    private let handler: FRAPushHandler

    init(_ store: any CredentialStore) {
        (client, handler) = FRAClient.separate(store: store, localAuthentication: UserIsThere())
    }

    func enrol(_ uri: String) async throws -> String {
        guard let url = URL(string: uri) else {
            throw CommandFailure(status: .usage, sentence: "The registration URI is no URI.")
        }
        return try await withCheckedThrowingContinuation { told in
            client.createMechanismFromUri(
                uri: url,
                onSuccess: { told.resume(returning: $0.mechanismUUID) },
                onError: { told.resume(throwing: $0) }
            )
        }
    }

    func register(_ token: Data) async throws {
        handler.application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: token)
    }

    func wake(_ payload: JSONValue) async -> String {
        await withCheckedContinuation { told in
            let isOurs = handler.backgroundResult(of: payload.userInfo) { told.resume(returning: "\($0)") }
            if !isOurs { told.resume(returning: "foreign") }
        }
    }

    func presentation(of payload: JSONValue) async -> PushPresentation? {
        await withCheckedContinuation { told in
            let isOurs = handler.presentation(of: payload.userInfo) { told.resume(returning: $0) }
            if !isOurs { told.resume(returning: nil) }
        }
    }

    func perform(_ actionId: String, _ payload: JSONValue, text: String?) async -> PushReaction {
        await withCheckedContinuation { told in
            let isOurs = handler.perform(actionId, userInfo: payload.userInfo, text: text) {
                told.resume(returning: $0)
            }
            if !isOurs { told.resume(returning: .foreign) }
        }
    }

    func approve(_ notificationId: String) async throws -> Bool {
        guard let notification = client.getNotification(identifier: notificationId) else { return false }
        return try await withCheckedThrowingContinuation { told in
            notification.accept(
                title: "Is it you?",
                allowDeviceCredentials: true,
                onSuccess: { told.resume(returning: true) },
                onError: { told.resume(throwing: $0) }
            )
        }
    }

    func close() async {}
}

/// A user who passes whenever asked.
private struct UserIsThere: LocalAuthenticating {
    var isAvailable: Bool { true }

    func authenticate(
        _ prompt: AuthenticationPrompt,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completion(nil)
    }
}
