import Foundation
import PingPush

/// A storage like the storages that apps write.
///
/// The storage consists of dictionaries and has no transactions. It rejects duplicates and does not store the claims
/// of answers.
actor OwnStorage: PushStorage {
    private var credentials: [String: PushCredential] = [:]
    private var notifications: [String: PushNotification] = [:]
    private var token: PushDeviceToken?
    private var failure: (any Error)?
    private var callsToFailure: Int?
    private var endsThere = false
    private var refusesOthersOfAnAccount = false
    private var whileStoring: (@Sendable () async throws -> Void)?

    /// Makes the next change of a credential fail if `number` is 1, the change after it if `number` is 2, and so on.
    ///
    /// If `forever` is true, all calls after this change also fail.
    func fail(atChange number: Int?, forever: Bool = false) {
        callsToFailure = number
        endsThere = forever
        failure = nil
    }

    /// Makes the storage accept or reject a second credential of an account.
    func refuseOthersOfAnAccount(_ refuses: Bool) { refusesOthersOfAnAccount = refuses }

    /// Sets a closure to call before each notification is stored.
    func whileStoring(_ body: (@Sendable () async throws -> Void)?) { whileStoring = body }

    /// The number of calls that list all values of a kind.
    private(set) var lists = 0
    /// The number of calls of each method.
    private(set) var calls: [String: Int] = [:]

    func forgetCalls() {
        lists = 0
        calls = [:]
    }

    /// Makes every call fail; `nil` ends the failures.
    func fail(with failure: (any Error)?) { self.failure = failure }

    func storePushCredential(_ credential: PushCredential) async throws {
        try await change()
        let others = credentials.values.filter { $0.account.key == credential.account.key }
        guard credentials[credential.id] == nil, others.isEmpty || !refusesOthersOfAnAccount else {
            throw PushStorageError.duplicateCredential(credential.id)
        }
        credentials[credential.id] = credential
    }

    func getAllPushCredentials() async throws -> [PushCredential] {
        try await work()
        lists += 1
        return Array(credentials.values)
    }

    func retrievePushCredential(credentialId: String) async throws -> PushCredential? {
        try await work()
        return credentials[credentialId]
    }

    func removePushCredential(credentialId: String) async throws -> Bool {
        try await change()
        return credentials.removeValue(forKey: credentialId) != nil
    }

    func clearPushCredentials() async throws {
        try await work()
        credentials = [:]
    }

    func getCredentialByIssuerAndAccount(
        issuer: String,
        accountName: String
    ) async throws -> PushCredential? {
        try await work()
        return credentials.values.first { $0.issuer == issuer && $0.accountName == accountName }
    }

    func storePushNotification(_ notification: PushNotification) async throws {
        try await work()
        try await whileStoring?()
        guard notifications[notification.id] == nil else {
            throw PushStorageError.duplicateNotification(notification.id)
        }
        save(notification)
    }

    func updatePushNotification(_ notification: PushNotification) async throws {
        try await work()
        guard notifications[notification.id] != nil else {
            throw PushStorageError.storageFailure("There is no notification \(notification.id).", nil)
        }
        save(notification)
    }

    private var newestFirst: [PushNotification] {
        let date = { (push: PushNotification) in push.sentAt ?? push.createdAt }
        return notifications.values.sorted { (date($1), $1.id) < (date($0), $0.id) }
    }

    func getAllPushNotifications() async throws -> [PushNotification] {
        try await work()
        lists += 1
        return newestFirst
    }

    func getPendingPushNotifications() async throws -> [PushNotification] {
        try await work()
        return newestFirst.filter(\.pending)
    }

    func retrievePushNotification(notificationId: String) async throws -> PushNotification? {
        try await work()
        return notifications[notificationId]
    }

    func getNotificationByMessageId(messageId: String) async throws -> PushNotification? {
        try await work()
        return notifications.values.first { $0.messageId == messageId }
    }

    func removePushNotification(notificationId: String) async throws -> Bool {
        try await work()
        return notifications.removeValue(forKey: notificationId) != nil
    }

    func removePushNotificationsForCredential(credentialId: String) async throws -> Int {
        try await work()
        return remove(selected(credentialId))
    }

    func clearPushNotifications() async throws {
        try await work()
        notifications = [:]
    }

    func storePushDeviceToken(_ token: PushDeviceToken) async throws {
        try await work()
        self.token = token
    }

    func getCurrentPushDeviceToken() async throws -> PushDeviceToken? {
        try await work()
        return token
    }

    func clearPushDeviceTokens() async throws {
        try await work()
        token = nil
    }

    func countPushNotifications(credentialId: String?) async throws -> Int {
        try await work()
        return selected(credentialId).count
    }

    func getOldestPushNotifications(limit: Int, credentialId: String?) async throws -> [PushNotification] {
        try await work()
        return Array(selected(credentialId).prefix(limit))
    }

    func purgePushNotificationsByAge(maxAgeDays: Int, credentialId: String?) async throws -> Int {
        try await work()
        let oldest = Date(timeIntervalSinceNow: -86_400 * TimeInterval(maxAgeDays))
        return remove(selected(credentialId).filter { $0.createdAt < oldest })
    }

    func purgePushNotificationsByCount(maxCount: Int, credentialId: String?) async throws -> Int {
        try await work()
        return remove(Array(selected(credentialId).dropLast(maxCount)))
    }

    /// Counts a call, suspends so that other tasks run, and throws the error that a test has set.
    private func work(_ name: String = #function) async throws {
        calls[name, default: 0] += 1
        await Task.yield()
        if let failure { throw failure }
    }

    private func change(_ name: String = #function) async throws {
        try await work(name)
        guard let calls = callsToFailure else { return }
        callsToFailure = calls > 1 ? calls - 1 : nil
        guard calls == 1 else { return }
        let failure = PushStorageError.storageFailure("The disk is missing.", nil)
        if endsThere { self.failure = failure }
        throw failure
    }

    private func save(_ notification: PushNotification) {
        notifications[notification.id] = notification
        notifications[notification.id]?.answerClaim = nil
    }

    private func selected(_ credentialId: String?) -> [PushNotification] {
        notifications.values.filter { credentialId == nil || $0.credentialId == credentialId }
            .sorted { ($0.sentAt ?? $0.createdAt, $0.id) < ($1.sentAt ?? $1.createdAt, $1.id) }
    }

    private func remove(_ unwanted: [PushNotification]) -> Int {
        for notification in unwanted { notifications[notification.id] = nil }
        return unwanted.count
    }
}
