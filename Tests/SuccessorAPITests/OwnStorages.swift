import Foundation
import PingPush
import PushBridgeTestSupport

/// A storage that an app could write for the successor SDK, with dictionaries.
///
/// The storage implements the 21 methods that have no default.
actor DictionaryStorage: PushStorage {
    private var credentials: [String: PushCredential] = [:]
    private var notifications: [String: PushNotification] = [:]
    private var tokens: [String: PushDeviceToken] = [:]
    private var failure: (any Error)?
    private let keepsFieldsOnly: Bool
    private let keepsCredentialsWhole: Bool
    private let isNewestFirst: Bool

    /// Creates an empty storage.
    ///
    /// If `keepsFieldsOnly` is true, notifications and tokens are copied field by field into the app's own types, which
    /// have only the SDK's fields. Credentials are copied in the same way if `keepsCredentialsWhole` is false. If
    /// `isNewestFirst` is true, the lists of credentials and of notifications are reversed.
    init(keepsFieldsOnly: Bool = false, keepsCredentialsWhole: Bool = true, isNewestFirst: Bool = false) {
        self.keepsFieldsOnly = keepsFieldsOnly
        self.keepsCredentialsWhole = keepsCredentialsWhole
        self.isNewestFirst = isNewestFirst
    }

    /// Makes the calls that list notifications throw an error.
    func fail(with error: any Error) { failure = error }

    func storePushCredential(_ credential: PushCredential) async throws {
        guard credentials[credential.id] == nil else {
            throw PushStorageError.duplicateCredential(credential.id)
        }
        credentials[credential.id] = kept(credential)
    }

    func getAllPushCredentials() async throws -> [PushCredential] {
        let all = credentials.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        return isNewestFirst ? all.reversed() : all
    }

    func retrievePushCredential(credentialId: String) async throws -> PushCredential? {
        credentials[credentialId]
    }

    func removePushCredential(credentialId: String) async throws -> Bool {
        credentials.removeValue(forKey: credentialId) != nil
    }

    func clearPushCredentials() async throws { credentials = [:] }

    func storePushNotification(_ notification: PushNotification) async throws {
        guard notifications[notification.id] == nil else {
            throw PushStorageError.duplicateNotification(notification.id)
        }
        notifications[notification.id] = kept(notification)
    }

    func updatePushNotification(_ notification: PushNotification) async throws {
        guard notifications[notification.id] != nil else {
            throw PushStorageError.storageFailure("There is no notification \(notification.id).")
        }
        notifications[notification.id] = kept(notification)
    }

    func getAllPushNotifications() async throws -> [PushNotification] {
        if let failure { throw failure }
        return isNewestFirst ? selected(nil).reversed() : selected(nil)
    }

    func getPendingPushNotifications() async throws -> [PushNotification] {
        try await getAllPushNotifications().filter(\.pending)
    }

    func retrievePushNotification(notificationId: String) async throws -> PushNotification? {
        notifications[notificationId]
    }

    func getNotificationByMessageId(messageId: String) async throws -> PushNotification? {
        notifications.values.first { $0.messageId == messageId }
    }

    func removePushNotification(notificationId: String) async throws -> Bool {
        notifications.removeValue(forKey: notificationId) != nil
    }

    func removePushNotificationsForCredential(credentialId: String) async throws -> Int {
        remove(selected(credentialId))
    }

    func clearPushNotifications() async throws { notifications = [:] }

    func storePushDeviceToken(_ token: PushDeviceToken) async throws {
        let copy = PushDeviceToken(id: token.id, token: token.token, createdAt: token.createdAt)
        tokens[token.id] = keepsFieldsOnly ? copy : token
    }

    func getCurrentPushDeviceToken() async throws -> PushDeviceToken? {
        tokens.values.max { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func clearPushDeviceTokens() async throws { tokens = [:] }

    func countPushNotifications(credentialId: String?) async throws -> Int { selected(credentialId).count }

    func getOldestPushNotifications(limit: Int, credentialId: String?) async throws -> [PushNotification] {
        Array(selected(credentialId).prefix(limit))
    }

    func purgePushNotificationsByAge(maxAgeDays: Int, credentialId: String?) async throws -> Int {
        let oldest = Date(timeIntervalSinceNow: -86_400 * TimeInterval(maxAgeDays))
        return remove(selected(credentialId).filter { $0.createdAt < oldest })
    }

    func purgePushNotificationsByCount(maxCount: Int, credentialId: String?) async throws -> Int {
        remove(selected(credentialId).dropLast(maxCount))
    }

    private func kept(_ credential: PushCredential) -> PushCredential {
        guard keepsFieldsOnly, !keepsCredentialsWhole else { return credential }
        return PushCredential(
            id: credential.id,
            userId: credential.userId,
            resourceId: credential.resourceId,
            issuer: credential.issuer,
            displayIssuer: credential.displayIssuer,
            accountName: credential.accountName,
            displayAccountName: credential.displayAccountName,
            serverEndpoint: credential.serverEndpoint,
            sharedSecret: credential.sharedSecret.withBase64(\.self),
            createdAt: credential.createdAt,
            imageURL: credential.imageURL,
            backgroundColor: credential.backgroundColor,
            policies: credential.policies,
            lockingPolicy: credential.lockingPolicy,
            isLocked: credential.isLocked,
            platform: credential.platform,
            additionalData: credential.additionalData
        )
    }

    private func kept(_ notification: PushNotification) -> PushNotification {
        guard keepsFieldsOnly else { return notification }
        return PushNotification(
            id: notification.id,
            credentialId: notification.credentialId,
            ttl: notification.ttl,
            messageId: notification.messageId,
            messageText: notification.messageText,
            customPayload: notification.customPayload,
            challenge: notification.challenge,
            numbersChallenge: notification.numbersChallenge,
            loadBalancer: notification.loadBalancer,
            contextInfo: notification.contextInfo,
            pushType: notification.pushType,
            createdAt: notification.createdAt,
            sentAt: notification.sentAt,
            respondedAt: notification.respondedAt,
            additionalData: notification.additionalData,
            approved: notification.approved,
            pending: notification.pending
        )
    }

    private func selected(_ credentialId: String?) -> [PushNotification] {
        notifications.values.filter { credentialId == nil || $0.credentialId == credentialId }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    private func remove(_ unwanted: some Collection<PushNotification>) -> Int {
        for notification in unwanted { notifications[notification.id] = nil }
        return unwanted.count
    }
}

/// A storage that an app could write, with a JSON file for each value, in the value's own encoding.
actor FileStorage: PushStorage {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    func storePushCredential(_ credential: PushCredential) async throws {
        guard try read(PushCredential.self, "credential", credential.id) == nil else {
            throw PushStorageError.duplicateCredential(credential.id)
        }
        try write(credential, "credential", credential.id)
    }

    func getAllPushCredentials() async throws -> [PushCredential] { try all("credential") }

    func retrievePushCredential(credentialId: String) async throws -> PushCredential? {
        try read(PushCredential.self, "credential", credentialId)
    }

    func removePushCredential(credentialId: String) async throws -> Bool {
        try remove("credential", credentialId)
    }

    func clearPushCredentials() async throws { try clear("credential") }

    func storePushNotification(_ notification: PushNotification) async throws {
        guard try read(PushNotification.self, "notification", notification.id) == nil else {
            throw PushStorageError.duplicateNotification(notification.id)
        }
        try write(notification, "notification", notification.id)
    }

    func updatePushNotification(_ notification: PushNotification) async throws {
        guard try read(PushNotification.self, "notification", notification.id) != nil else {
            throw PushStorageError.storageFailure("There is no notification \(notification.id).")
        }
        try write(notification, "notification", notification.id)
    }

    func getAllPushNotifications() async throws -> [PushNotification] { try selected(nil) }

    func getPendingPushNotifications() async throws -> [PushNotification] {
        try selected(nil).filter(\.pending)
    }

    func retrievePushNotification(notificationId: String) async throws -> PushNotification? {
        try read(PushNotification.self, "notification", notificationId)
    }

    func getNotificationByMessageId(messageId: String) async throws -> PushNotification? {
        try selected(nil).first { $0.messageId == messageId }
    }

    func removePushNotification(notificationId: String) async throws -> Bool {
        try remove("notification", notificationId)
    }

    func removePushNotificationsForCredential(credentialId: String) async throws -> Int {
        try remove(selected(credentialId))
    }

    func clearPushNotifications() async throws { try clear("notification") }

    func storePushDeviceToken(_ token: PushDeviceToken) async throws { try write(token, "token", "current") }

    func getCurrentPushDeviceToken() async throws -> PushDeviceToken? {
        try read(PushDeviceToken.self, "token", "current")
    }

    func clearPushDeviceTokens() async throws { try clear("token") }

    func countPushNotifications(credentialId: String?) async throws -> Int {
        try selected(credentialId).count
    }

    func getOldestPushNotifications(limit: Int, credentialId: String?) async throws -> [PushNotification] {
        try Array(selected(credentialId).prefix(limit))
    }

    func purgePushNotificationsByAge(maxAgeDays: Int, credentialId: String?) async throws -> Int {
        let oldest = Date(timeIntervalSinceNow: -86_400 * TimeInterval(maxAgeDays))
        return try remove(selected(credentialId).filter { $0.createdAt < oldest })
    }

    func purgePushNotificationsByCount(maxCount: Int, credentialId: String?) async throws -> Int {
        try remove(selected(credentialId).dropLast(maxCount))
    }

    private func url(_ kind: String, _ id: String) -> URL {
        URL(fileURLWithPath: folder.path("\(kind)-\(id.utf8.map { String($0) }.joined(separator: "."))"))
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ kind: String, _ id: String) throws -> Value? {
        let url = url(kind, id)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try JSONDecoder().decode(type, from: Data(contentsOf: url))
    }

    private func write(_ value: some Encodable, _ kind: String, _ id: String) throws {
        try JSONEncoder().encode(value).write(to: url(kind, id))
    }

    private func remove(_ kind: String, _ id: String) throws -> Bool {
        let url = url(kind, id)
        guard FileManager.default.fileExists(atPath: url.path) else { return false }
        try FileManager.default.removeItem(at: url)
        return true
    }

    private func remove(_ unwanted: some Collection<PushNotification>) throws -> Int {
        for notification in unwanted { _ = try remove("notification", notification.id) }
        return unwanted.count
    }

    private func names(_ kind: String) throws -> [String] {
        try folder.names().filter { $0.hasPrefix("\(kind)-") }
    }

    private func all<Value: Decodable>(_ kind: String) throws -> [Value] {
        try names(kind).map { name in
            try JSONDecoder().decode(
                Value.self,
                from: Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
            )
        }
    }

    private func clear(_ kind: String) throws {
        for name in try names(kind) { try FileManager.default.removeItem(atPath: folder.path(name)) }
    }

    private func selected(_ credentialId: String?) throws -> [PushNotification] {
        let all: [PushNotification] = try all("notification")
        return all.filter { credentialId == nil || $0.credentialId == credentialId }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
}

/// A handler that an app could write for the successor SDK, for pushes whose messages have the handler's own format.
final class SuccessorHandler: PushHandler {
    func canHandle(messageData: [String: Any]) -> Bool {
        (messageData["message"] as? String)?.hasPrefix("own:") == true && messageData["messageId"] is String
    }

    func canHandle(message: String) -> Bool { message.hasPrefix("own:") }

    func parseMessage(messageData: [String: Any]) throws -> [String: Any] {
        guard let message = messageData["message"] as? String else {
            throw PushError.messageParsingFailed("There is no message.")
        }
        var parsed = try parseMessage(message: message)
        parsed["messageId"] = messageData["messageId"]
        parsed["contextInfo"] = messageData["extra"]
        return parsed
    }

    func parseMessage(message: String) throws -> [String: Any] {
        [
            "credentialId": String(message.dropFirst("own:".count)), "messageId": message, "ttl": 60,
            "timeInterval": 1_700_000_000_000, "amlbCookie": "amlbcookie=02", "userId": "user-7",
            "pushType": PushType.biometric, "customPayload": ["amount": 3], "unknown": Date(),
        ]
    }

    func sendApproval(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool { params["authenticationMethod"] as? String == "face" }

    func sendDenial(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool { true }

    func setDeviceToken(
        credential: PushCredential,
        deviceToken: String,
        params: [String: Any]
    ) async throws -> Bool { true }

    func register(credential: PushCredential, params: [String: Any]) async throws -> Bool {
        params["amlbCookie"] as? String == "amlbcookie=01" && params["messageId"] is String
    }
}

extension PushCredential {
    static func sample(_ id: String, account: String? = nil) -> PushCredential {
        PushCredential(
            id: id,
            issuer: "Example",
            accountName: account ?? id,
            serverEndpoint: "https://am.example.com/push",
            sharedSecret: "c2VjcmV0LXNlY3JldA==",
            createdAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
    }
}

extension PushNotification {
    static func sample(_ id: String, of credential: String = "a", minutesAgo: Double = 0) -> PushNotification
    {
        PushNotification(
            id: id,
            credentialId: credential,
            ttl: 120,
            messageId: "message-\(id)",
            challenge: "c2M=",
            pushType: .default,
            createdAt: Date(timeIntervalSince1970: 1_700_000_000 - 60 * minutesAgo)
        )
    }
}
