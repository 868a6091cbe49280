import Foundation
import LegacyStore
import PushBridgeCore

extension Authenticator {
    /// The push mechanism with an id, with its notifications.
    func pushMechanism(id: String) throws -> PushMechanism? {
        let found = try read { view in
            try view.pushCredential(id: id).map { credential in
                (credential, try view.notifications(NotificationQuery(credentialId: id)))
            }
        }
        return found.map { credential, notifications in
            PushMechanism(
                credential.legacyMechanism,
                notifications: ReadNotifications(notifications),
                origin: self
            )
        }
    }

    /// Removes a mechanism and its notifications; its account stays, even without any mechanism.
    func remove(_ mechanism: LegacyMechanism) throws -> Bool {
        try write { view in
            let account = try view.accountRecord(mechanism.account)?.account
            let removed = try view.removeMechanism(mechanism)
            if let account, try view.accountRecord(mechanism.account) == nil { try view.keep(account) }
            return removed
        }
    }

    func notifications(_ query: NotificationQuery) throws -> [PushNotification] {
        try read { view in
            var objects: [PushNotification] = []
            try view.forEachNotification(query) { objects.append(object($0)) }
            return objects
        }
    }

    func notification(identifier: String) throws -> PushNotification? {
        try read { try $0.notification(legacyIdentifier: identifier) }.map(object)
    }

    func remove(_ notification: PushNotification) throws -> Bool {
        try write { view in
            guard let stored = try view.stored(notification) else { return false }
            return try view.removeNotification(id: stored.id)
        }
    }
}

extension CredentialWriting {
    fileprivate func removeMechanism(_ mechanism: LegacyMechanism) throws -> Bool {
        let id = mechanism.mechanismUUID
        if mechanism.kind == .push, try dismissPushCredential(id: id) { return true }
        if mechanism.kind != .push, try removeOathCredential(id: id) { return true }
        var removed = false
        try forEachKept(of: mechanism.account) { kept, item in
            guard case .mechanism(let value) = item.record, value.mechanismUUID == id else { return }
            removed = try removePreservedRecord(for: kept.record) || removed
        }
        return removed
    }
}

extension CredentialReading {
    /// The stored push that an object stands for; objects that were decoded know no stored id.
    func stored(_ object: PushNotification) throws -> PushBridgeCore.PushNotification? {
        let value = object.value
        func isSame(_ stored: PushBridgeCore.PushNotification) -> Bool {
            stored.messageId == value.message.id && stored.credentialId == value.mechanismUUID
        }
        if let id = object.storedId, let stored = try notification(id: id), isSame(stored) { return stored }
        if let stored = try notification(messageId: value.message.id), isSame(stored) { return stored }
        return try notification(id: value.identifier).flatMap { isSame($0) ? $0 : nil }
    }

    /// The first push whose legacy key is `identifier`, `{mechanismUUID}-{timeAdded in ms}`.
    fileprivate func notification(
        legacyIdentifier identifier: String
    ) throws -> PushBridgeCore.PushNotification? {
        if let stored = try notification(id: identifier) { return stored }
        guard
            let dash = identifier.lastIndex(of: "-"),
            let milliseconds = Int64(identifier[identifier.index(after: dash)...])
        else { return nil }
        var query = NotificationQuery(credentialId: String(identifier[..<dash]))
        query.sentAt = .around(milliseconds: milliseconds)
        return try notifications(query).first { $0.legacyNotification.identifier == identifier }
    }
}

extension ClosedRange<Date> {
    /// The dates that are rounded to a number of milliseconds since 1970, and a few beside them; `nil` where the number
    /// is too great to tell them apart.
    fileprivate static func around(milliseconds: Int64) -> ClosedRange? {
        guard milliseconds.magnitude < 1 << 50 else { return nil }
        return Date(millisecondsSince1970: milliseconds - 1)...Date(millisecondsSince1970: milliseconds + 1)
    }
}
