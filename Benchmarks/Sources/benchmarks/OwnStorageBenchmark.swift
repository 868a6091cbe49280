import Foundation
import PingOath
import PingPush
import PushBridgeCore
import PushBridgeInternals
import PushBridgeStore

/// Compares the async API with a bare loop on the same storage.
///
/// The storages are an app's own in-memory storage and an in-memory keychain.
struct OwnStorageBenchmark {
    let credentials: Int

    func run() async throws {
        print("\(credentials) credentials of each kind in an app's own in-memory storage")
        try await codes()
        try await pushes()
        try await answers()
        print("One-time passwords in an in-memory keychain")
        try await keychainCodes()
    }

    private func codes() async throws {
        let storage = OwnCodes()
        for number in 0..<credentials { try await storage.storeOathCredential(Self.code(number)) }
        let client = try await OathClient.createClient { configuration in
            configuration.storage = storage
            configuration.logger = LogManager.none
        }
        try await report("list codes", rounds: 301) { _ in
            _ = try await client.getCredentials()
        } beside: { _ in
            _ = try await storage.getAllOathCredentials()
        }
        try await report("HOTP code", rounds: 1001) { _ in
            _ = try await client.generateCode("1")
        } beside: { _ in
            guard var credential = try await storage.retrieveOathCredential(credentialId: "1") else { return }
            _ = try credential.code(counter: credential.counter)
            credential.counter += 1
            try await storage.storeOathCredential(credential)
        }
        try await enrolling(client) { id in
            _ = try await storage.removeOathCredential(credentialId: id)
        } beside: { credential in
            guard try await !storage.getAllOathCredentials().contains(where: { $0.id == credential.id })
            else {
                return
            }
            try await storage.storeOathCredential(credential)
        }
    }

    private func pushes() async throws {
        let storage = OwnPushes()
        let endpoints = try GeneratedNotifications(count: 1).credential.endpoints
        for number in 0..<credentials {
            try await storage.storePushCredential(
                PushCredential(
                    id: "\(number)",
                    account: AccountProfile(issuer: "Example Bank", accountName: "customer-\(number)"),
                    endpoints: endpoints,
                    sharedSecret: .random(),
                    createdAt: Date(timeIntervalSince1970: Double(number))
                )
            )
        }
        let client = try await PushClient.createClient { configuration in
            configuration.storage = storage
            configuration.logger = LogManager.none
        }
        try await report("list pushes", rounds: 301) { _ in
            _ = try await client.getCredentials()
        } beside: { _ in
            _ = try await storage.getAllPushCredentials().sorted { $0.createdAt < $1.createdAt }
        }
    }

    /// Measures an enrolment with and without the client; each round also removes the credential.
    private func enrolling(
        _ client: OathClient,
        removing remove: (String) async throws -> Void,
        beside bare: (OathCredential) async throws -> Void
    ) async throws {
        let uri = "otpauth://totp/Example%20Bank:new?secret=JBSWY3DPEHPK3PXP&issuer=Example%20Bank"
        let new = Self.code(-1)
        try await report("enrol a code", rounds: 301) { _ in
            try await remove(try await client.addCredentialFromUri(uri).id)
        } beside: { _ in
            try await bare(new)
            try await remove(new.id)
        }
    }

    private func keychainCodes() async throws {
        let keychain = InMemoryKeychain()
        let services = KeychainServices()
        let client = try await OathClient.createClient { configuration in
            configuration.storage = OathKeychainStorage(keychain: keychain)
            configuration.logger = LogManager.none
        }
        for number in 0..<credentials { try await client.saveCredential(Self.code(number)) }
        func all() throws -> [OathCredential] {
            let decoder = JSONDecoder()
            // The secrets are in a separate service, so both services are read.
            _ = try keychain.items(service: services.oathSecrets, accessGroup: nil)
            return try keychain.items(service: services.oathCredentials, accessGroup: nil)
                .map { try decoder.decode(OathCredential.self, from: $0.data) }
                .sorted { $0.createdAt < $1.createdAt }
        }
        try await report("list codes", rounds: 101) { _ in
            _ = try await client.getCredentials()
        } beside: { _ in
            _ = try all()
        }
        try await enrolling(client) { id in
            let account = KeychainItem.Name(service: services.accounts, account: "12:Example Banknew")
            _ = try keychain.remove(account)
            for service in [services.oathCredentials, services.oathSecrets] {
                _ = try keychain.remove(KeychainItem.Name(service: service, account: id))
            }
        } beside: { credential in
            guard try !all().contains(where: { $0.id == credential.id }) else { return }
            for service in [services.oathSecrets, services.oathCredentials] {
                let name = KeychainItem.Name(service: service, account: credential.id)
                try keychain.add(KeychainItem(name, data: try JSONEncoder().encode(credential)))
            }
        }
    }

    private func answers() async throws {
        let generated = try GeneratedNotifications(count: 100)
        let storage = OwnPushes()
        try await storage.storePushCredential(generated.credential)
        for notification in generated { try await storage.storePushNotification(notification) }
        let client = try await PushClient.createClient { configuration in
            configuration.storage = storage
            configuration.transport = ImmediateTransport()
            configuration.logger = LogManager.none
        }
        let payloads = (0..<1002).map(generated.payload)
        try await report("receive, 100 stored, the oldest removed", rounds: 501) { round in
            _ = try await client.processNotification(message: payloads[round])
        } beside: { round in
            try await Self.receive(payloads[round], generated.credential, storage, "\(round)")
        }
        try await report("receive and approve", rounds: 501) { round in
            guard let push = try await client.processNotification(message: payloads[501 + round]) else {
                return
            }
            _ = try await client.approveNotification(push.id)
        } beside: { round in
            let id = "approved \(round)"
            try await Self.receive(payloads[501 + round], generated.credential, storage, id)
            guard let push = try await storage.retrievePushNotification(notificationId: id),
                try await storage.retrievePushCredential(credentialId: push.credentialId) != nil
            else { return }
            try await storage.updatePushNotification(push)
        }
    }

    /// Parses, verifies and stores a push, and removes the oldest pushes above the limit, as a client does.
    private static func receive(
        _ payload: String,
        _ credential: PushCredential,
        _ storage: OwnPushes,
        _ id: String
    ) async throws {
        guard let known = try await storage.retrievePushCredential(credentialId: credential.id),
            let notification = try known.notification(from: Data(payload.utf8), id: id, receivedAt: Date())
        else { return }
        guard try await storage.getNotificationByMessageId(messageId: "other \(id)") == nil else { return }
        try await storage.storePushNotification(notification)
        let excess = try await storage.countPushNotifications(credentialId: nil) - 100
        for old in try await storage.getOldestPushNotifications(limit: excess, credentialId: nil) {
            _ = try await storage.removePushNotification(notificationId: old.id)
        }
    }

    private func report(
        _ name: String,
        rounds: Int,
        _ client: (Int) async throws -> Void,
        beside storage: (Int) async throws -> Void
    ) async throws {
        let ours = try await Stopwatch.milliseconds(rounds: rounds, client)
        let plain = try await Stopwatch.milliseconds(rounds: rounds, storage)
        print(
            String(format: "  %@: %.3f ms, without a client %.3f ms (%.2f)", name, ours, plain, ours / plain)
        )
    }

    private static func code(_ number: Int) -> OathCredential {
        OathCredential(
            id: "\(number)",
            issuer: "Example Bank",
            accountName: "customer-\(number)",
            oathType: .hotp,
            createdAt: Date(timeIntervalSince1970: Double(number)),
            secretKey: "JBSWY3DPEHPK3PXP"
        )
    }
}

/// A storage that keeps credentials for one-time passwords in a dictionary.
private actor OwnCodes: OathStorage {
    private var credentials: [String: OathCredential] = [:]

    func storeOathCredential(_ credential: OathCredential) async throws {
        credentials[credential.id] = credential
    }
    func retrieveOathCredential(credentialId: String) async throws -> OathCredential? {
        credentials[credentialId]
    }
    func getAllOathCredentials() async throws -> [OathCredential] {
        credentials.values.sorted { $0.createdAt < $1.createdAt }
    }
    func removeOathCredential(credentialId: String) async throws -> Bool {
        credentials.removeValue(forKey: credentialId) != nil
    }
    func clearOathCredentials() async throws { credentials = [:] }
}

/// A storage that keeps push credentials and notifications in dictionaries.
private actor OwnPushes: PushStorage {
    private var credentials: [String: PushCredential] = [:]
    private var notifications: [String: PushNotification] = [:]
    private var token: PushDeviceToken?

    func storePushCredential(_ credential: PushCredential) async throws {
        credentials[credential.id] = credential
    }
    func getAllPushCredentials() async throws -> [PushCredential] { Array(credentials.values) }
    func retrievePushCredential(credentialId: String) async throws -> PushCredential? {
        credentials[credentialId]
    }
    func removePushCredential(credentialId: String) async throws -> Bool {
        credentials.removeValue(forKey: credentialId) != nil
    }
    func clearPushCredentials() async throws { credentials = [:] }

    func storePushNotification(_ notification: PushNotification) async throws {
        notifications[notification.id] = notification
    }
    func updatePushNotification(_ notification: PushNotification) async throws {
        notifications[notification.id] = notification
    }
    func getAllPushNotifications() async throws -> [PushNotification] { ordered(nil) }
    func getPendingPushNotifications() async throws -> [PushNotification] { ordered(nil).filter(\.pending) }
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
        let gone = ordered(credentialId)
        for notification in gone { notifications[notification.id] = nil }
        return gone.count
    }
    func clearPushNotifications() async throws { notifications = [:] }

    func storePushDeviceToken(_ token: PushDeviceToken) async throws { self.token = token }
    func getCurrentPushDeviceToken() async throws -> PushDeviceToken? { token }
    func clearPushDeviceTokens() async throws { token = nil }

    func countPushNotifications(credentialId: String?) async throws -> Int {
        credentialId == nil ? notifications.count : ordered(credentialId).count
    }
    func getOldestPushNotifications(limit: Int, credentialId: String?) async throws -> [PushNotification] {
        Array(ordered(credentialId).prefix(limit))
    }
    func purgePushNotificationsByAge(maxAgeDays: Int, credentialId: String?) async throws -> Int { 0 }
    func purgePushNotificationsByCount(maxCount: Int, credentialId: String?) async throws -> Int { 0 }

    private func ordered(_ credentialId: String?) -> [PushNotification] {
        notifications.values.filter { credentialId == nil || $0.credentialId == credentialId }
            .sorted { $0.createdAt < $1.createdAt }
    }
}
