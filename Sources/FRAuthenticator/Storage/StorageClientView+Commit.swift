import Foundation
import PushBridgeCore

extension StorageClientView {
    /// Returns the calls to the app's storage that perform the changes of a transaction.
    ///
    /// First, objects are stored: accounts before mechanisms, and mechanisms before notifications. Then
    /// objects are removed, in the reverse order.
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

    /// Removes an account that a failed change added, unless the account has mechanisms.
    ///
    /// Reads of an app's storage cannot report a failure, so the storage may have contained an account with
    /// mechanisms before the change.
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
        // Nothing is stored if only the claim of the answer has changed, because the app's storage cannot contain a
        // claim.
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

    /// Returns the mechanism that a transaction removes by storing its ledger entry without the archive.
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
    /// Whether the previous object in the storage is already known.
    let isKnown: Bool
    /// Whether the storage may reject the removal for the sole reason that it does not contain the object.
    var mayBeAbsent = false
    /// Performs the change, and returns whether the storage accepted the change.
    let apply: (any StorageClient) -> Bool
    /// Finds the previous object, reading it from the storage if it is not known, and returns a closure that undoes the
    /// change.
    let inverse: (any StorageClient) -> () -> Void

    /// Creates the change that stores an object.
    ///
    /// The closure `before` returns the previous object in the storage.
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

    /// Creates the change that removes an object.
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

    /// Performs changes in order; if the storage rejects one, undoes the changes before it and throws an error.
    ///
    /// Undoing a change does not replace a later state of an object.
    static func perform(_ changes: [Change], in client: any StorageClient) throws {
        var inverses: [() -> Void] = []
        for (index, change) in changes.enumerated() {
            // Reading an unknown previous object costs a call to the storage. For the last change, this call is
            // omitted, because no later change can fail.
            if change.isKnown || index < changes.count - 1 { inverses.append(change.inverse(client)) }
            guard change.apply(client) else {
                // A rejected removal may mean that the object had already been removed, so the object must
                // not be restored.
                if change.mayBeAbsent { inverses.removeLast() }
                for inverse in inverses.reversed() { inverse() }
                throw StoreError(.failed, reason: "The app's storage refused a change to \(change.noun).")
            }
        }
    }
}

/// An object that a transaction does not have to read from an app's storage.
protocol CachedObject {}

/// The fact that an app's storage contains no account with an identifier.
///
/// It is valid until the next change.
struct AbsentAccount: CachedObject {
    let identifier: String
    let version: Int
}

/// An object that an app's storage stores and removes.
protocol ClientObject: CachedObject {
    /// The kind of object, for messages.
    static var noun: String { get }
    /// Stores the object, and returns whether the storage accepted the object.
    func store(in client: any StorageClient) -> Bool
    /// Removes the object, and returns whether the storage accepted the removal.
    func remove(from client: any StorageClient) -> Bool
    /// Returns whether the storage contains a later state of the object: a lock, a higher counter or an answer.
    func isOutdated(in client: any StorageClient) -> Bool
}

extension ClientObject {
    /// Stores this earlier state of an object again, unless the storage contains a later state.
    func restore(in client: any StorageClient) {
        if !isOutdated(in: client) { _ = store(in: client) }
    }
}

extension Account: ClientObject {
    static var noun: String { "an account" }
    func store(in client: any StorageClient) -> Bool { client.setAccount(account: self) }
    func remove(from client: any StorageClient) -> Bool { client.removeAccount(account: self) }
    func isOutdated(in client: any StorageClient) -> Bool {
        !profile.isLocked && client.getAccount(accountIdentifier: identifier)?.profile.isLocked == true
    }
}

extension Mechanism: ClientObject {
    static var noun: String { "a mechanism" }
    func store(in client: any StorageClient) -> Bool { client.setMechanism(mechanism: self) }
    func remove(from client: any StorageClient) -> Bool { client.removeMechanism(mechanism: self) }
    func isOutdated(in client: any StorageClient) -> Bool {
        guard let own = (self as? HOTPMechanism)?.counter,
            let stored = client.getMechanismForUUID(uuid: value.mechanismUUID) as? HOTPMechanism
        else { return false }
        return stored.counter > own
    }
}

extension PushNotification: ClientObject {
    static var noun: String { "a notification" }
    func store(in client: any StorageClient) -> Bool { client.setNotification(notification: self) }
    func remove(from client: any StorageClient) -> Bool { client.removeNotification(notification: self) }
    func isOutdated(in client: any StorageClient) -> Bool {
        isPending
            && client.getNotification(notificationIdentifier: value.legacyIdentifier)?.isPending == false
    }
}

extension PushDeviceToken: ClientObject {
    static var noun: String { "the device token" }
    func store(in client: any StorageClient) -> Bool { client.setPushDeviceToken(pushDeviceToken: self) }
    func remove(from client: any StorageClient) -> Bool { client.removePushDeviceToken() }
    func isOutdated(in client: any StorageClient) -> Bool { false }
}
