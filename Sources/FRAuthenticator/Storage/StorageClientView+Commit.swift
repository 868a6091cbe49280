import Foundation
import PushBridgeCore

extension StorageClientView {
    /// The calls of the app's storage that make the changes of a transaction.
    ///
    /// New objects are stored first, accounts before mechanisms and notifications; removals come last, in the reverse
    /// order.
    func steps(of changes: RecordChanges) throws -> [Change] {
        var steps = try changes.stored(AccountProfile.self).map(change)
        steps += changes.stored(OathCredential.self).compactMap { change($0.legacyMechanism) }
        steps += changes.stored(PushCredential.self).compactMap { change($0.legacyMechanism) }
        steps += changes.stored(PushBridgeCore.PushNotification.self).compactMap(change)
        steps += changes.stored(PushBridgeCore.PushDeviceToken.self).compactMap(change)
        if !changes.removed(.deviceToken).isEmpty, let token = try storedToken() {
            steps.append(.removal(PushDeviceToken(token), mayBeAbsent: true))
        }
        for id in changes.removed(.notification) {
            guard let notification = try loaded.notification(identifier: id) else { continue }
            steps.append(.removal(notification, mayBeAbsent: loaded.isShown(id)))
        }
        for id in changes.removed(.push) + changes.removed(.oath) {
            guard let mechanism = try loaded.mechanism(id: id)?.object else { continue }
            steps.append(.removal(mechanism, mayBeAbsent: loaded.isShown(mechanism.value.mechanismUUID)))
        }
        steps += try changes.stored(LedgerEntry.self).map { .removal(try unkept($0)) }
        for key in changes.removed(.account).compactMap(AccountKey.init) {
            if let account = try loaded.account(key) { steps.append(.removal(account)) }
        }
        return steps
    }

    private func change(_ account: AccountProfile) throws -> Change {
        let value = LegacyAccount(profile: account, timeAdded: account.addedAt ?? .distantPast)
        let before = try loaded.account(account.key)
        let object = Account(value)
        return Change(noun: Account.noun, isKnown: true, apply: { object.store(in: $0) }) { client in
            {
                if let before {
                    before.restore(in: client)
                } else {
                    removeNew(object, from: client)
                }
            }
        }
    }

    /// Removes an account that a failed change added.
    ///
    /// The account stays if there is any sign that the storage had it before and failed to read it: reads of an app's
    /// storage cannot report that they failed.
    private func removeNew(_ account: Account, from client: any StorageClient) {
        guard client.getAllAccounts().contains(where: { $0.identifier == account.identifier }),
            client.mechanisms(of: account).isEmpty
        else { return }
        _ = account.remove(from: client)
        if !client.mechanisms(of: account).isEmpty { _ = account.store(in: client) }
    }

    private func change(_ mechanism: LegacyMechanism) -> Change? {
        let id = mechanism.mechanismUUID
        guard let known = loaded.known(mechanism: id) else {
            return .storing(Mechanism.make(mechanism), isKnown: false) { $0.getMechanismForUUID(uuid: id) }
        }
        if isCurrent, known?.object.value == mechanism { return nil }
        return .storing(Mechanism.make(mechanism)) { _ in known?.object }
    }

    private func change(_ notification: PushBridgeCore.PushNotification) -> Change? {
        let value = notification.legacyNotification
        let id = value.id
        // A push with an answer on its way is the stored one, except for the claim.
        if memory.claimed[id]?.legacyNotification == value { return nil }
        guard let known = loaded.known(notification: id) else {
            return .storing(PushNotification(value), isKnown: false) {
                $0.getNotification(notificationIdentifier: id)
            }
        }
        if isCurrent, known?.value == value { return nil }
        return .storing(PushNotification(value)) { _ in known }
    }

    private func change(_ token: PushBridgeCore.PushDeviceToken) -> Change? {
        let known = tokenRead
        guard token.unconfirmedCredentialIds.isEmpty, known != token else { return nil }
        return .storing(PushDeviceToken(token), isKnown: known != nil) { client in
            known.map(PushDeviceToken.init) ?? client.getPushDeviceToken()
        }
    }

    /// The mechanism that an entry no longer keeps.
    private func unkept(_ entry: LedgerEntry) throws -> Mechanism {
        let kept = loaded.knownMechanisms.first { ($0.record as? LedgerEntry)?.record == entry.record }
        guard entry.verbatim == nil, let mechanism = kept?.object else {
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
    /// Whether the storage may lack the object to remove, so that it refuses because of that.
    var mayBeAbsent = false
    /// Performs the change; returns whether the storage accepted it.
    let apply: (any StorageClient) -> Bool
    /// Looks at what the storage holds, and returns how to give it back.
    let inverse: (any StorageClient) -> () -> Void

    /// Stores an object; `before` is what the storage holds in its place.
    static func storing<Object: ClientObject>(
        _ object: Object,
        isKnown: Bool = true,
        insteadOf before: @escaping (any StorageClient) -> Object?
    ) -> Change {
        Change(noun: Object.noun, isKnown: isKnown, apply: { object.store(in: $0) }) { client in
            let before = before(client)
            return {
                if let before { before.restore(in: client) } else { _ = object.remove(from: client) }
            }
        }
    }

    /// Removes an object.
    static func removal<Object: ClientObject>(_ object: Object, mayBeAbsent: Bool = false) -> Change {
        Change(
            noun: Object.noun,
            isKnown: true,
            mayBeAbsent: mayBeAbsent,
            apply: { object.remove(from: $0) }
        ) { client in
            { object.restore(in: client) }
        }
    }

    /// Performs changes; if the storage rejects one, restores the previous state of it and of the accepted ones.
    static func carryOut(_ changes: [Change], in client: any StorageClient) throws {
        var inverses: [() -> Void] = []
        for (index, change) in changes.enumerated() {
            // The last change needs no former value to restore: nothing can fail after it.
            if change.isKnown || index < changes.count - 1 { inverses.append(change.inverse(client)) }
            guard change.apply(client) else {
                // An object that was removed already must not return.
                if change.mayBeAbsent { inverses.removeLast() }
                for inverse in inverses.reversed() { inverse() }
                throw StoreError(.failed, reason: "The app's storage refused a change of \(change.noun).")
            }
        }
    }
}

/// Objects that a transaction need not load from an app's storage.
protocol CachedObject {}

/// That an app's storage has no account with an identifier, as long as no other change was made.
struct AbsentAccount: CachedObject {
    let identifier: String
    let version: Int
}

/// The objects that an app's storage stores and removes.
protocol ClientObject: CachedObject {
    /// Its name in messages.
    static var noun: String { get }
    /// Stores the object; returns whether the storage accepted it.
    func store(in client: any StorageClient) -> Bool
    /// Removes the object; returns whether the storage did.
    func remove(from client: any StorageClient) -> Bool
    /// Whether the storage holds a later state, which another process made: a lock, a higher counter or an answer.
    func isOutdated(in client: any StorageClient) -> Bool
}

extension ClientObject {
    /// Stores the former state of an object again after a refused change, unless the storage holds a later one.
    func restore(in client: any StorageClient) {
        if !isOutdated(in: client) { _ = store(in: client) }
    }
}

extension Account: ClientObject {
    static var noun: String { "an account" }
    func store(in client: any StorageClient) -> Bool { client.setAccount(account: self) }
    func remove(from client: any StorageClient) -> Bool { client.removeAccount(account: self) }
    func isOutdated(in client: any StorageClient) -> Bool {
        !lock && client.getAccount(accountIdentifier: identifier)?.lock == true
    }
}

extension Mechanism: ClientObject {
    static var noun: String { "a mechanism" }
    func store(in client: any StorageClient) -> Bool { client.setMechanism(mechanism: self) }
    func remove(from client: any StorageClient) -> Bool { client.removeMechanism(mechanism: self) }
    func isOutdated(in client: any StorageClient) -> Bool {
        guard let own = (self as? HOTPMechanism)?.counter,
            let stored = client.getMechanismForUUID(uuid: mechanismUUID) as? HOTPMechanism
        else { return false }
        return stored.counter > own
    }
}

extension PushNotification: ClientObject {
    static var noun: String { "a notification" }
    func store(in client: any StorageClient) -> Bool { client.setNotification(notification: self) }
    func remove(from client: any StorageClient) -> Bool { client.removeNotification(notification: self) }
    func isOutdated(in client: any StorageClient) -> Bool {
        isPending && client.getNotification(notificationIdentifier: identifier)?.isPending == false
    }
}

extension PushDeviceToken: ClientObject {
    static var noun: String { "the device token" }
    func store(in client: any StorageClient) -> Bool { client.setPushDeviceToken(pushDeviceToken: self) }
    func remove(from client: any StorageClient) -> Bool { client.removePushDeviceToken() }
    func isOutdated(in client: any StorageClient) -> Bool { false }
}
