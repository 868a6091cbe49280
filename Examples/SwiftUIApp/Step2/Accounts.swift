import FRAuthenticator
import Foundation
import PushBridgeNotifications
import UIKit
import UserNotifications

/// The accounts of this phone and their pushes, with the legacy API.
///
/// The file is the same in steps 1 and 2.
///
/// Only this file and `Launch` depend on the API.
final class Accounts {
    private let center = UNUserNotificationCenter.current()
    private var changed: AsyncStream<Void>.Continuation?

    /// Returns the client, after starting it if necessary.
    ///
    /// The start may fail before the phone's first unlock, because the store may be unreadable. The next call tries
    /// again.
    private func client() throws -> FRAClient {
        if FRAClient.shared == nil { try Launch.start() }
        guard let client = FRAClient.shared else { throw CocoaError(.featureUnsupported) }
        return client
    }

    /// Starts the client and returns the push handler.
    private func handler() throws -> FRAPushHandler {
        _ = try client()
        return .shared
    }

    /// Returns a stream with one element at once, and one after each call that may change the lists, except
    /// `reaction(to:)` and `receive(_:)`.
    ///
    /// After these two calls, the model refreshes the lists itself. The legacy API reports no changes.
    func changes() async throws -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        continuation.yield()
        changed = continuation
        return stream
    }

    /// Calls the legacy API, waits for the callback, and throws the error that the callback reports.
    private func result(
        of call: (@escaping SuccessCallback, @escaping ErrorCallback) -> Void
    ) async throws {
        defer { changed?.yield() }
        try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
            call({ waiting.resume() }, { waiting.resume(throwing: $0) })
        }
    }
}

// MARK: - The lists

extension Accounts {
    func accounts() async throws -> [AccountItem] {
        try client().getAllAccounts().map { account in
            AccountItem(
                id: account.identifier,
                issuer: account.displayIssuer ?? account.issuer,
                name: account.displayAccountName ?? account.accountName
            )
        }
    }

    func logins() async throws -> [LoginItem] {
        let pending = try client().getAllNotifications().filter { $0.isPending && !$0.isExpired }
        return pending.reversed().map(LoginItem.init)
    }
}

extension LoginItem {
    fileprivate init(_ push: PushNotification) {
        let approval: Approval =
            switch push.pushType {
            case .default: .tap
            case .challenge: .number(push.numbersChallengeArray ?? [])
            case .biometric: .owner
            }
        self.init(
            id: push.identifier,
            text: push.message ?? "Log in?",
            origin: push.context.remoteAddress,
            approval: approval
        )
    }
}

// MARK: - The user

extension Accounts {
    func enrol(_ code: String) async throws {
        guard let uri = URL(string: code) else { throw MechanismError.invalidQRCode }
        let client = try client()
        try await result { succeed, fail in
            client.createMechanismFromUri(uri: uri, onSuccess: { _ in succeed() }, onError: fail)
        }
    }

    func approve(_ login: LoginItem, number: Int?) async throws {
        let push = try push(login)
        try await result { succeed, fail in
            switch login.approval {
            case .tap:
                push.accept(onSuccess: succeed, onError: fail)
            case .number:
                let response = number.map { String($0) } ?? ""
                push.accept(challengeResponse: response, onSuccess: succeed, onError: fail)
            case .owner:
                push.accept(
                    title: "Approve the login",
                    allowDeviceCredentials: true,
                    onSuccess: succeed,
                    onError: fail
                )
            }
        }
    }

    func deny(_ login: LoginItem) async throws {
        let push = try push(login)
        try await result { push.deny(onSuccess: $0, onError: $1) }
    }

    func remove(_ account: AccountItem) async throws {
        defer { changed?.yield() }
        let client = try client()
        guard let account = client.getAccount(identifier: account.id) else { return }
        client.removeAccount(account: account)
    }

    private func push(_ login: LoginItem) throws -> PushNotification {
        guard let push = try client().getNotification(identifier: login.id) else {
            throw PushNotificationError.notificationInvalidStatus
        }
        return push
    }
}

// MARK: - The system

extension Accounts {
    func register(_ deviceToken: Data) async throws {
        try handler().application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: deviceToken)
    }

    func backgroundResult(of userInfo: [AnyHashable: Any]) async throws -> UIBackgroundFetchResult {
        defer { changed?.yield() }
        let handler = try handler()
        return await withCheckedContinuation { waiting in
            let isOurs = handler.application(.shared, didReceiveRemoteNotification: userInfo) {
                waiting.resume(returning: $0)
            }
            if !isOurs { waiting.resume(returning: .noData) }
        }
    }

    func presentation(of userInfo: [AnyHashable: Any]) async throws -> UNNotificationPresentationOptions {
        defer { changed?.yield() }
        let handler = try handler()
        return await withCheckedContinuation { waiting in
            let isOurs = handler.presentation(of: userInfo) { waiting.resume(returning: $0.options) }
            // For pushes from other senders, the app decides what the system shows.
            if !isOurs { waiting.resume(returning: [.banner, .list]) }
        }
    }

    func reaction(to response: UNNotificationResponse) async throws -> PushReaction {
        let handler = try handler()
        // If the same response is handled twice, only the first call receives a reaction.
        var reaction = PushReaction.repeated
        let isOurs = await withCheckedContinuation { waiting in
            let isOurs = handler.userNotificationCenter(center, didReceive: response) {
                reaction = $0
            } withCompletionHandler: {
                waiting.resume(returning: true)
            }
            if !isOurs { waiting.resume(returning: false) }
        }
        return isOurs ? reaction : .foreign
    }

    func receive(_ delivered: [UNNotification]) async throws {
        _ = try handler().receive(
            delivered: delivered.map(\.request.content.userInfo),
            at: delivered.map(\.date)
        )
    }

    func badge() async throws -> Int { try handler().badge }
}
