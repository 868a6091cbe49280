import Foundation
import LocalAuthentication
import PingPush
import UIKit
import UserNotifications

/// The accounts of this phone and their pushes, with the async API.
///
/// Only this file and `Launch` depend on the API.
final class Accounts {
    private let transport: (any PushTransport)?
    private var opening: Task<PushClient, any Error>?

    /// Creates the object for the accounts of the shared store.
    ///
    /// In tests, `transport` passes the requests to a simulated server.
    init(transport: (any PushTransport)? = nil) {
        self.transport = transport
    }

    /// Returns the client, which the first call creates.
    ///
    /// The call fails before the phone's first unlock, because the store cannot be opened. After a failure, the next
    /// call tries again.
    func client() async throws -> PushClient {
        let task = opening ?? Task { [transport] in try await Launch.client(transport) }
        opening = task
        do {
            return try await task.value
        } catch {
            // Another caller may have waited for the same task, and may already have replaced it with a new task.
            if opening == task { opening = nil }
            throw error
        }
    }

    /// Returns a stream of the pending logins.
    ///
    /// The first element contains the current logins. Each change, including a change by the extension, adds
    /// an element.
    func changes() async throws -> AsyncStream<[PushNotification]> {
        try await client().notifications
    }
}

// MARK: - The lists

extension Accounts {
    func accounts() async throws -> [AccountItem] {
        try await client().getCredentials().map { credential in
            AccountItem(
                id: credential.id,
                issuer: credential.displayIssuer,
                name: credential.displayAccountName
            )
        }
    }

    func logins() async throws -> [LoginItem] {
        try await client().getPendingNotifications().map(LoginItem.init)
    }
}

extension LoginItem {
    fileprivate init(_ push: PushNotification) {
        let approval: Approval =
            switch push.pushType {
            case .default: .tap
            case .challenge: .number(push.numbers)
            case .biometric: .owner
            }
        self.init(
            id: push.id,
            text: push.messageText ?? "Log in?",
            origin: push.context.remoteAddress,
            approval: approval
        )
    }
}

// MARK: - The user

extension Accounts {
    func enrol(_ code: String) async throws {
        try await client().addCredentialFromUri(code)
    }

    func approve(_ login: LoginItem, number: Int?) async throws {
        let client = try await client()
        switch login.approval {
        case .tap:
            try await client.approveNotification(login.id)
        case .number:
            let response = number.map { String($0) } ?? ""
            try await client.approveChallengeNotification(login.id, challengeResponse: response)
        case .owner:
            let reason = "Approve the login"
            guard try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: reason)
            else { return }
            try await client.approveBiometricNotification(login.id, authenticationMethod: "biometric")
        }
    }

    func deny(_ login: LoginItem) async throws {
        try await client().denyNotification(login.id)
    }

    func remove(_ account: AccountItem) async throws {
        try await client().deleteCredential(account.id)
    }
}

// MARK: - The system

extension Accounts {
    func register(_ deviceToken: Data) async throws {
        try await client().setDeviceToken(deviceToken)
    }

    func backgroundResult(of userInfo: [AnyHashable: Any]) async throws -> UIBackgroundFetchResult {
        try await client().backgroundResult(of: userInfo)?.fetchResult ?? .noData
    }

    func presentation(of userInfo: [AnyHashable: Any]) async throws -> UNNotificationPresentationOptions {
        // For pushes from other senders, the app decides what the system shows.
        try await client().presentation(of: userInfo)?.options ?? [.banner, .list]
    }

    func reaction(to response: UNNotificationResponse) async throws -> PushReaction {
        try await client().perform(response)
    }

    func receive(_ delivered: [UNNotification]) async throws {
        _ = try await client().receive(
            delivered: delivered.map(\.request.content.userInfo),
            at: delivered.map(\.date)
        )
    }

    func badge() async throws -> Int { try await client().badge() }
}
