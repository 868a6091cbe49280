// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import PingLogger
import StandInKeychain

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public protocol PushStorage: Sendable {
    func storePushCredential(_ credential: PushCredential) async throws
    func getAllPushCredentials() async throws -> [PushCredential]
    func retrievePushCredential(credentialId: String) async throws -> PushCredential?
    func removePushCredential(credentialId: String) async throws -> Bool
    func clearPushCredentials() async throws
    func getCredentialByIssuerAndAccount(issuer: String, accountName: String) async throws -> PushCredential?
    func storePushNotification(_ notification: PushNotification) async throws
    func updatePushNotification(_ notification: PushNotification) async throws
    func getAllPushNotifications() async throws -> [PushNotification]
    func getPendingPushNotifications() async throws -> [PushNotification]
    func retrievePushNotification(notificationId: String) async throws -> PushNotification?
    func getNotificationByMessageId(messageId: String) async throws -> PushNotification?
    func removePushNotification(notificationId: String) async throws -> Bool
    func removePushNotificationsForCredential(credentialId: String) async throws -> Int
    func clearPushNotifications() async throws
    func storePushDeviceToken(_ token: PushDeviceToken) async throws
    func getCurrentPushDeviceToken() async throws -> PushDeviceToken?
    func clearPushDeviceTokens() async throws
    func countPushNotifications(credentialId: String?) async throws -> Int
    func getOldestPushNotifications(limit: Int, credentialId: String?) async throws -> [PushNotification]
    func purgePushNotificationsByAge(maxAgeDays: Int, credentialId: String?) async throws -> Int
    func purgePushNotificationsByCount(maxCount: Int, credentialId: String?) async throws -> Int
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
///
/// This storage stores JSON with dates in ISO 8601.
public final class PushKeychainStorage: PushStorage, @unchecked Sendable {
    private let credentials, notifications, tokens: String

    public init(
        credentialService: String = "com.pingidentity.push.credentials",
        notificationService: String = "com.pingidentity.push.notifications",
        tokenService: String = "com.pingidentity.push.tokens",
        logger: (any Logger)? = nil
    ) {
        (credentials, notifications, tokens) = (credentialService, notificationService, tokenService)
    }

    private func decoded<Value: Decodable>(_ service: String, _ account: String) throws -> Value? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try StandInKeychain.items(service)[account].map { try decoder.decode(Value.self, from: $0) }
    }

    /// Returns the readable items of a service; as in the SDK, unreadable items are ignored.
    private func all<Value: Decodable>(_ service: String) -> [Value] {
        StandInKeychain.items(service).keys.sorted().compactMap { try? decoded(service, $0) }
    }

    private func store(_ value: some Encodable, _ service: String, _ account: String) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        StandInKeychain.set(service, account, try encoder.encode(value))
    }

    private func remove(_ service: String, _ account: String) -> Bool {
        defer { StandInKeychain.set(service, account, nil) }
        return StandInKeychain.items(service)[account] != nil
    }

    private func clear(_ service: String) {
        for account in StandInKeychain.items(service).keys { StandInKeychain.set(service, account, nil) }
    }

    public func storePushCredential(_ credential: PushCredential) async throws {
        try store(credential, credentials, credential.id)
    }
    public func getAllPushCredentials() async throws -> [PushCredential] { all(credentials) }
    public func retrievePushCredential(credentialId: String) async throws -> PushCredential? {
        try decoded(credentials, credentialId)
    }
    public func removePushCredential(credentialId: String) async throws -> Bool {
        remove(credentials, credentialId)
    }
    public func clearPushCredentials() async throws { clear(credentials) }
    public func getCredentialByIssuerAndAccount(
        issuer: String,
        accountName: String
    ) async throws -> PushCredential? {
        try await getAllPushCredentials().first { $0.issuer == issuer && $0.accountName == accountName }
    }

    public func storePushNotification(_ notification: PushNotification) async throws {
        try store(notification, notifications, notification.id)
    }
    public func updatePushNotification(_ notification: PushNotification) async throws {
        try store(notification, notifications, notification.id)
    }
    public func getAllPushNotifications() async throws -> [PushNotification] {
        let all: [PushNotification] = all(notifications)
        return all.sorted { $0.createdAt > $1.createdAt }
    }
    public func getPendingPushNotifications() async throws -> [PushNotification] {
        try await getAllPushNotifications().filter(\.pending)
    }
    public func retrievePushNotification(notificationId: String) async throws -> PushNotification? {
        try decoded(notifications, notificationId)
    }
    public func getNotificationByMessageId(messageId: String) async throws -> PushNotification? {
        try await getAllPushNotifications().first { $0.messageId == messageId }
    }
    public func removePushNotification(notificationId: String) async throws -> Bool {
        remove(notifications, notificationId)
    }
    public func removePushNotificationsForCredential(credentialId: String) async throws -> Int {
        try await of(credentialId).count { remove(notifications, $0.id) }
    }
    public func clearPushNotifications() async throws { clear(notifications) }

    public func storePushDeviceToken(_ token: PushDeviceToken) async throws {
        try store(token, tokens, "current")
    }
    public func getCurrentPushDeviceToken() async throws -> PushDeviceToken? {
        try decoded(tokens, "current")
    }
    public func clearPushDeviceTokens() async throws { clear(tokens) }

    public func countPushNotifications(credentialId: String?) async throws -> Int {
        try await of(credentialId).count
    }
    public func getOldestPushNotifications(
        limit: Int,
        credentialId: String?
    ) async throws -> [PushNotification] {
        try await of(credentialId).suffix(limit).reversed()
    }
    public func purgePushNotificationsByAge(maxAgeDays: Int, credentialId: String?) async throws -> Int {
        let oldest = Date(timeIntervalSinceNow: -86_400 * Double(maxAgeDays))
        return try await of(credentialId).filter { $0.createdAt < oldest }
            .count { remove(notifications, $0.id) }
    }
    public func purgePushNotificationsByCount(maxCount: Int, credentialId: String?) async throws -> Int {
        try await of(credentialId).dropFirst(maxCount).count { remove(notifications, $0.id) }
    }

    /// Returns the notifications of a credential, or all notifications for `nil`, newest first.
    private func of(_ credentialId: String?) async throws -> [PushNotification] {
        try await getAllPushNotifications().filter { credentialId == nil || $0.credentialId == credentialId }
    }
}
