import CredentialMigration
import FRAuthenticator
import Foundation
@_spi(PushBridgeTools) import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import FRAuthenticator

// Three kinds of events: `retire` after a move, a move to another phone or another store, and failures at the
// end of a move.
extension MoveOrderTests {
    private static var sources: [@Sendable (UnreliableKeychain) -> MigrationSource] {
        [
            { .keychain($0) },
            { .keychain($0, key: SoftwareItemKey()) },
            { MigrationSource.keychain($0).archives(ofModule: "FRAuthenticator") },
            { MigrationSource.keychain($0).items(ofServices: ["other"]) },
        ]
    }

    /// In place, `retire` fails, because the client's store consists of the items in the source.
    ///
    /// A proof would compare each record with itself.
    @Test(arguments: 0..<4)
    func retiringRemovesNoItemThatTheClientUses(_ number: Int) throws {
        let app = process(.inPlace)
        let source = Self.sources[number](keychain)
        let migration = CredentialMigration(from: source, to: try app.authenticator.store())
        let folder = try TemporaryFolder()
        let error = #expect(throws: MigrationError.self) {
            try migration.retire(try migration.verify(), backup: folder.url("backup"))
        }
        #expect(error?.code == .sourceIsDestination)
        #expect(process(.inPlace).usable == Self.accounts)
    }

    @Test(arguments: 0..<4) func retiringBeforeTheEndOfAMoveRemovesNothing(_ number: Int) throws {
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        let app = process(.atOnce)
        guard case .later(let receipt?) = app.migration.outcome else {
            Issue.record("The migration's outcome is \(app.migration.outcome) instead of later.")
            return
        }
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        let migration = CredentialMigration(from: Self.sources[number](keychain), to: store)
        for receipt in [receipt, try migration.verify()] {
            let folder = try TemporaryFolder()
            let error = #expect(throws: MigrationError.self) {
                try migration.retire(receipt, backup: folder.url("backup"))
            }
            #expect(error?.code == .moveIsUnfinished)
        }
        #expect(process(.atOnce).usable == Self.accounts)
    }

    /// If another thread moves the records back after `retire` has proven them, `retire` keeps all items.
    @Test func aMoveBackDuringARetirementKeepsAllItems() throws {
        let app = process(.atOnce)
        guard case .done(let receipt) = app.migration.outcome else {
            Issue.record("The migration's outcome is \(app.migration.outcome) instead of done.")
            return
        }
        let (migration, authenticator) = (app.migration, app.authenticator)
        let end = DispatchSemaphore(value: 0)
        // The first transaction examines the kind of the store, and the second proves the records.
        let proving = CallingAfterRead(store, number: 2) {
            DispatchQueue.global().async {
                _ = try? migration.moveBack(on: authenticator)
                end.signal()
            }
            if end.wait(timeout: .now() + 0.5) == .success { end.signal() }
        }
        let folder = try TemporaryFolder()
        try CredentialMigration(from: .keychain(phone), to: proving)
            .retire(receipt, backup: folder.url("backup"))
        end.wait()
        #expect(app.isInPlace)
        let left = try previousRelease().client.getAllAccounts().filter { !$0.mechanisms.isEmpty }
        #expect(left.map(\.identifier).sorted() == Self.accounts)
    }

    /// A call ends although another process moves the store's records to another store after one of the call's reads.
    ///
    /// The call must then read the move's state from the keychain item beside the legacy items, and must not wait for
    /// exclusive access that it already has.
    @Test(.timeLimit(.minutes(1)), arguments: 1...8)
    func callsEndIfTheRecordsMoveToAnotherStoreMeanwhile(_ number: Int) throws {
        #expect(process(.atOnce).accounts == Self.accounts)
        let calls: [(RecordPlace) throws -> Void] = [
            { _ = try $0.move() }, { _ = try $0.store.read { try $0.accounts() } },
        ]
        for call in calls {
            let (first, later) = (MemoryCredentialStore(), MemoryCredentialStore())
            try StoreMove(from: store, to: first).run()
            let following = CallingAfterRead(first, number: number) {
                do {
                    try StoreMove(from: first, to: later).run()
                } catch {
                    Issue.record(error)
                }
            }
            let place = try #require(RecordPlace(of: .keychain(keychain)) { following })
            _ = Swift.Result { try call(place) }
            try StoreMove(from: first, to: later).run()
            #expect(try later.read { try $0.accountContents().count } == Self.accounts.count)
            try StoreMove(from: later, to: store).run()
        }
    }

    /// Replaces items with copies that a backup cannot restore to another device.
    private func keepOnDevice(_ prefix: String) throws {
        for name in try items(prefix) {
            let data = try #require(try phone.data(name))
            try phone.remove(name)
            try phone.add(KeychainItem(name, data: data, accessibility: .afterFirstUnlockThisDeviceOnly))
        }
    }

    private func items(_ prefix: String) throws -> [KeychainItem.Name] {
        try [LegacyService.account, .mechanism].flatMap {
            try phone.names(service: $0.rawValue, accessGroup: nil)
        }
        .filter { $0.account.hasPrefix(prefix) }
    }

    /// Items that stay on the old phone because of their accessibility class do not count as removed on the new phone.
    ///
    /// The items had this class before the first attempt to move, or they received it later.
    @Test(arguments: [true, false])
    func anAccountWhoseItemsStayOnTheOldPhoneIsNotRemoved(_ isLater: Bool) throws {
        let carol = "Combined-carol"
        if !isLater { try keepOnDevice(carol) }
        keychain.refuse("\(Self.bob)-hotp", with: -25308)
        #expect(process(.atOnce).isLater)
        if isLater {
            try keepOnDevice(carol)
            #expect(process(.atOnce).isLater)
        }
        // The new phone was restored from a backup, and the backup has no items that must stay on the old phone.
        for name in try items(carol) { try phone.remove(name) }
        let marker = KeychainItem.Name(service: LegacyKeychain.besideService, account: "here")
        #expect(try phone.accessibility(of: marker)?.travels == false)
        try phone.remove(marker)
        keychain.refuseWriting("listing", with: -50)
        _ = process(.atOnce)
        keychain.refuseWriting("listing", with: nil)
        keychain.refuse("\(Self.bob)-hotp", with: nil)
        let app = process(.atOnce)
        #expect(!app.isInPlace && app.usable == Self.accounts)
    }

    /// A move back leaves no copies in a second store that the app opens later.
    ///
    /// A move to the second store copied the records, but failed to empty the first store.
    @Test func aMoveBackLeavesNoCopiesInAStoreThatTheAppOpensLater() throws {
        _ = process(.atOnce)
        let later = MemoryCredentialStore()
        #expect(throws: CocoaError.self) {
            try StoreMove(from: UnwritableOnce(store), to: later).run()
        }
        let app = process(.atOnce)
        _ = try app.migration.moveBack(on: app.authenticator)
        let bob = try #require(app.client.getAccount(identifier: Self.bob))
        #expect(app.client.removeAccount(account: bob))
        try StoreMove(from: store, to: later).run()
        #expect(try later.read { try $0.move() } == nil)
        #expect(try later.read { try $0.oathCredentials().values.isEmpty })
    }

    /// After each rejected write, the reported outcome agrees with the store that is in charge.
    ///
    /// In each round, the keychain rejects a later write than in the previous round.
    @Test(arguments: ["state", "listing", "here"])
    func theOutcomeMatchesTheStoreInUseAfterARejectedWrite(_ name: String) throws {
        for count in 0..<4 {
            for service in LegacyService.allCases.map(\.rawValue) + [LegacyKeychain.besideService] {
                for name in try phone.names(service: service, accessGroup: nil) { try phone.remove(name) }
            }
            try phone.install()
            try store.write { view in
                for kind in RecordKind.allCases { try view.remove(kind, where: .all) }
            }
            keychain.refuseWriting(name, with: -50, after: count)
            let app = process(.atOnce)
            let isDone = if case .done = app.migration.outcome { true } else { false }
            #expect(app.isInPlace == !isDone, "\(count): \(app.migration.outcome)")
            keychain.refuseWriting(name, with: nil)
            let next = process(.atOnce)
            #expect(!next.isInPlace && next.usable == Self.accounts)
        }
    }

    /// If the records move back while an answer is being sent, the outcome of the answer is stored in the legacy items.
    ///
    /// After the move back, the push has the id of its legacy item.
    @Test(arguments: [true, false])
    func anAnswerThatEndsAfterAMoveBackIsKept(_ isAccepted: Bool) throws {
        let app = process(.atOnce)
        let now = Date()
        let credential = try #require(try store.read { try $0.pushCredentials().values.first })
        let push = PushBridgeCore.PushNotification(
            id: "in the store",
            credentialId: credential.id,
            message: PushMessage(id: "waiting", challenge: "AAAA"),
            ttl: 600,
            sentAt: now,
            createdAt: now
        )
        let answering = try store.write { view in
            try view.save(push)
            let claim = AnswerClaim(id: "claim", from: now)
            let answering = try view.answering(.approve, to: AnswerablePush(push), claim: claim, now: now)
                .get()
            try view.claim(answering)
            return answering
        }
        _ = try app.migration.moveBack(on: app.authenticator)
        let items = try app.authenticator.store()
        if isAccepted {
            try items.write { _ = try answering.complete(in: $0, at: now) }
        } else {
            try items.write { try answering.abandon(in: $0) }
        }
        let shown = try #require(process().client.getAllNotifications().first { $0.messageId == "waiting" })
        #expect(shown.isPending != isAccepted && shown.isApproved == isAccepted)
        let stored = try items.read { try $0.notification(messageId: "waiting") }
        #expect(stored?.answerClaim == nil)
    }

    /// A push that the user removed after a move stays removed after a move back.
    ///
    /// The previous release received the push after the move began.
    @Test func aRemovedPushStaysRemovedAfterAMoveBack() throws {
        let app = process(.atOnce)
        let sent = Date().addingTimeInterval(60)
        let push = try #require(app.client.getAllNotifications().first)
        let late = LegacyRecord.notification(
            PushBridgeCore.PushNotification(
                message: PushMessage(id: "late", challenge: "AAAA"),
                mechanismUUID: push.mechanismUUID,
                ttl: 120,
                timeAdded: sent
            )
        )
        let place = KeychainItem.Name(service: LegacyService.notification.rawValue, account: late.identifier)
        try phone.add(KeychainItem(place, data: late.archive))
        let next = process(.atOnce)
        let shown = try #require(next.client.getAllNotifications().first { $0.messageId == "late" })
        #expect(next.client.removeNotification(notification: shown))
        _ = try next.migration.moveBack(on: next.authenticator)
        #expect(!process().client.getAllNotifications().contains { $0.messageId == "late" })
        #expect(try phone.data(place) == nil)
    }
}

/// A store whose write transactions fail at their end, as on a full disk; only the first one succeeds.
private final class UnwritableOnce: WrappingStore {
    let store: any CredentialStore
    private let count = Guarded(0)

    init(_ store: any CredentialStore) {
        self.store = store
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try store.write { view in
            let value = try body(view)
            let count = count.withValue { count in
                count += 1
                return count
            }
            // The first transaction only records the start of the move.
            if count > 1 { throw CocoaError(.fileWriteOutOfSpace) }
            return value
        }
    }
}

/// A store that calls a closure after one of its read transactions.
private final class CallingAfterRead: CredentialStore, RecordStore {
    private let store: MemoryCredentialStore
    private let number: Int
    private let body: @Sendable () -> Void
    private let count = Guarded(0)

    init(_ store: MemoryCredentialStore, number: Int, _ body: @escaping @Sendable () -> Void) {
        (self.store, self.number, self.body) = (store, number, body)
    }

    var backing: StoreBacking { StoreBacking(self) }
    var changes: AsyncStream<Void> { store.changes }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        let value = try store.read(body)
        let count = count.withValue { count in
            count += 1
            return count
        }
        if count == number { self.body() }
        return value
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        try store.write(body)
    }
}
