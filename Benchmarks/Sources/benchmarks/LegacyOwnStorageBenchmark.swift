import FRAuthenticator
import Foundation
import PushBridgeCore
import PushBridgeInternals

/// Compares the legacy API on an app's own storage with a plain loop.
///
/// The loop makes the SDK's storage calls, and signs the data that the SDK signs.
///
/// A ratio of 1.2 means that the API takes 20 % longer than the loop. If the API makes more storage calls than the
/// loop, the benchmark fails.
struct LegacyOwnStorageBenchmark {
    private static let rounds = 21

    let accounts: Int

    func run() async throws {
        let storage = LinearStorage()
        let (client, handler) = FRAClient.separate(
            store: FRAClient.store(on: storage),
            transport: ImmediateTransport()
        )
        handler.application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: Data([1, 2]))
        for number in 0..<accounts { try await enrol("customer-\(number)", "totp", client) }
        print("\nAn app's own storage of archives, \(accounts) accounts")
        print("  operation                             API ms  plain loop ms  ratio  calls  plain loop calls")
        try await list(client, storage)
        try await makeCodes(client, storage)
        try await enrolMore(client, storage)
        try await answer(client, handler, storage)
        guard storage.excesses.isEmpty else {
            let names = storage.excesses.joined(separator: ", ")
            throw ChildProcess.Failure(
                description: "The API makes more storage calls than the plain loop: \(names)."
            )
        }
    }

    private func list(_ client: FRAClient, _ storage: LinearStorage) async throws {
        let plain = { (_: Int) in
            let mechanisms = storage.getAllAccounts().flatMap(storage.getMechanismsForAccount)
            guard mechanisms.count >= accounts else { throw wrong }
        }
        try await compare("listing accounts", storage, ours: { _ in try look(client) }, plain: plain)
        try await compare(
            "the first list of a process",
            storage,
            ours: { _ in try look(FRAClient.separate(store: FRAClient.store(on: storage)).client) },
            plain: plain
        )
        guard let mechanism = client.getAllAccounts().first?.mechanisms.first else { throw wrong }
        try await compare("one account", storage) { _ in
            guard client.getAccount(mechanism: mechanism) != nil else { throw wrong }
        } plain: { _ in
            let account = storage.getAccount(accountIdentifier: mechanism.accountIdentifier)
            guard account.map(storage.getMechanismsForAccount)?.count == 1 else { throw wrong }
        }
    }

    private func look(_ client: FRAClient) throws {
        guard client.getAllAccounts().flatMap(\.mechanisms).count >= accounts else { throw wrong }
    }

    private func makeCodes(_ client: FRAClient, _ storage: LinearStorage) async throws {
        let totp = try await enrol("timed", "totp", client) as? TOTPMechanism
        let hotp = try await enrol("counting", "hotp", client) as? HOTPMechanism
        guard let hotp, let totp else { throw wrong }
        let plain = OathCredential(
            id: "plain",
            account: AccountProfile(issuer: "Example", accountName: "plain"),
            secret: .random(count: 20),
            movingFactor: .time(period: 30),
            createdAt: Date()
        )
        try await compare("TOTP code", storage) { _ in
            _ = try totp.generateCode()
        } plain: { _ in
            _ = storage.getAccount(accountIdentifier: totp.accountIdentifier)
            _ = try plain.code(at: Date())
        }
        try await compare("HOTP code", storage) { _ in
            _ = try hotp.generateCode()
        } plain: { round in
            _ = storage.getAccount(accountIdentifier: hotp.accountIdentifier)
            storage.setMechanism(mechanism: hotp)
            _ = try plain.code(counter: round)
        }
    }

    private func enrolMore(_ client: FRAClient, _ storage: LinearStorage) async throws {
        let secret = SharedSecret.random()
        func prepared(_ name: String) throws -> [(account: Account, mechanism: Mechanism)] {
            try (0...Self.rounds).map { try (decoded("\(name)-\($0)"), decoded("\(name)-\($0)")) }
        }
        func plain(_ made: (account: Account, mechanism: Mechanism)) throws {
            let known = storage.getAccount(accountIdentifier: made.account.identifier)
            guard known == nil else { throw wrong }
            storage.setAccount(account: made.account)
            storage.setMechanism(mechanism: made.mechanism)
        }
        let (codes, pushes) = (try prepared("plain"), try prepared("plain-push"))
        try await compare("enrolling a one-time password", storage) { round in
            try await enrol("new-\(round)", "totp", client)
        } plain: { round in
            try plain(codes[min(round, Self.rounds)])
        }
        try await compare("enrolling push", storage) { round in
            try await enrol(try pushCode("push-\(round)", secret), client)
        } plain: { round in
            _ = secret.signedToken(claims: Data(#"{"response":"","mechanismUid":""}"#.utf8))
            try plain(pushes[min(round, Self.rounds)])
        }
    }

    private func answer(
        _ client: FRAClient,
        _ handler: FRAPushHandler,
        _ storage: LinearStorage
    ) async throws {
        let secret = SharedSecret.random()
        let mechanism = try await enrol(try pushCode("answering", secret), client)
        let claims = Data(#"{"response":""}"#.utf8)
        var sentAt = 1_700_000_000_000
        func receive(_ id: String) throws -> FRAuthenticator.PushNotification {
            // Each push needs its own time, because pushes with the same time would have the same identifier.
            sentAt += 1
            let push = #"{"u":"\#(mechanism.mechanismUUID)","c":"Y2hhbGxlbmdl","i":"\#(sentAt)"}"#
            let token = secret.signedToken(claims: Data(push.utf8))
            let payload = ["aps": ["messageId": id, "data": token]]
            guard
                let push = handler.application(.shared, didReceiveRemoteNotification: payload)
            else { throw wrong }
            return push
        }
        for (name, accepts) in [("accepting a push", true), ("denying a push", false)] {
            let pushes = try (0...2 * Self.rounds + 1).map { try receive("\(name)-\($0)") }
            try await compare(name, storage) { round in
                try await answered(pushes[2 * min(round, Self.rounds)], accepts)
            } plain: { round in
                let push = pushes[2 * min(round, Self.rounds) + 1]
                _ = storage.getMechanismForUUID(uuid: push.mechanismUUID)
                _ = storage.getAccount(accountIdentifier: mechanism.accountIdentifier)
                _ = secret.signedToken(claims: claims)
                storage.setNotification(notification: push)
            }
        }
    }

    private func answered(_ push: FRAuthenticator.PushNotification, _ accepts: Bool) async throws {
        try await withCheckedThrowingContinuation { (answer: CheckedContinuation<Void, any Error>) in
            let succeed = { answer.resume() }
            let fail = { (error: any Error) in answer.resume(throwing: error) }
            if accepts {
                push.accept(onSuccess: succeed, onError: fail)
            } else {
                push.deny(onSuccess: succeed, onError: fail)
            }
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
        if ourCalls > plainCalls { storage.excesses.append(name) }
        let comparison = try await Comparison(rounds: Self.rounds, first: ours, second: plain)
        print(
            String(
                format: "  %@%8.3f  %13.3f  %5.2f  %5d  %16d",
                name.padding(toLength: 36, withPad: " ", startingAt: 0),
                comparison.first * 1000,
                comparison.second * 1000,
                comparison.ratio,
                ourCalls,
                plainCalls
            )
        )
    }

    private func pushCode(_ name: String, _ secret: SharedSecret) throws -> String {
        let base = "https://am.example.com/json/push/sns/message?_action="
        guard
            let endpoints = PushEndpoints(
                registration: "\(base)register",
                authentication: "\(base)authenticate"
            )
        else { throw wrong }
        return PushRegistration(
            account: AccountProfile(issuer: "Example", accountName: name),
            endpoints: endpoints,
            sharedSecret: secret,
            challenge: Data("challenge".utf8),
            messageId: "REGISTER:1"
        ).uri()
    }

    @discardableResult
    private func enrol(_ name: String, _ type: String, _ client: FRAClient) async throws -> Mechanism {
        try await enrol("otpauth://\(type)/Example:\(name)?secret=JBSWY3DPEHPK3PXP", client)
    }

    @discardableResult
    private func enrol(_ uri: String, _ client: FRAClient) async throws -> Mechanism {
        guard let url = URL(string: uri) else { throw wrong }
        return try await withCheckedThrowingContinuation { continuation in
            client.createMechanismFromUri(
                uri: url,
                onSuccess: { continuation.resume(returning: $0) },
                onError: { continuation.resume(throwing: $0) }
            )
        }
    }

    /// Returns a new account or TOTP mechanism with this account name, decoded from JSON.
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
        ChildProcess.Failure(description: "A storage returned a wrong result.")
    }
}

/// An app's storage that keeps archives in a list and counts the calls.
///
/// Each look-up decodes all archives of one kind.
private final class LinearStorage: StorageClient {
    var calls = 0
    /// The operations for which the API made more storage calls than the plain loop.
    var excesses: [String] = []
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
