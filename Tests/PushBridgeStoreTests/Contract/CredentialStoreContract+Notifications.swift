import Foundation
import PushBridgeCore
import Testing

extension CredentialStoreContract {
    @Test(arguments: StoreKind.general)
    func notificationsRoundTrip(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        var details = PushNotification.sample("details")
        details.legacy = LegacyNotificationDetails(timeToLive: 0, pushType: nil)
        let answers = [(true, true), (true, false), (false, true), (false, false)].map { pending, approved in
            var notification = PushNotification.sample("\(pending) \(approved)", pending: pending)
            notification.approved = approved
            return notification
        }
        let notifications = [.sample("sparse"), .sample("full").filled(), details] + answers
        try store.write { try notifications.forEach($0.save) }
        try store.read { view throws in
            #expect(try notifications.map { try view.notification(id: $0.id) } == notifications)
        }
    }

    @Test(arguments: StoreKind.general)
    func notificationsAreSortedByDateAndThenById(_ kind: StoreKind) throws {
        let store = try filledStore(kind)
        try store.read { view throws in
            #expect(try view.notifications().map(\.id) == ["old", "a", "b", "new"])
        }
    }

    @Test(
        arguments: StoreKind.general,
        [
            (RecordQuery.all, ["old", "a", "b", "new"]),
            (.open, ["a", "new"]),
            (RecordQuery(limit: 2), ["old", "a"]),
            (RecordQuery(limit: 0), []),
            (RecordQuery(limit: -1), []),
            (RecordQuery(limit: .max), ["old", "a", "b", "new"]),
            (RecordQuery(owner: "one"), ["old", "a", "new"]),
            (RecordQuery(owner: "one", openOnly: true), ["a", "new"]),
            (RecordQuery(owner: "one", openOnly: true, limit: 1), ["a"]),
            (RecordQuery(owner: "two", openOnly: true), []),
            (RecordQuery(owner: "none"), []),
            (.sent(middle...middle), ["a", "b"]),
            (.sent(middle...middle, owner: "one"), ["a"]),
            (.sent(.distantPast...middle, openOnly: true), ["a"]),
            (.sent(.distantPast...middle, owner: "one", limit: 1), ["old"]),
            (.sent(middle.addingTimeInterval(1)...Date.distantFuture), ["new"]),
        ]
    )
    func aQuerySelectsCountsAndRemovesTheSameRecords(
        _ kind: StoreKind,
        _ example: (query: RecordQuery, ids: [String])
    ) throws {
        let store = try filledStore(kind)
        try store.read { view throws in
            #expect(try view.notifications(example.query).map(\.id) == example.ids)
            #expect(try view.count(of: .notification, where: example.query) == example.ids.count)
        }
        let removed = try store.write { try $0.removeNotifications(example.query) }
        let left = try store.read { try $0.notifications().map(\.id) }
        #expect(removed == example.ids.count)
        #expect(left == ["old", "a", "b", "new"].filter { !example.ids.contains($0) })
    }

    @Test(arguments: StoreKind.general)
    func theOldestNotificationOfAMessageIdIsFound(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        try store.write { view throws in
            try view.save(PushNotification.sample("late", messageId: "m", sentAt: .distantFuture))
            try view.save(PushNotification.sample("early", messageId: "m", sentAt: .distantPast))
            try view.save(PushNotification.sample("other", messageId: "M", sentAt: .distantPast))
        }
        let found = try store.read { try $0.notification(messageId: "m") }
        #expect(found?.id == "early")
    }

    @Test(arguments: StoreKind.general)
    func savingANotificationAgainReplacesIt(_ kind: StoreKind) throws {
        let store = try filledStore(kind)
        let answered = PushNotification.sample("a", of: "two", sentAt: .distantFuture, pending: false)
        try store.write { try $0.save(answered) }
        try store.read { view throws in
            #expect(try view.notification(id: "a") == answered)
            #expect(try view.notifications().map(\.id) == ["old", "b", "a", "new"])
            #expect(try view.notifications(.open).map(\.id) == ["new"])
        }
    }

    @Test(arguments: StoreKind.general)
    func removingANotificationReturnsWhetherItExisted(_ kind: StoreKind) throws {
        let store = try filledStore(kind)
        try store.write { view throws in
            #expect(try view.removeNotification(id: "a"))
            #expect(try !view.removeNotification(id: "a"))
        }
        #expect(try store.read { try $0.count(of: .notification, where: .all) } == 3)
    }

    @Test(arguments: StoreKind.general)
    func thereIsOneDeviceToken(_ kind: StoreKind) throws {
        let store = try kind.makeStore()
        let newer = PushDeviceToken(tokenId: "", createdAt: .distantPast)
        try store.write { view throws in
            try view.save(PushDeviceToken(tokenId: "00FF", createdAt: .distantFuture))
            try view.save(newer)
        }
        #expect(try store.read { try $0.deviceToken() } == newer)
        try store.write { view throws in
            #expect(try view.removeDeviceToken())
            #expect(try !view.removeDeviceToken())
        }
        #expect(try store.read { try $0.deviceToken() } == nil)
    }

    private func filledStore(_ kind: StoreKind) throws -> StoreUnderTest {
        let store = try kind.makeStore()
        try store.write { view throws in
            try view.save(PushNotification.sample("new", of: "one", sentAt: .distantFuture))
            try view.save(PushNotification.sample("b", of: "two", sentAt: middle, pending: false))
            try view.save(PushNotification.sample("a", of: "one", sentAt: middle))
            try view.save(PushNotification.sample("old", of: "one", sentAt: .distantPast, pending: false))
        }
        return store
    }
}

/// The date of the notifications `a` and `b`, between the dates of `old` and `new`.
private let middle = Date(timeIntervalSince1970: 1_700_000_000.000_1)

extension RecordQuery {
    fileprivate static func sent(
        _ sentAt: ClosedRange<Date>,
        owner: String? = nil,
        openOnly: Bool = false,
        limit: Int? = nil
    ) -> RecordQuery {
        var query = RecordQuery(owner: owner, openOnly: openOnly, limit: limit)
        query.dates = sentAt
        return query
    }
}
