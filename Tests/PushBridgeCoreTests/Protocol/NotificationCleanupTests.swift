import Foundation
import PushBridgeCore
import PushBridgeStore
import Testing

@Suite struct NotificationCleanupTests {
    private static let day: TimeInterval = 86_400

    /// Ten notifications that are 0 to 9 days old.
    ///
    /// The notifications with an even age belong to one credential, and those with an odd age to another.
    private let notifications = (0..<10).map { age in
        PushNotification.sample(
            "\(age)",
            of: age.isMultiple(of: 2) ? "even" : "odd",
            sentAt: .sample.addingTimeInterval(-TimeInterval(age) * day)
        )
    }

    static let rules: [(NotificationCleanup, [String])] = [
        (NotificationCleanup(), []), (NotificationCleanup(maximum: 100), []),
        (NotificationCleanup(maximum: 7), ["9", "8", "7"]), (NotificationCleanup(maximum: 10), []),
        (NotificationCleanup(maximum: 0), (0..<10).reversed().map(String.init)),
        (NotificationCleanup(maximum: -1), (0..<10).reversed().map(String.init)),
        (NotificationCleanup(days: 30), []), (NotificationCleanup(days: 7), ["9", "8"]),
        (NotificationCleanup(days: 9), []), (NotificationCleanup(maximum: 100, days: 30), []),
        (NotificationCleanup(maximum: 7, days: 8), ["9", "8", "7"]),
        (NotificationCleanup(maximum: 9, days: 6), ["9", "8", "7"]),
    ]

    @Test(arguments: rules)
    func cleanupRemovesTheOldestNotifications(_ rule: NotificationCleanup, _ removed: [String]) throws {
        let store = MemoryCredentialStore()
        try store.write { view throws in
            try notifications.forEach(view.save)
            #expect(try view.cleanUpNotifications(rule, at: .sample) == removed.count)
            #expect(
                try view.notifications().map(\.id) == (0..<(10 - removed.count)).reversed().map(String.init)
            )
            #expect(try view.cleanUpNotifications(rule, at: .sample) == 0)
        }
    }

    @Test func cleanupOfOneCredentialRemovesNoOtherNotifications() throws {
        let store = MemoryCredentialStore()
        try store.write { view throws in
            try notifications.forEach(view.save)
            let rule = NotificationCleanup(maximum: 2)
            #expect(try view.cleanUpNotifications(rule, credentialId: "even", at: .sample) == 3)
            #expect(try view.notifications().map(\.id) == ["9", "7", "5", "3", "2", "1", "0"])
        }
    }

    @Test(arguments: [
        NotificationCleanup(maximum: 3), NotificationCleanup(days: 6),
        NotificationCleanup(maximum: 3, days: 6),
    ])
    func cleanupSparesTheNotificationThatJustArrived(_ rule: NotificationCleanup) throws {
        let store = MemoryCredentialStore()
        try store.write { view throws in
            try notifications.forEach(view.save)
            let removed = try view.cleanUpNotifications(rule, sparing: notifications[9], at: .sample)
            let left = try view.notifications().map(\.id)
            #expect(left.contains("9"))
            #expect(left.count == 10 - removed)
            #expect(left.count == (rule.maximum ?? 8))
        }
    }

    @Test func cleanupRemovesAnyNumberOfOldNotifications() throws {
        let store = MemoryCredentialStore()
        try store.write { view throws in
            for index in 0..<250 {
                try view.save(
                    PushNotification.sample("\(index)", sentAt: .sample.addingTimeInterval(-31 * Self.day))
                )
            }
            try view.save(PushNotification.sample("new"))
            #expect(try view.cleanUpNotifications(NotificationCleanup(days: 30), at: .sample) == 250)
            #expect(try view.notifications().map(\.id) == ["new"])
        }
    }
}
