import Foundation
import PingPush

/// The accounts of this phone and their pushes: what the delegates and the screens of the app ask for.
@MainActor
final class Logins {
    /// Tells the app's session at the server of an account, for its removal there; an app has one after the user signed in.
    var session: ServerSessionProvider = { _ in nil }
    /// Why the phone has no device token, if it has none.
    private(set) var tokenFailure: PushRegistrationFailure?

    private let transport: (any PushTransport)?
    private var opening: Task<PushClient, any Error>?

    /// The logins of the store that the app shares with its extension; tests bring a server of their own.
    init(transport: (any PushTransport)? = nil) {
        self.transport = transport
    }

    /// The client.
    ///
    /// It is made when it is first needed, and again after a failure: before the first unlock nothing opens.
    func client() async throws -> PushClient {
        let transport = transport
        let task =
            opening
            ?? Task {
                let store = try SharedStore.open(.create)
                return try await PushClient.createClient { config in
                    config.storage = CredentialStoreStorage(store)
                    config.transport = transport
                    config.tokenResync = true
                    #if DEBUG
                    config.environment = .sandbox
                    #else
                    config.environment = .production
                    #endif
                }
            }
        opening = task
        do {
            return try await task.value
        } catch {
            // Another caller of the same attempt may have begun the next one since.
            if opening == task { opening = nil }
            throw error
        }
    }

    /// Registers an account with the code that the login page shows.
    func enrol(_ code: String) async throws {
        _ = try await client().addCredentialFromUri(code)
    }

    /// Answers a push, with the chosen number if it is a challenge.
    func answer(_ push: PushNotification, isApproval: Bool, number: Int? = nil) async throws {
        let client = try await client()
        switch (isApproval, push.pushType) {
        case (false, _): try await client.denyNotification(push.id)
        case (true, .default): try await client.approveNotification(push.id)
        case (true, .challenge):
            let chosen = number.map { String($0) } ?? ""
            try await client.approveChallengeNotification(push.id, challengeResponse: chosen)
        case (true, .biometric):
            try await client.approveBiometricNotification(push.id, authenticationMethod: "biometric")
        }
    }
}

// MARK: - The device token

extension Logins {
    /// Hands over the token that UIKit gave; it is sent to those servers only that do not know it.
    func register(_ deviceToken: Data) async throws {
        tokenFailure = nil
        try await client().setDeviceToken(deviceToken)
    }

    /// Notes why there is no token.
    ///
    /// An offline phone keeps the one it has; UIKit tries again by itself.
    func didFailToRegister(_ error: any Error) async throws {
        tokenFailure = try await client().didFailToRegister(error)
    }
}

// MARK: - Log-out

extension Logins {
    /// Removes an account: its device at the server first, then here.
    /// - Returns: What became of it. While the server cannot be asked the account stays, and its removal is owed.
    func logOut(_ account: PushCredential) async throws -> RemovalOutcome {
        try await client().deleteCredential(account.id, unregister: session)
    }

    /// Tries again what could not be removed at an earlier log-out.
    func retryRemovals() async throws {
        _ = try await client().retryOwedRemovals(unregister: session)
    }
}
