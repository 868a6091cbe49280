import Foundation
import PushBridgeCore
import PushBridgeStore

extension StorageClientView {
    /// What to ask of the app's storage to make the changes of a transaction.
    ///
    /// What is new goes first, accounts before what belongs to them; what is removed goes last, the other way around.
    func steps(of changes: RecordChanges) throws -> [Change] {
        var steps = changes.stored(AccountProfile.self).map(change)
        steps += changes.stored(OathCredential.self).compactMap { change($0.legacyMechanism) }
        steps += changes.stored(PushCredential.self).compactMap { change($0.legacyMechanism) }
        steps += changes.stored(PushBridgeCore.PushNotification.self).compactMap(change)
        steps += changes.stored(PushBridgeCore.PushDeviceToken.self).compactMap(change)
        if !changes.removed(.deviceToken).isEmpty {
            steps += [storedToken()].compactMap(\.self).map { remove($0, mayBeAbsent: true) }
        }
        for id in changes.removed(.notification) {
            steps += [notification(identifier: id)].compactMap(\.self).map {
                remove($0, mayBeAbsent: isShown(id))
            }
        }
        let mechanisms = changes.removed(.push) + changes.removed(.oath)
        steps += mechanisms.compactMap { mechanism(id: $0)?.object }.map {
            remove($0, mayBeAbsent: isShown($0.mechanismUUID))
        }
        steps += try changes.stored(LedgerEntry.self).map { remove(try unkept($0)) }
        steps += changes.removed(.account).compactMap(AccountKey.init).compactMap(account).map { remove($0) }
        return steps
    }

    /// Makes changes; if the storage refuses one, it is given back what it held before it and those that it took.
    func carryOut(_ changes: [Change]) throws {
        var inverses: [() -> Void] = []
        for (index, change) in changes.enumerated() {
            // What was there need not be known before the last change: nothing can fail after it.
            if change.isKnown || index < changes.count - 1 { inverses.append(change.inverse()) }
            guard change.apply() else {
                // What was gone already must not come back.
                if change.mayBeAbsent { inverses.removeLast() }
                for inverse in inverses.reversed() { inverse() }
                throw StoreError(.failed, reason: "The app's storage refused a change of \(change.noun).")
            }
        }
    }

    private func change(_ account: AccountProfile) -> Change {
        let value = LegacyAccount(profile: account, timeAdded: account.addedAt ?? .distantPast)
        let before = self.account(account.key)
        return store(Account(value), insteadOf: { before })
    }

    private func change(_ mechanism: LegacyMechanism) -> Change? {
        let id = mechanism.mechanismUUID
        let isKnown = knowsMechanism(id: id)
        if isCurrent, isKnown, self.mechanism(id: id)?.object.value == mechanism { return nil }
        return store(Mechanism.make(mechanism), isKnown: isKnown) { self.mechanism(id: id)?.object }
    }

    private func change(_ notification: PushBridgeCore.PushNotification) -> Change? {
        let value = notification.legacyNotification
        let id = value.identifier
        // A push with an answer on its way is the one that is stored, but for the claim.
        if memory.claimed[id]?.legacyNotification == value { return nil }
        let isKnown = knowsNotification(identifier: id)
        if isCurrent, isKnown, self.notification(identifier: id)?.value == value { return nil }
        return store(PushNotification(value), isKnown: isKnown) { self.notification(identifier: id) }
    }

    private func change(_ token: PushBridgeCore.PushDeviceToken) -> Change? {
        guard token.unconfirmedCredentialIds.isEmpty, tokenRead != token else { return nil }
        return store(PushDeviceToken(token), isKnown: tokenRead != nil) { self.storedToken() }
    }

    private func store<Object: StorageObject>(
        _ object: Object,
        isKnown: Bool = true,
        insteadOf before: @escaping () -> Object?
    ) -> Change {
        let client = client
        return Change(noun: Object.noun, isKnown: isKnown, apply: { object.store(in: client) }) {
            let before = before()
            return { _ = before.map { $0.store(in: client) } ?? object.remove(from: client) }
        }
    }

    private func remove<Object: StorageObject>(_ object: Object, mayBeAbsent: Bool = false) -> Change {
        let client = client
        return Change(
            noun: Object.noun,
            isKnown: true,
            mayBeAbsent: mayBeAbsent,
            apply: { object.remove(from: client) }
        ) {
            { _ = object.store(in: client) }
        }
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
struct Change {
    let noun: String
    /// Whether it is known what the storage holds in its place.
    let isKnown: Bool
    /// Whether the storage may not hold what is to be removed, so that it refuses because of that.
    var mayBeAbsent = false
    /// Makes the change; returns whether the storage took it.
    let apply: () -> Bool
    /// Looks at what the storage holds, and returns how to give it back.
    let inverse: () -> () -> Void
}

/// What a transaction need not ask an app's storage for.
protocol KnownObject {}

/// That an app's storage has no account with an identifier, as long as no other change was made.
struct AbsentAccount: KnownObject {
    let identifier: String
    let version: Int
}

/// What an app's storage stores and removes.
protocol StorageObject: KnownObject {
    /// What it is called in messages.
    static var noun: String { get }
    /// Stores the object; returns whether the storage took it.
    func store(in client: any StorageClient) -> Bool
    /// Removes the object; returns whether the storage did.
    func remove(from client: any StorageClient) -> Bool
}

extension Account: StorageObject {
    static var noun: String { "an account" }
    func store(in client: any StorageClient) -> Bool { client.setAccount(account: self) }
    func remove(from client: any StorageClient) -> Bool { client.removeAccount(account: self) }
}

extension Mechanism: StorageObject {
    static var noun: String { "a mechanism" }
    func store(in client: any StorageClient) -> Bool { client.setMechanism(mechanism: self) }
    func remove(from client: any StorageClient) -> Bool { client.removeMechanism(mechanism: self) }
}

extension PushNotification: StorageObject {
    static var noun: String { "a notification" }
    func store(in client: any StorageClient) -> Bool { client.setNotification(notification: self) }
    func remove(from client: any StorageClient) -> Bool { client.removeNotification(notification: self) }
}

extension PushDeviceToken: StorageObject {
    static var noun: String { "the device token" }
    func store(in client: any StorageClient) -> Bool { client.setPushDeviceToken(pushDeviceToken: self) }
    func remove(from client: any StorageClient) -> Bool { client.removePushDeviceToken() }
}
