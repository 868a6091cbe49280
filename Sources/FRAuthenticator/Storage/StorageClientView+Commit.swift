import LegacyStore
import PushBridgeCore

extension StorageClientView {
    /// Hands everything staged to the app's storage, and answers what is to be remembered.
    ///
    /// If the storage refuses a change, those before it are taken back and the refusal is thrown.
    func commit() throws -> StorageClientMemory {
        var done = CommittedChanges()
        do {
            // First, because a credential may take over an account that was kept.
            for (key, account) in accounts { try commit(account, of: key, &done) }
            for (id, credential) in push.changes {
                try commit(credential?.legacyMechanism, id: id, account: credential?.legacyAccount, &done)
            }
            for (id, credential) in oath.changes {
                try commit(credential?.legacyMechanism, id: id, account: credential?.legacyAccount, &done)
            }
            for (id, notification) in notifications.changes { try commit(notification, id: id, &done) }
            if let token { try commit(token, &done) }
        } catch {
            done.takeBack()
            throw error
        }
        return memory
    }

    private func commit(
        _ mechanism: LegacyMechanism?,
        id: String,
        account: LegacyAccount?,
        _ done: inout CommittedChanges
    ) throws {
        let before = client.getMechanismForUUID(uuid: id)
        if let account { try commit(account, of: account.profile.key, &done) }
        if let mechanism {
            guard mechanism != before?.value else { return }
            let object = Mechanism.make(mechanism)
            try done.add("a mechanism", client.setMechanism(mechanism: object)) { [client] in
                _ = before.map(client.setMechanism) ?? client.removeMechanism(mechanism: object)
            }
        } else if let before {
            try done.add("a mechanism", client.removeMechanism(mechanism: before)) { [client] in
                client.setMechanism(mechanism: before)
            }
        }
    }

    private func commit(
        _ account: LegacyAccount?,
        of key: AccountKey,
        _ done: inout CommittedChanges
    ) throws {
        let before = storedAccounts().first { $0.profile.key == key }
        if let account {
            guard account != before?.content.withValue({ $0 }) else { return }
            let object = Account(account)
            try done.add("an account", client.setAccount(account: object)) { [client] in
                _ = before.map(client.setAccount) ?? client.removeAccount(account: object)
            }
        } else if let before {
            try done.add("an account", client.removeAccount(account: before)) { [client] in
                client.setAccount(account: before)
            }
        }
    }

    private func commit(
        _ notification: PushBridgeCore.PushNotification?,
        id: String,
        _ done: inout CommittedChanges
    ) throws {
        guard let notification else {
            guard let before = client.getNotification(notificationIdentifier: id) else { return }
            memory.claims[before.messageId] = nil
            return try done.add("a notification", client.removeNotification(notification: before)) {
                [client] in
                client.setNotification(notification: before)
            }
        }
        let value = notification.legacyNotification
        let before = client.getNotification(notificationIdentifier: value.identifier)
        memory.claims[notification.messageId] = notification.answerClaim
        guard before?.value != value else { return }
        let object = PushNotification(value)
        try done.add("a notification", client.setNotification(notification: object)) { [client] in
            _ = before.map(client.setNotification) ?? client.removeNotification(notification: object)
        }
    }

    private func commit(
        _ token: PushBridgeCore.PushDeviceToken?,
        _ done: inout CommittedChanges
    ) throws {
        let before = client.getPushDeviceToken()
        memory.owedToken = nil
        guard let token else {
            guard before != nil else { return }
            return try done.add("the device token", client.removePushDeviceToken()) { [client] in
                _ = before.map(client.setPushDeviceToken)
            }
        }
        guard token.unconfirmedCredentialIds.isEmpty else {
            memory.owedToken = token
            return
        }
        guard before?.value != token else { return }
        let object = PushDeviceToken(token)
        try done.add("the device token", client.setPushDeviceToken(pushDeviceToken: object)) { [client] in
            _ = before.map(client.setPushDeviceToken) ?? client.removePushDeviceToken()
        }
    }
}

/// What an app's storage took, with how to take it back.
private struct CommittedChanges {
    private var inverses: [() -> Void] = []

    mutating func add(_ what: String, _ wasTaken: Bool, inverse: @escaping () -> Void) throws {
        guard wasTaken else {
            throw StoreError(.failed, reason: "The app's storage did not take a change of \(what).")
        }
        inverses.append(inverse)
    }

    func takeBack() {
        for inverse in inverses.reversed() { inverse() }
    }
}
