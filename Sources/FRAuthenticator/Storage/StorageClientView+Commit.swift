import Foundation
import PushBridgeCore
import PushBridgeStore

extension StorageClientView {
    /// Hands the changes of a transaction to the app's storage.
    ///
    /// What is new goes first, accounts before what belongs to them; what is removed goes last, the other way around.
    /// If the storage refuses a change, it is given back what it held before that and before the changes that it took.
    /// - Returns: What is to be remembered.
    /// - Throws: ``StoreError`` if the storage refused a change.
    func commit(_ changes: RecordChanges) throws -> StorageClientMemory {
        var memory = memory
        let steps =
            try changes.stored(AccountProfile.self).compactMap(change)
            + changes.stored(PushCredential.self).compactMap { change($0.legacyMechanism) }
            + changes.stored(OathCredential.self).compactMap { change($0.legacyMechanism) }
            + changes.stored(PushBridgeCore.PushNotification.self).compactMap { change($0, &memory) }
            + changes.stored(PushBridgeCore.PushDeviceToken.self).compactMap { change($0, &memory) }
            + changes.removed(.deviceToken).compactMap { _ in removeToken(&memory) }
            + changes.removed(.notification).compactMap { removeNotification($0, &memory) }
            + (changes.removed(.push) + changes.removed(.oath)).compactMap { mechanism(id: $0)?.object }
            .map(remove)
            + changes.stored(LedgerEntry.self).map { remove(try unkept($0)) }
            + changes.removed(.account).compactMap(AccountKey.init).compactMap(account).map(remove)
        try carryOut(steps)
        return memory
    }

    private func carryOut(_ changes: [Change]) throws {
        var inverses: [() -> Void] = []
        for (index, change) in changes.enumerated() {
            // What was there need not be known before the last change: nothing can fail after it.
            if change.isKnown || index < changes.count - 1 { inverses.append(change.inverse()) }
            guard change.apply() else {
                for inverse in inverses.reversed() { inverse() }
                throw StoreError(.failed, reason: "The app's storage refused a change of \(change.noun).")
            }
        }
    }

    private func change(_ account: AccountProfile) -> Change? {
        let value = LegacyAccount(profile: account, timeAdded: account.addedAt ?? .distantPast)
        let before = self.account(account.key)
        guard value != before?.content.withValue({ $0 }) else { return nil }
        let object = Account(value)
        return Change(
            "an account",
            apply: { [client] in client.setAccount(account: object) },
            inverse: { [client] in
                { _ = before.map(client.setAccount) ?? client.removeAccount(account: object) }
            }
        )
    }

    private func change(_ mechanism: LegacyMechanism) -> Change? {
        let isKnown = knowsMechanism(id: mechanism.mechanismUUID)
        if isKnown, self.mechanism(id: mechanism.mechanismUUID)?.object.value == mechanism { return nil }
        let object = Mechanism.make(mechanism)
        return Change(
            "a mechanism",
            isKnown: isKnown,
            apply: { [client] in client.setMechanism(mechanism: object) },
            inverse: { [client] in
                let before = self.mechanism(id: mechanism.mechanismUUID)?.object
                return { _ = before.map(client.setMechanism) ?? client.removeMechanism(mechanism: object) }
            }
        )
    }

    private func change(
        _ notification: PushBridgeCore.PushNotification,
        _ memory: inout StorageClientMemory
    ) -> Change? {
        let value = notification.legacyNotification
        memory.claimed[value.identifier] = notification.answerClaim == nil ? nil : notification
        // A push with an answer on its way is the one that is stored, but for the claim.
        if let claimed = self.memory.claimed[value.identifier], claimed.legacyNotification == value {
            return nil
        }
        let isKnown = knowsNotification(identifier: value.identifier)
        if isKnown, self.notification(identifier: value.identifier)?.value == value { return nil }
        let object = PushNotification(value)
        return Change(
            "a notification",
            isKnown: isKnown,
            apply: { [client] in client.setNotification(notification: object) },
            inverse: { [client] in
                let before = self.notification(identifier: value.identifier)
                return {
                    _ = before.map(client.setNotification) ?? client.removeNotification(notification: object)
                }
            }
        )
    }

    private func change(
        _ token: PushBridgeCore.PushDeviceToken,
        _ memory: inout StorageClientMemory
    ) -> Change? {
        memory.owedToken = token.unconfirmedCredentialIds.isEmpty ? nil : token
        guard memory.owedToken == nil else { return nil }
        if knowsToken, storedToken()?.value == token { return nil }
        let object = PushDeviceToken(token)
        return Change(
            "the device token",
            isKnown: knowsToken,
            apply: { [client] in client.setPushDeviceToken(pushDeviceToken: object) },
            inverse: { [client] in
                let before = self.storedToken()
                return { _ = before.map(client.setPushDeviceToken) ?? client.removePushDeviceToken() }
            }
        )
    }

    private func removeToken(_ memory: inout StorageClientMemory) -> Change? {
        memory.owedToken = nil
        guard let before = storedToken() else { return nil }
        return Change(
            "the device token",
            apply: { [client] in client.removePushDeviceToken() },
            inverse: { [client] in { client.setPushDeviceToken(pushDeviceToken: before) } }
        )
    }

    private func removeNotification(_ id: String, _ memory: inout StorageClientMemory) -> Change? {
        memory.claimed[id] = nil
        guard let before = notification(identifier: id) else { return nil }
        return Change(
            "a notification",
            apply: { [client] in client.removeNotification(notification: before) },
            inverse: { [client] in { client.setNotification(notification: before) } }
        )
    }

    private func remove(_ before: Mechanism) -> Change {
        Change(
            "a mechanism",
            apply: { [client] in client.removeMechanism(mechanism: before) },
            inverse: { [client] in { client.setMechanism(mechanism: before) } }
        )
    }

    private func remove(_ before: Account) -> Change {
        Change(
            "an account",
            apply: { [client] in client.removeAccount(account: before) },
            inverse: { [client] in { client.setAccount(account: before) } }
        )
    }

    /// The mechanism that an entry keeps no more.
    private func unkept(_ entry: LedgerEntry) throws -> Mechanism {
        guard entry.verbatim == nil, let mechanism = keptMechanism(entry.record) else {
            throw StoreError(.notWritable, reason: "An app's own storage has no migration ledger.")
        }
        return mechanism
    }
}

/// One call that changes an app's storage.
private struct Change {
    let noun: String
    /// Whether it is known what the storage holds in its place.
    let isKnown: Bool
    /// Makes the change; returns whether the storage took it.
    let apply: () -> Bool
    /// Looks at what the storage holds, and returns how to give it back.
    let inverse: () -> () -> Void

    init(
        _ noun: String,
        isKnown: Bool = true,
        apply: @escaping () -> Bool,
        inverse: @escaping () -> () -> Void
    ) {
        (self.noun, self.isKnown, self.apply, self.inverse) = (noun, isKnown, apply, inverse)
    }
}
