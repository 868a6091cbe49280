import Foundation
import PingPush

/// The accounts of this phone and their pushes, for the delegates and screens of the app.
@MainActor
final class Logins {
    /// Returns the app's session at an account's server.
    ///
    /// The server removes the device's profile only in a session. A real app gets a session when the user logs in.
    var session: ServerSessionProvider = { _ in nil }
    /// The reason why the phone has no device token, or `nil` if there was no error.
    private(set) var tokenFailure: PushRegistrationFailure?

    private let transport: (any PushTransport)?
    private var opening: Task<PushClient, any Error>?

    /// Creates the object; in tests, `transport` passes the requests to a simulated server.
    init(transport: (any PushTransport)? = nil) {
        self.transport = transport
    }

    /// Returns the client, which the first call creates.
    ///
    /// The call fails before the phone's first unlock, because the store cannot be opened. After a failure, the next
    /// call tries again.
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
            // Another caller may have waited for the same task, and may already have replaced it with a new task.
            if opening == task { opening = nil }
            throw error
        }
    }

    /// Registers an account with the code that the login page shows.
    func enrol(_ code: String) async throws {
        _ = try await client().addCredentialFromUri(code)
    }

    /// Answers a push.
    ///
    /// If the push is a challenge, `number` is the number that the user chose.
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
    /// Passes the token from UIKit to the client.
    ///
    /// The token is sent to the servers that do not have it and, because of `tokenResync`, to each server again after
    /// about a week.
    func register(_ deviceToken: Data) async throws {
        tokenFailure = nil
        try await client().setDeviceToken(deviceToken)
    }

    /// Stores the reason why UIKit provides no token.
    ///
    /// If the phone is offline, the stored token stays, and UIKit retries automatically.
    func didFailToRegister(_ error: any Error) async throws {
        tokenFailure = try await client().didFailToRegister(error)
    }
}

// MARK: - Log-out

extension Logins {
    /// Removes an account's device profile from the server, and then removes the account from this phone.
    /// - Returns: The outcome. If the server did not confirm the removal, the account stays, and its removal is
    ///   pending.
    func logOut(_ account: PushCredential) async throws -> RemovalOutcome {
        try await client().deleteCredential(account.id, unregister: session)
    }

    /// Retries the removals that failed when the user logged out earlier.
    func retryRemovals() async throws {
        _ = try await client().retryOwedRemovals(unregister: session)
    }
}
