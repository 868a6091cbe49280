import Foundation
import PingOath
import PingPush
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgePlatform

/// An app that uses the async API.
package final class AsyncSide: ParitySide {
    private let client: PushClient
    private let oath: OathClient
    private let storage: CredentialStoreStorage
    private let phone: Phone
    /// The ids of received notifications, by message id, as the screens of an app store them.
    private let shown = Lock<[String: String]>([:])

    init(in environment: SideEnvironment) async throws {
        let storage = CredentialStoreStorage(environment.storeOfSide)
        let phone = environment.phone
        self.storage = storage
        self.phone = phone
        client = try await PushClient.createClient { config in
            config.storage = storage
            config.policyEvaluator = MfaPolicyEvaluator(policies: environment.policies)
            config.transport = environment.transportOfSide
            config.logger = LogManager.none
            config.now = { phone.now }
            if environment.settings.ownTimeout != true { config.timeout = 60 }
            if let kept = environment.settings.keptNotifications {
                config.notificationCleanupConfig = NotificationCleanupConfig(maxStoredNotifications: kept)
            }
        }
        oath = try await OathClient.createClient { config in
            config.storage = CredentialStoreOathStorage(storage.store)
            config.policyEvaluator = MfaPolicyEvaluator(policies: environment.policies)
            config.logger = LogManager.none
            config.now = { phone.now }
        }
    }

    package func perform(_ call: SideCall) async -> [Delivery] {
        do {
            guard let value = try await value(of: call) else { return [Delivery(.awaited, .notOffered)] }
            return [Delivery(.awaited, .value(value))]
        } catch is UnseenPush {
            return [Delivery(.awaited, .skipped("No screen shows the push."))]
        } catch FaceError.refused {
            return [Delivery(.awaited, .skipped("Biometric authentication by the app failed."))]
        } catch {
            return [Delivery(.awaited, .failure(Failure(async: error)))]
        }
    }

    /// Returns the value of the call; `nil` if the API has no such call.
    private func value(of call: SideCall) async throws -> JSONValue? {
        switch call {
        case .registerToken(let bytes): .bool(try await client.setDeviceToken(bytes))
        case .updateToken(let token, let id): .bool(try await client.setDeviceToken(token, credentialId: id))
        case .clearToken: nil
        case .readToken: .optional(try await client.getDeviceToken())
        case .enrol(let uri) where uri.hasPrefix("otpauth:"): try await oath.addCredentialFromUri(uri).view
        case .enrol(let uri): try await client.addCredentialFromUri(uri).view
        case .code(let id): .string(try await oath.generateCode(id))
        case .receive(let payload): try await receive(payload)
        case .answer(let kind, let number, let messageId): .bool(try await answer(kind, number, messageId))
        case .lock(let id, let policy): try await change(id) { $0.lock(policy: policy) }
        case .unlock(let id): try await change(id) { $0.unlock() }
        case .rename(let id, let issuer, let account):
            try await change(id) { credential in
                if let issuer { credential.displayIssuer = issuer }
                if let account { credential.displayAccountName = account }
            }
        case .deleteCredential(let id): .bool(try await client.deleteCredential(id))
        case .deleteAccount(let account): .bool(try await delete(account))
        case .deleteNotification(let messageId):
            .bool(
                try await storage.removePushNotification(
                    notificationId: try await notificationId(messageId)
                )
            )
        case .list(let content): try await list(content)
        case .close: try await close()
        }
    }
}

extension AsyncSide {
    private func receive(_ payload: JSONValue) async throws -> JSONValue {
        guard let notification = try await client.processNotification(userInfo: payload.userInfo) else {
            return .null
        }
        shown.withValue { $0[notification.messageId] = notification.id }
        return notification.view
    }

    /// Answers a push.
    ///
    /// If the push requires biometric authentication, the side authenticates the user first, because apps that
    /// use the async API must do this themselves.
    private func answer(_ kind: Step.AnswerKind, _ number: String, _ messageId: String) async throws -> Bool {
        let id = try await notificationId(messageId)
        if kind == .biometric, phone.refusesFace, try await client.getNotification(id)?.pushType == .biometric
        {
            throw FaceError.refused
        }
        return try await client.answer(id, kind, number: number)
    }

    /// Returns the id of a push's notification.
    ///
    /// If no screen stored the id, it comes from the list of notifications.
    private func notificationId(_ messageId: String) async throws -> String {
        if let id = shown.withValue({ $0[messageId] }) { return id }
        let listed = try await client.getAllNotifications().first { $0.messageId == messageId }
        guard let listed else { throw UnseenPush() }
        return listed.id
    }

    private func change(_ id: String, _ change: (inout PushCredential) -> Void) async throws -> JSONValue {
        guard var credential = try await client.getCredential(id) else {
            throw PushError.credentialNotFound(id)
        }
        change(&credential)
        try await client.saveCredential(credential)
        return true
    }

    private func delete(_ account: AccountKey) async throws -> Bool {
        var isAny = false
        for credential in try await client.getCredentials() where credential.account.key == account {
            isAny = try await client.deleteCredential(credential.id) || isAny
        }
        for credential in try await oath.getCredentials() where credential.account.key == account {
            isAny = try await oath.deleteCredential(credential.id) || isAny
        }
        return isAny
    }

    private func list(_ content: Step.List) async throws -> JSONValue {
        switch content {
        case .credentials: .array(try await client.getCredentials().map(\.view))
        case .oathCredentials: .array(try await oath.getCredentials().map(\.view))
        // The async API lists the newest notification first, the legacy API the oldest. The list is reversed, so that
        // the order does not count as a difference.
        case .notifications: .array(try await client.getAllNotifications().reversed().map(\.view))
        case .pending: .array(try await client.getPendingNotifications().reversed().map(\.view))
        }
    }

    private func close() async throws -> JSONValue {
        await client.close()
        return .null
    }
}

extension PushClient {
    /// Answers a push with the API's call for this kind of answer.
    ///
    /// Returns whether the server accepted the answer.
    package func answer(_ id: String, _ kind: Step.AnswerKind, number: String) async throws -> Bool {
        switch kind {
        case .approve: try await approveNotification(id)
        case .challenge: try await approveChallengeNotification(id, challengeResponse: number)
        case .biometric: try await approveBiometricNotification(id, authenticationMethod: "face")
        case .deny: try await denyNotification(id)
        }
    }
}

/// The error for a push that never reached the app, so that the app has no id for the call.
private struct UnseenPush: Error {}
