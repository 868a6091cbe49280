import LegacyStore
import PushBridgeCore

/// One transaction on an app's storage: reads through to it, and stages what is written.
final class StorageClientView {
    let client: any StorageClient
    var memory: StorageClientMemory
    /// What was written, by id; `nil` is removed.
    var push = Staged<PushCredential>()
    var oath = Staged<OathCredential>()
    var notifications = Staged<PushBridgeCore.PushNotification>()
    /// Accounts to store or remove that no credential carries.
    var accounts: [AccountKey: LegacyAccount?] = [:]
    /// The device token, if it was written.
    var token: PushBridgeCore.PushDeviceToken??

    init(_ client: any StorageClient, _ memory: StorageClientMemory) {
        self.client = client
        self.memory = memory
    }

    /// All accounts as the storage has them.
    func storedAccounts() -> [Account] { client.getAllAccounts() }

    /// All mechanisms as the storage has them, with their accounts.
    func storedMechanisms(of key: AccountKey? = nil) -> [(Mechanism, LegacyAccount)] {
        storedAccounts().filter { key == nil || $0.profile.key == key }.flatMap { account in
            let value = account.content.withValue { $0 }
            return client.getMechanismsForAccount(account: account)
                .filter { $0.value.account == value.profile.key }
                .map { ($0, value) }
        }
    }

    /// The mechanism with an id as the storage has it, with its account if it has one.
    func storedMechanism(id: String) -> (Mechanism, LegacyAccount?)? {
        guard let mechanism = client.getMechanismForUUID(uuid: id) else { return nil }
        let key = mechanism.value.account
        if let account = client.getAccount(accountIdentifier: mechanism.accountIdentifier),
            account.profile.key == key
        {
            return (mechanism, account.content.withValue { $0 })
        }
        let account = storedAccounts().first { $0.profile.key == key }
        return (mechanism, account.map { $0.content.withValue { $0 } })
    }

    /// The notification with the answer that is on its way.
    func notification(_ object: PushNotification) -> PushBridgeCore.PushNotification? {
        do {
            var notification = try PushBridgeCore.PushNotification(object.value)
            notification.answerClaim = memory.claims[notification.messageId]
            return notification
        } catch {
            return nil
        }
    }
}

/// Values that were written in a transaction, by id.
struct Staged<Value: Identifiable & Equatable> where Value.ID == String {
    /// In the order of their first writing; `nil` is removed.
    private(set) var changes: [(id: String, value: Value?)] = []

    subscript(id: String) -> Value?? { changes.first { $0.id == id }?.value }

    mutating func stage(_ value: Value?, for id: String) {
        if let index = changes.firstIndex(where: { $0.id == id }) {
            changes[index].value = value
        } else {
            changes.append((id, value))
        }
    }

    /// The stored values with the changes on top.
    func over(_ stored: [Value]) -> [Value] {
        stored.filter { self[$0.id] == nil } + changes.compactMap(\.value)
    }
}

extension Mechanism {
    /// The mechanism as a credential, if it is one for push.
    func pushCredential(of account: LegacyAccount?) -> PushCredential? {
        guard case .push(let parameters) = value.factor else { return nil }
        do {
            return try PushCredential(mechanism: value, parameters: parameters, account: account)
        } catch {
            return nil
        }
    }

    /// The mechanism as a credential, if it is one for one-time passwords that the core can make.
    func oathCredential(of account: LegacyAccount?) -> OathCredential? {
        do {
            return try OathCredential(mechanism: value, account: account)
        } catch {
            return nil
        }
    }
}
