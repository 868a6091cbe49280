import Foundation
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import FRAuthenticator
@testable import LegacyStore
@testable import PingPush

/// Each field that a server sends is preserved in each form in which a store or an app can save it.
///
/// The values are those of `EveryField`. So a new claim of a push, or a new member of a stored form, is
/// tested without a change to these tests.
@Suite("Every field in every form")
struct EveryFieldTests {
    @Test(arguments: VerifiedPush.Claim.allCases)
    func everyClaimIsRead(_ claim: VerifiedPush.Claim) throws {
        let whole = try EveryField.push()
        #expect(whole.notification(id: "").additional == nil)
        do {
            #expect(try EveryField.push(without: claim) != whole, "The claim \(claim.rawValue) is not read.")
        } catch {
            #expect(error as? PushReceptionError == .missingClaim(claim.rawValue))
        }
    }

    @Test(arguments: StoredFormKind.allCases)
    func everyStoreKeepsEveryField(_ kind: StoredFormKind) throws {
        let (credential, oath) = (try EveryField.pushCredential(), try EveryField.oathCredential())
        let notification = try EveryField.notification()
        let (folder, key, keychain) = (try TemporaryFolder(), InMemorySealingKey(), InMemoryKeychain())
        func store(_ mode: SQLiteStoreMode) throws -> any CredentialStore {
            switch kind {
            case .sqlite: try SQLiteCredentialStore(path: folder.path("store"), key: key, mode: mode)
            case .keychain: KeychainCredentialStore(keychain: keychain)
            }
        }
        try store(.create).write { view in
            try view.save(credential)
            try view.save(oath)
            try view.save(notification)
        }
        let reopened = try store(.open)
        #expect(try reopened.read { try $0.pushCredential(id: credential.id) } == credential)
        #expect(try reopened.read { try $0.oathCredential(id: oath.id) } == oath)
        #expect(try reopened.read { try $0.notification(id: notification.id) } == notification)
    }

    enum StoredFormKind: CaseIterable, Sendable { case sqlite, keychain }

    /// Encodes and decodes a value of the async API, as an app's own storage does.
    @Test func theJSONOfTheAsyncAPIKeepsEveryField() throws {
        func copy<Value: Codable>(_ value: Value) throws -> Value {
            try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
        }
        let (credential, oath) = (try EveryField.pushCredential(), try EveryField.oathCredential())
        let notification = try EveryField.notification()
        #expect(try copy(credential) == credential)
        #expect(try copy(OathCredential.WithSecret(oath)).credential == oath)
        #expect(try copy(notification) == notification)
    }

    /// A legacy item keeps every field of a legacy record.
    ///
    /// The test compares legacy records, because a legacy item does not contain every field of the async API's values.
    @Test func legacyItemsKeepEveryField() throws {
        let records: [(LegacyRecord, LegacyService)] = [
            (.notification(try EveryField.notification().legacyNotification), .notification),
            (.mechanism(try EveryField.pushCredential().legacyMechanism), .mechanism),
            (.mechanism(try EveryField.oathCredential().legacyMechanism), .mechanism),
        ]
        for (record, service) in records {
            var read = try LegacyRecord(archive: record.archive, service: service)
            if case .mechanism(var mechanism) = read {
                // The record has no version. Its archive contains the default, version 1.
                mechanism.version = nil
                read = .mechanism(mechanism)
            }
            #expect(read == record)
        }
        let notification = try EveryField.notification().legacyNotification
        let json = try LegacyRecord.notification(notification).legacyJSON()
        #expect(
            try JSONDecoder().decode(FRAuthenticator.PushNotification.self, from: json).value == notification
        )
    }

    /// A notification item of the successor SDK that is read as a migration source loses no string, although some of
    /// its members have other names than in the legacy SDK's items.
    @Test func theItemOfTheSuccessorSDKKeepsEveryText() throws {
        let notification = try EveryField.notification()
        let payload = RecordService.newSDK(.pushNotifications).payload(try JSONEncoder().encode(notification))
        let item = LegacyItem(position: .index(0), service: .notification, key: "key", payload: payload)
        guard case .notification(let read) = try item.decoded().record else {
            return #expect(Bool(false), "The item contains no notification.")
        }
        #expect(try EveryField.texts(of: read) == EveryField.texts(of: notification))
    }

    @Test func theLegacyItemsInPlaceKeepEveryText() throws {
        let notification = try EveryField.notification()
        let keychain = InMemoryKeychain()
        try LegacyItemStore(LegacyKeychain(keychain)).write { view in
            try view.save(try EveryField.pushCredential())
            try view.save(notification)
        }
        let read = try LegacyItemStore(LegacyKeychain(keychain)).read {
            try $0.notification(messageId: notification.messageId)
        }
        #expect(try EveryField.texts(of: #require(read)) == EveryField.texts(of: notification))
    }

    @Test func theClassOfTheCallbackAPIKeepsEveryFieldAndShowsEveryText() throws {
        let notification = try EveryField.notification()
        let object = FRAuthenticator.PushNotification(notification)
        let storage = ArchivingStorage()
        storage.setNotification(notification: object)
        let read = try #require(storage.getNotificationByMessageId(messageId: notification.messageId))
        #expect(read.value == notification.legacyNotification)
        let decoded = try JSONDecoder()
            .decode(FRAuthenticator.PushNotification.self, from: JSONEncoder().encode(object))
        #expect(decoded.value == notification.legacyNotification)

        let folder = LegacyFixtures.url("").deletingLastPathComponent()
        let source = folder.appendingPathComponent("Sources/FRAuthenticator/Models/PushNotification.swift")
        let text = try String(contentsOf: source, encoding: .utf8)
        // As in the legacy SDK, `PushNotification` has no properties for the challenge and the load balancer.
        for name in try EveryField.texts(of: notification).keys
        where !["challenge", "loadBalancer"].contains(name) {
            #expect(text.contains("value.\(name)"), "PushNotification.swift does not read value.\(name).")
        }
    }

    /// Both APIs use the same names for the types of push, so no type is shown as another type.
    @Test func everyTypeOfPushIsShownUnderItsName() throws {
        var notification = try EveryField.notification()
        for type in PushBridgeCore.PushType.allCases {
            notification.pushType = type
            let shown = FRAuthenticator.PushNotification(notification)
            #expect(shown.pushType.rawValue == type.rawValue)
        }
    }

    @Test func anAppsOwnStorageOfTheCallbackAPIKeepsEveryField() throws {
        let (credential, notification) = (try EveryField.pushCredential(), try EveryField.notification())
        let storage = ArchivingStorage()
        try StorageClientStore(storage).write { view in
            try view.save(credential)
            try view.save(notification)
        }
        let reopened = StorageClientStore(storage)
        var expected = credential.legacyMechanism
        expected.version = 1
        #expect(try reopened.read { try $0.pushCredential(id: credential.id) }?.legacyMechanism == expected)
        let stored = try reopened.read { try $0.notification(messageId: notification.messageId) }
        #expect(stored == notification.legacyNotification)
    }

    /// The dictionary that an app's own handler returns can set every string; its keys are the members' names in the
    /// stored form.
    @Test func anAppsOwnHandlerCanSetEveryText() throws {
        let texts = try EveryField.texts(of: EveryField.notification())
        let handled = try HandledMessage(texts.merging(["credentialId": "id"]) { $1 }, from: "own")
        let notification = handled.notification(
            id: "id",
            receivedAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
        #expect(try EveryField.texts(of: notification) == texts)

        let folder = LegacyFixtures.url("").deletingLastPathComponent()
        let source = folder.appendingPathComponent("Sources/PingPush/PushHandler.swift")
        let comment = try String(contentsOf: source, encoding: .utf8)
        for name in texts.keys { #expect(comment.contains("`\(name)`"), "PushHandler.swift omits \(name).") }
    }
}
