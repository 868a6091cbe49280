@_spi(PushBridgeTools) import FRAuthenticator
import Foundation
import PushBridgeCore

/// An app's own storage under the legacy API, beside a plain loop that makes only the calls that the SDK makes.
///
/// A ratio above 1 is what the API adds to the storage's own time.
struct LegacyOwnStorageBenchmark {
    let accounts: Int

    func run() async throws {
        let storage = LinearStorage()
        let store = FRAClient.store(on: storage)
        let (client, handler) = FRAClient.separate(store: store, transport: ImmediateTransport())
        handler.application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: Data([1, 2]))
        for number in 0..<accounts { try await enrol("customer-\(number)", "totp", client) }
        let hotp = try await enrol("counting", "hotp", client) as? HOTPMechanism
        let totp = client.getAllAccounts().flatMap(\.mechanisms).compactMap { $0 as? TOTPMechanism }.first
        guard let hotp, let totp else { throw wrong }

        print("An app's own storage of archives, \(accounts + 1) accounts")
        try await compare("listing accounts", storage) { _ in
            guard client.getAllAccounts().flatMap(\.mechanisms).count > accounts else { throw wrong }
        } plain: { _ in
            let mechanisms = storage.getAllAccounts().flatMap(storage.getMechanismsForAccount)
            guard mechanisms.count > accounts else { throw wrong }
        }
        try await compare("one account", storage) { _ in
            guard client.getAccount(mechanism: totp) != nil else { throw wrong }
        } plain: { _ in
            let account = storage.getAccount(accountIdentifier: totp.accountIdentifier)
            guard account.map(storage.getMechanismsForAccount)?.count == 1 else { throw wrong }
        }
        let password = try OneTimePassword(secret: .random(count: 20))
        try await compare("TOTP code", storage) { _ in
            _ = try totp.generateCode()
        } plain: { _ in
            _ = storage.getAccount(accountIdentifier: totp.accountIdentifier)
            _ = try password.code(at: Date(), period: 30)
        }
        try await compare("HOTP code", storage) { _ in
            _ = try hotp.generateCode()
        } plain: { round in
            _ = storage.getAccount(accountIdentifier: hotp.accountIdentifier)
            storage.setMechanism(mechanism: hotp)
            _ = try password.code(counter: round)
        }
        try await compare("enrolling a one-time password", storage) { round in
            try await enrol("new-\(round)", "totp", client)
        } plain: { round in
            let known = storage.getAccount(accountIdentifier: "Example-plain-\(round)")
            guard known == nil else { throw wrong }
            let made: (Account, Mechanism) = try (decoded("plain-\(round)"), decoded("plain-\(round)"))
            storage.setAccount(account: made.0)
            storage.setMechanism(mechanism: made.1)
        }
    }

    private func compare(
        _ name: String,
        _ storage: LinearStorage,
        ours: (Int) async throws -> Void,
        plain: (Int) async throws -> Void
    ) async throws {
        storage.calls = 0
        try await ours(1_000)
        let ourCalls = storage.calls
        storage.calls = 0
        try await plain(1_000)
        let plainCalls = storage.calls
        let comparison = try await Comparison(rounds: 21, first: ours, second: plain)
        print(
            String(
                format: "  \(name): %d calls, %.3f ms; plain loop %d calls, %.3f ms; ratio %.2f",
                ourCalls,
                comparison.first * 1000,
                plainCalls,
                comparison.second * 1000,
                comparison.ratio
            )
        )
    }

    @discardableResult
    private func enrol(_ name: String, _ type: String, _ client: FRAClient) async throws -> Mechanism {
        guard let url = URL(string: "otpauth://\(type)/Example:\(name)?secret=JBSWY3DPEHPK3PXP") else {
            throw wrong
        }
        return try await withCheckedThrowingContinuation { continuation in
            client.createMechanismFromUri(
                uri: url,
                onSuccess: { continuation.resume(returning: $0) },
                onError: { continuation.resume(throwing: $0) }
            )
        }
    }

    /// What the SDK would have made of a code.
    private func decoded<Object: Decodable>(_ name: String) throws -> Object {
        let json = """
            {"issuer":"Example","accountName":"\(name)","timeAdded":1700000000000,"mechanismUID":"\(UUID())",
            "secret":"JBSWY3DPEHPK3PXP","type":"otpauth","oathType":"totp","algorithm":"sha1","digits":6,"period":30}
            """
        let isAccount = Object.self == Account.self
        guard
            let object = isAccount
                ? try JSONDecoder().decode(Account.self, from: Data(json.utf8)) as? Object
                : try JSONDecoder().decode(TOTPMechanism.self, from: Data(json.utf8)) as? Object
        else { throw wrong }
        return object
    }

    private var wrong: ChildProcess.Failure {
        ChildProcess.Failure(description: "A storage answers wrongly.")
    }
}

/// Archives in a list that is searched from its start, as plugins keep them; counts what it is asked for.
private final class LinearStorage: StorageClient {
    var calls = 0
    private var archives: [(kind: String, id: String, data: Data)] = []

    @discardableResult func setAccount(account: Account) -> Bool {
        set("account", account.identifier, account)
    }
    @discardableResult func removeAccount(account: Account) -> Bool { remove("account", account.identifier) }
    func getAccount(accountIdentifier: String) -> Account? {
        all("account", Account.self).first { $0.identifier == accountIdentifier }
    }
    func getAllAccounts() -> [Account] { all("account", Account.self) }
    @discardableResult func setMechanism(mechanism: Mechanism) -> Bool {
        set("mechanism", mechanism.identifier, mechanism)
    }
    @discardableResult func removeMechanism(mechanism: Mechanism) -> Bool {
        remove("mechanism", mechanism.identifier)
    }
    func getMechanismsForAccount(account: Account) -> [Mechanism] {
        all("mechanism", Mechanism.self).filter { $0.accountIdentifier == account.identifier }
    }
    func getMechanismForUUID(uuid: String) -> Mechanism? {
        all("mechanism", Mechanism.self).first { $0.mechanismUUID == uuid }
    }
    func getNotification(notificationIdentifier: String) -> FRAuthenticator.PushNotification? {
        getAllNotifications().first { $0.identifier == notificationIdentifier }
    }
    func getNotificationByMessageId(messageId: String) -> FRAuthenticator.PushNotification? {
        getAllNotifications().first { $0.messageId == messageId }
    }
    @discardableResult func setNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        set("notification", notification.identifier, notification)
    }
    @discardableResult func removeNotification(notification: FRAuthenticator.PushNotification) -> Bool {
        remove("notification", notification.identifier)
    }
    func getAllNotificationsForMechanism(mechanism: Mechanism) -> [FRAuthenticator.PushNotification] {
        getAllNotifications().filter { $0.mechanismUUID == mechanism.mechanismUUID }
    }
    func getAllNotifications() -> [FRAuthenticator.PushNotification] {
        all("notification", FRAuthenticator.PushNotification.self)
    }
    @discardableResult func setPushDeviceToken(pushDeviceToken: FRAuthenticator.PushDeviceToken) -> Bool {
        set("token", "", pushDeviceToken)
    }
    func getPushDeviceToken() -> FRAuthenticator.PushDeviceToken? {
        all("token", FRAuthenticator.PushDeviceToken.self).first
    }
    @discardableResult func removePushDeviceToken() -> Bool { remove("token", "") }
    @discardableResult func isEmpty() -> Bool { archives.isEmpty }

    private func set(_ kind: String, _ id: String, _ object: some NSObject & NSSecureCoding) -> Bool {
        calls += 1
        do {
            let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            archives.removeAll { $0.kind == kind && $0.id == id }
            archives.append((kind, id, data))
            return true
        } catch {
            return false
        }
    }

    private func remove(_ kind: String, _ id: String) -> Bool {
        calls += 1
        archives.removeAll { $0.kind == kind && $0.id == id }
        return true
    }

    private func all<Object: NSObject & NSSecureCoding>(_ kind: String, _ type: Object.Type) -> [Object] {
        calls += 1
        let classes: [AnyClass] = [
            Account.self, PushMechanism.self, TOTPMechanism.self, HOTPMechanism.self, type,
        ]
        return archives.filter { $0.kind == kind }.compactMap { _, _, data in
            do {
                return try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? Object
            } catch {
                return nil
            }
        }
    }
}
