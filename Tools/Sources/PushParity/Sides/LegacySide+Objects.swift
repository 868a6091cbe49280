import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore

extension LegacySide {
    func receive(_ payload: JSONValue) -> JSONValue {
        let userInfo = payload.userInfo
        let received = handler.application(.shared, didReceiveRemoteNotification: userInfo)
        guard let received else { return .null }
        shown.withValue { $0[received.messageId] = received }
        return received.view
    }

    /// The notification a screen holds, or else the one in the list.
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

    func list(_ content: Step.List.Content) -> JSONValue {
        switch content {
        case .credentials: mechanisms { $0 is PushMechanism }
        case .oathCredentials: mechanisms { $0 is OathMechanism }
        case .notifications: .array(client.getAllNotifications().map(\.view))
        case .pending: .array(client.getAllNotifications().filter(\.isPending).map(\.view))
        }
    }

    private func mechanisms(_ isListed: (Mechanism) -> Bool) -> JSONValue {
        .array(
            client.getAllAccounts().flatMap { account in
                account.mechanisms.filter(isListed).map { $0.view(in: account) }
            }
        )
    }

    /// The code of a mechanism, found as screens find it: in its account.
    func code(_ credentialId: String) throws -> JSONValue {
        let key = try world.store.read { try $0.oathCredential(id: credentialId)?.account.key }
        let mechanism = key.flatMap(client.account)?.mechanisms.first { $0.mechanismUUID == credentialId }
        switch mechanism {
        case let mechanism as TOTPMechanism: return .string(try mechanism.generateCode().code)
        case let mechanism as HOTPMechanism: return .string(try mechanism.generateCode().code)
        default: return .null
        }
    }

    /// Asks the store and not the API, which would evaluate the policies of all accounts on the way.
    private func key(of credentialId: String) -> AccountKey? {
        do {
            return try world.store.read { try $0.pushCredential(id: credentialId)?.account.key }
        } catch {
            return nil
        }
    }
}

extension FRAClient {
    /// The account; several may have the same identifier.
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
    /// The mechanism as an app's screens show it.
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
    /// The notification as an app's screens show it.
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
