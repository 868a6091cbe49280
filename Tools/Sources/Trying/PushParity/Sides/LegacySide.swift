import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals
package import PushBridgePlatform

/// An app that uses the legacy API.
package final class LegacySide: ParitySide {
    let client: FRAClient
    let handler: FRAPushHandler
    let environment: SideEnvironment
    /// The received notifications, by message id, as the screens of an app store them.
    let shown = Lock<[String: FRAuthenticator.PushNotification]>([:])

    init(in environment: SideEnvironment) throws {
        let phone = environment.phone
        self.environment = environment
        let evaluator = FRAPolicyEvaluator()
        try evaluator.registerPolicies(
            policies: environment.policies.map(ProbedPolicy.init),
            shouldOverride: true
        )
        (client, handler) = FRAClient.separate(
            store: environment.storeOfSide,
            transport: environment.transportOfSide,
            policyEvaluator: evaluator,
            localAuthentication: FaceRecognition(of: phone),
            now: { phone.now }
        )
    }

    package func perform(_ call: SideCall) async -> [Delivery] {
        switch call {
        case .registerToken(let bytes): await register(bytes)
        case .updateToken(let token, let id): await update(token, for: id)
        case .enrol(let uri): await enrol(uri)
        case .answer(let kind, let number, let messageId): await answer(kind, number, messageId)
        case .deleteNotification(let messageId): [Delivery(.returned, deleteNotification(messageId))]
        case .close: [Delivery(.returned, .notOffered)]
        default: [returned(by: call)]
        }
    }

    /// Makes a synchronous call and returns its result.
    private func returned(by call: SideCall) -> Delivery {
        do {
            return Delivery(.returned, .value(try value(of: call)))
        } catch {
            return Delivery(.returned, .failure(Failure(legacy: error)))
        }
    }

    private func value(of call: SideCall) throws -> JSONValue {
        switch call {
        case .clearToken:
            handler.clearDeviceToken()
            return .null
        case .readToken: return .optional(handler.deviceToken)
        case .receive(let payload): return receive(payload)
        case .lock(let id, let policy):
            try client.lockAccount(account: try account(of: id), policy: NamedPolicy(name: policy))
            return true
        case .unlock(let id):
            try client.unlockAccount(account: try account(of: id))
            return true
        case .rename(let id, let issuer, let name): return .bool(try rename(id, issuer, name))
        case .deleteCredential(let id): return .bool(delete(id))
        case .deleteAccount(let key): return .bool(delete(key))
        case .code(let id): return try code(id)
        case .list(let content): return list(content)
        case .registerToken, .updateToken, .enrol, .answer, .deleteNotification, .close: return .null
        }
    }
}

/// A policy that examines the scenario's device.
private final class ProbedPolicy: FRAPolicy {
    let name: String
    var data: Any?
    private let policy: any AccountPolicy

    init(_ policy: any AccountPolicy) {
        name = policy.name
        self.policy = policy
    }

    func evaluate() -> Bool { policy.isSatisfied(by: json) }

    private var json: JSONValue {
        guard let data, JSONSerialization.isValidJSONObject([data]) else { return .null }
        do {
            let text = try JSONSerialization.data(withJSONObject: [data])
            guard case .array(let values)? = JSONValue(json: text) else { return .null }
            return values.first ?? .null
        } catch {
            return .null
        }
    }
}

/// A policy that consists only of a name.
private final class NamedPolicy: FRAPolicy {
    let name: String
    var data: Any?

    init(name: String) { self.name = name }

    func evaluate() -> Bool { true }
}

/// Local authentication on the scenario's device.
///
/// The device recognises its user unless a step disables this.
private struct FaceRecognition: LocalAuthenticating {
    private let phone: Phone

    init(of phone: Phone) { self.phone = phone }

    var isAvailable: Bool { true }

    func authenticate(
        _ prompt: AuthenticationPrompt,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completion(phone.refusesFace ? FaceError.refused : nil)
    }
}

/// The error of a device that did not recognise its user.
enum FaceError: Error {
    case refused
}

/// Local authentication that always succeeds.
package struct PassedAuthentication: LocalAuthenticating {
    package var isAvailable: Bool { true }

    package init() {}

    package func authenticate(
        _ prompt: AuthenticationPrompt,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completion(nil)
    }
}

extension LegacySide {
    func receive(_ payload: JSONValue) -> JSONValue {
        let userInfo = payload.userInfo
        let received = handler.application(.shared, didReceiveRemoteNotification: userInfo)
        guard let received else { return .null }
        shown.withValue { $0[received.messageId] = received }
        return received.view
    }

    /// Returns the notification of a push; `nil` if there is none.
    ///
    /// If no screen stored the notification, it comes from the list of notifications.
    func notification(_ messageId: String) -> FRAuthenticator.PushNotification? {
        if let notification = shown.withValue({ $0[messageId] }) { return notification }
        return client.getAllNotifications().first { $0.messageId == messageId }
    }

    func account(of credentialId: String) throws -> Account {
        guard let key = key(of: credentialId), let account = client.account(key) else {
            throw PushNotificationError.storageError("There is no account.")
        }
        return account
    }

    func rename(_ credentialId: String, _ issuer: String?, _ name: String?) throws -> Bool {
        let account = try account(of: credentialId)
        if let issuer { account.displayIssuer = issuer }
        if let name { account.displayAccountName = name }
        return try client.updateAccount(account: account)
    }

    func delete(_ credentialId: String) -> Bool {
        guard let key = key(of: credentialId), let account = client.account(key) else { return false }
        return account.mechanisms.first { $0.mechanismUUID == credentialId }
            .map { client.removeMechanism(mechanism: $0) } ?? false
    }

    func delete(_ key: AccountKey) -> Bool {
        client.account(key).map { client.removeAccount(account: $0) } ?? false
    }

    func deleteNotification(_ messageId: String) -> Delivery.Outcome {
        guard let notification = notification(messageId) else { return .skipped("No screen shows the push.") }
        return .value(.bool(client.removeNotification(notification: notification)))
    }

    func list(_ content: Step.List) -> JSONValue {
        switch content {
        case .credentials: mechanisms { $0 is PushMechanism }
        case .oathCredentials: mechanisms { $0 is OathMechanism }
        case .notifications: .array(client.getAllNotifications().map(\.view))
        case .pending:
            // The legacy API also returns expired pushes, and apps omit them, so they are omitted here. The async
            // API does not return them.
            .array(
                client.getAllNotifications().filter { $0.isPending && $0.timeExpired > environment.phone.now }
                    .map(
                        \.view
                    )
            )
        }
    }

    private func mechanisms(_ isListed: (Mechanism) -> Bool) -> JSONValue {
        .array(
            client.getAllAccounts().flatMap { account in
                account.mechanisms.filter(isListed).map { $0.view(in: account) }
            }
        )
    }

    /// Returns a one-time password of a mechanism; null if there is no such mechanism.
    ///
    /// As on an app's screens, the mechanism is found through its account.
    func code(_ credentialId: String) throws -> JSONValue {
        let key = try environment.contents().oathCredentials.first { $0.id == credentialId }?.account.key
        let mechanism = key.flatMap(client.account)?.mechanisms.first { $0.mechanismUUID == credentialId }
        switch mechanism {
        case let mechanism as TOTPMechanism: return .string(try mechanism.generateCode().code)
        case let mechanism as HOTPMechanism: return .string(try mechanism.generateCode().code)
        default: return .null
        }
    }

    /// Returns the account's key from the store; `nil` if the store cannot be read or has no such credential.
    ///
    /// The API is not used, because it would evaluate the policies of all accounts.
    private func key(of credentialId: String) -> AccountKey? {
        do {
            return try environment.contents().pushCredentials.first { $0.id == credentialId }?.account.key
        } catch {
            return nil
        }
    }
}

extension FRAClient {
    /// Returns the account with this key; `nil` if there is no such account.
    ///
    /// The identifier alone is not sufficient, because several accounts may have the same identifier.
    fileprivate func account(_ key: AccountKey) -> Account? {
        func isMeant(_ account: Account) -> Bool {
            account.issuer == key.issuer && account.accountName == key.accountName
        }
        if let account = getAccount(identifier: key.legacyIdentifier), isMeant(account) { return account }
        return getAllAccounts().first(where: isMeant)
    }

    func pushMechanism(_ id: String) -> PushMechanism? {
        getAllAccounts().lazy.flatMap(\.mechanisms).first { $0.mechanismUUID == id } as? PushMechanism
    }
}

extension Mechanism {
    /// Returns the values of the mechanism and its account that an app can show.
    func view(in account: Account) -> JSONValue {
        [
            "id": .string(mechanismUUID),
            "issuer": .string(issuer),
            "accountName": .string(accountName),
            "displayIssuer": .optional(account.displayIssuer),
            "displayAccountName": .optional(account.displayAccountName),
            "imageURL": .optional(account.imageUrl),
            "backgroundColor": .optional(account.backgroundColor),
            "policies": .optional(account.policies),
            "lockingPolicy": .optional(account.lockingPolicy),
            "isLocked": .bool(account.lock),
            "createdAt": .seconds(timeAdded),
        ]
    }
}

extension FRAuthenticator.PushNotification {
    /// The values of the notification that an app can show.
    var view: JSONValue {
        [
            "credentialId": .string(mechanismUUID),
            "messageId": .string(messageId),
            "type": .string(pushType.rawValue),
            "message": .optional(message),
            "customPayload": .optional(customPayload),
            "numbers": .array((numbersChallengeArray ?? []).map(JSONValue.integer)),
            "contextInfo": .optional(contextInfo),
            "ttl": .number(ttl),
            "sentAt": .seconds(timeAdded),
            "expiresAt": .seconds(timeExpired),
            "pending": .bool(isPending),
            "approved": .bool(isApproved),
            "denied": .bool(isDenied),
        ]
    }
}
