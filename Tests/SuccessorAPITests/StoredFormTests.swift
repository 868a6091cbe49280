import Foundation
import PingOath
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// PushBridge reads and writes the JSON of the successor SDK's keychain items.
@Suite("Stored form")
struct StoredFormTests {
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func randomPushCredentialsAreDecodedAndEncodedUnchanged(_ seed: UInt64) throws {
        var random = SuccessorValues(seed: seed)
        for number in 0..<1_000 { try expectSame(PushCredential.self, random.pushCredential("\(number)")) }
    }

    @Test(arguments: [UInt64(5), 6])
    func randomNotificationsAreDecodedAndEncodedUnchanged(_ seed: UInt64) throws {
        var random = SuccessorValues(seed: seed)
        for number in 0..<1_500 { try expectSame(PushNotification.self, random.notification("\(number)")) }
    }

    @Test(arguments: [UInt64(7), 8])
    func randomOathCredentialsAndTokensAreDecodedAndEncodedUnchanged(_ seed: UInt64) throws {
        var random = SuccessorValues(seed: seed)
        for number in 0..<1_000 {
            try expectSame(OathCredential.self, random.oathCredential("\(number)"))
            try expectSame(PushDeviceToken.self, random.token("\(number)"))
        }
    }

    /// PushBridge reads and changes the items of the SDK's keychain classes without a migration.
    ///
    /// The SDK's keychain classes can read the items that PushBridge stores.
    @Test(arguments: [UInt64(9)])
    func pushBridgeReadsAndWritesTheKeychainItemsOfTheSDK(_ seed: UInt64) async throws {
        var random = SuccessorValues(seed: seed)
        let (keychain, services) = (InMemoryKeychain(), KeychainServices())
        func add(_ json: JSONValue, to service: String, as account: String) throws {
            let name = KeychainItem.Name(service: service, account: account)
            try keychain.add(KeychainItem(name, data: json.data))
        }
        func item(_ account: String, of service: String) throws -> JSONValue? {
            let name = KeychainItem.Name(service: service, account: account)
            return try keychain.data(name).flatMap { JSONValue(json: $0)?.withoutOurs }
        }
        let push = PushKeychainStorage(keychain: keychain)
        let oath = OathKeychainStorage(keychain: keychain)
        for number in 0..<300 {
            let (id, account) = ("\(number)", "\(number)-account")
            let credential = random.pushCredential(id, account: account)
            let code = random.oathCredential("\(id)-code", account: "\(account)-code")
            let notification = random.notification(id)
            try add(credential, to: services.credentials, as: id)
            try add(notification, to: services.notifications, as: id)
            try add(code.with("secret", nil), to: services.oathCredentials, as: "\(id)-code")
            let secret = try #require(code["secret"]?.string)
            let name = KeychainItem.Name(service: services.oathSecrets, account: "\(id)-code")
            try keychain.add(KeychainItem(name, data: Data(secret.utf8)))
            var read = try #require(try await push.retrievePushCredential(credentialId: id))
            #expect(read.json == credential)
            read.displayIssuer = "Renamed"
            #expect(try await push.removePushCredential(credentialId: id))
            try await push.storePushCredential(read)
            #expect(try item(id, of: services.credentials) == read.json)
            var seen = try #require(try await push.retrievePushNotification(notificationId: id))
            #expect(seen.json == notification)
            seen.markApproved()
            try await push.updatePushNotification(seen)
            #expect(try item(id, of: services.notifications) == seen.json)
            let stored = try #require(try await oath.retrieveOathCredential(credentialId: "\(id)-code"))
            #expect(stored.json == code)
            try await oath.storeOathCredential(stored)
            #expect(try item("\(id)-code", of: services.oathCredentials) == code.with("secret", nil))
            #expect(try keychain.data(name) == Data(secret.utf8))
        }
        let (old, new) = (random.token("old"), random.token("new"))
        try add(old.with("createdAt", "2024-01-01T00:00:00Z"), to: services.tokens, as: "old")
        try add(new.with("createdAt", "2024-01-02T00:00:00Z"), to: services.tokens, as: "new")
        #expect(try await push.getCurrentPushDeviceToken()?.id == "new")
    }

    /// Changes that the SDK makes to PushBridge's items take effect, although the SDK does not read PushBridge's
    /// account items.
    @Test func laterChangesByTheSDKTakeEffect() async throws {
        var random = SuccessorValues(seed: 21)
        let (keychain, services) = (InMemoryKeychain(), KeychainServices())
        let push = PushKeychainStorage(keychain: keychain)
        let credential = random.pushCredential("1").with("isLocked", false).with("policies", .null)
        try await push.storePushCredential(credential.decoded())
        let changed = credential.with("isLocked", true).with("lockingPolicy", "deviceTampering")
            .with("policies", #"{"deviceTampering":{}}"#).with("displayIssuer", "Renamed")
        let name = KeychainItem.Name(service: services.credentials, account: "1")
        try keychain.update(name, data: changed.data)
        for read in [
            try await push.retrievePushCredential(credentialId: "1"),
            try await push.getAllPushCredentials().first,
        ] {
            let read = try #require(read)
            #expect(read.isLocked && read.lockingPolicy == "deviceTampering")
            #expect(read.policies == #"{"deviceTampering":{}}"#)
            #expect(read.displayIssuer == "Renamed")
        }
    }

    /// Saving a credential of the SDK does not change the lock of another credential of the account.
    ///
    /// In the SDK's form, each credential has its own copy of the account's fields.
    @Test func savingACredentialOfTheSDKChangesNoOtherCredential() async throws {
        var random = SuccessorValues(seed: 22)
        let (keychain, services) = (InMemoryKeychain(), KeychainServices())
        let push = random.pushCredential("1", account: "shared").with("issuer", "A")
            .with("isLocked", false).with("lockingPolicy", .null).with("policies", .null)
        let code = random.oathCredential("2", account: "shared").with("issuer", "A")
            .with("isLocked", true).with("lockingPolicy", "deviceTampering")
            .with("policies", #"{"deviceTampering":{}}"#)
        let secret = try #require(code["secret"]?.string)
        for (data, service, id) in [
            (push.data, services.credentials, "1"),
            (code.with("secret", nil).data, services.oathCredentials, "2"),
            (Data(secret.utf8), services.oathSecrets, "2"),
        ] {
            let name = KeychainItem.Name(service: service, account: id)
            try keychain.add(KeychainItem(name, data: data))
        }
        let (pushes, codes) = (
            PushKeychainStorage(keychain: keychain), OathKeychainStorage(keychain: keychain)
        )
        let client = try await PushClient.createClient { config in
            config.storage = pushes
            config.logger = LogManager.none
        }
        var read = try #require(try await client.getCredential(credentialId: "1"))
        read.userId = "babs"
        _ = try await client.saveCredential(read)
        let other = try #require(try await codes.retrieveOathCredential(credentialId: "2"))
        #expect(other.isLocked && other.policies == #"{"deviceTampering":{}}"#)
        // Renaming the account does not change the locks of its two credentials.
        var renamed = try #require(try await client.getCredential(credentialId: "1"))
        renamed.displayIssuer = "Renamed"
        _ = try await client.saveCredential(renamed)
        let locked = try #require(try await codes.retrieveOathCredential(credentialId: "2"))
        #expect(locked.isLocked && locked.lockingPolicy == "deviceTampering")
        #expect(locked.policies == #"{"deviceTampering":{}}"# && locked.displayIssuer == "Renamed")
        #expect(try await client.getCredential(credentialId: "1")?.isLocked == false)
        // A new credential of the account gets the lock and the policies that are stored in the account.
        var third: PushCredential = try push.with("id", "3").decoded()
        third.isLocked = false
        try await pushes.storePushCredential(third)
        let stored = try #require(try await pushes.retrievePushCredential(credentialId: "3"))
        #expect(stored.isLocked && stored.policies == #"{"deviceTampering":{}}"#)
        #expect(try await codes.retrieveOathCredential(credentialId: "2")?.isLocked == true)
    }

    /// The stores return random values unchanged: 10,000 values in all, or the number in `PUSHBRIDGE_SWEEP`.
    ///
    /// A store that supports transactions stores each batch of values in one transaction.
    @Test(arguments: 0..<SweptStore.allCases.count)
    func storesReturnRandomValuesUnchanged(_ part: Int) async throws {
        let store = SweptStore.allCases[part]
        var random = SuccessorValues(seed: UInt64(10 + part))
        var batch = StoredValues()
        let parts = SweptStore.allCases.count
        for number in Sweep.rounds("values in stores", part: part, of: parts, standard: 10_000) {
            batch.add("\(number)", &random)
            guard batch.count == 100 else { continue }
            #expect(try await store.readBack(batch) == batch)
            batch = StoredValues()
        }
        #expect(try await store.readBack(batch) == batch)
    }

    @Test func sqliteStoragesReturnRandomValuesUnchanged() async throws {
        let folder = try TemporaryFolder()
        let (path, key) = (folder.path("values.sqlite"), InMemorySealingKey())
        var random = SuccessorValues(seed: 9)
        var values = StoredValues()
        for number in 0..<100 { values.add("\(number)", &random) }
        let pushes = try PushSQLiteStorage(path: path, key: key)
        let codes = try OathSQLiteStorage(path: folder.path("codes.sqlite"), key: key)
        #expect(try await values.readBack(through: pushes, codes) == values)
    }

    @Test func aNotificationWithNumericDatesAndUnknownKeysIsDecoded() throws {
        var json = PushNotification.sample("1").json.with("future", ["a": 1])
        json = json.with("createdAt", .integer(700_000_000)).with("sentAt", .number(700_000_000.25))
        let notification: PushNotification = try json.decoded()
        #expect(notification.createdAt == Date(timeIntervalSinceReferenceDate: 700_000_000))
        #expect(notification.sentAt == Date(timeIntervalSinceReferenceDate: 700_000_000.25))
        let text = json.with("additionalData", #"{"a":[1]}"#)
        let values: PushNotification = try text.decoded()
        #expect(values.additionalData?["a"] as? [Int] == [1])
    }

    @Test func onlyTheJSONOfAValueContainsItsSecret() async throws {
        let secret = "c2VjcmV0LXNlY3JldA=="
        let push = PushCredential.sample("a")
        let oath = OathCredential(
            issuer: "A",
            accountName: "b",
            oathType: .totp,
            secretKey: "JBSWY3DPEHPK3PXP"
        )
        let odd = PushCredential(
            issuer: "A",
            accountName: "b",
            serverEndpoint: "",
            sharedSecret: "unencoded secret!"
        )
        let token = PushDeviceToken(token: "00ff00ff")
        var shown = ""
        for value in [push, oath, odd, token] as [Any] {
            shown += "\(value) \(String(reflecting: value))"
            dump(value, to: &shown)
            shown += Mirror(reflecting: value).children.map { "\($0.value)" }.joined()
        }
        for hidden in [secret, "secret-secret", "JBSWY3DPEHPK3PXP", "unencoded secret!", "00ff00ff"] {
            #expect(!shown.contains(hidden))
        }
        #expect(push.json["sharedSecret"] == .string(secret))
        #expect(oath.json["secret"] == "JBSWY3DPEHPK3PXP")
        #expect(token.json["token"] == "00ff00ff")
    }

    private func expectSame<Value: Codable & Equatable>(_ type: Value.Type, _ json: JSONValue) throws {
        let value: Value = try json.decoded()
        #expect(value.json == json)
        let again: Value = try value.json.decoded()
        #expect(again == value)
    }
}

extension JSONValue {
    fileprivate func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }

    fileprivate var id: String {
        if case .string(let id)? = self["id"] { id } else { "" }
    }

    fileprivate func with(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard case .object(var members) = self else { return self }
        members[name] = value
        return .object(members)
    }

    /// The value without the member `pushBridge`, which contains PushBridge's additional data.
    fileprivate var withoutOurs: JSONValue {
        guard case .object(var members) = self else { return self }
        members["pushBridge"] = nil
        return .object(members)
    }
}

extension Encodable {
    /// The value in the successor SDK's JSON, with its secret; null if it cannot be encoded.
    fileprivate var json: JSONValue {
        do {
            let stored: any Encodable = (self as? OathCredential).map(OathCredential.WithSecret.init) ?? self
            return JSONValue(json: try JSONEncoder().encode(stored))?.withoutOurs ?? .null
        } catch {
            return .null
        }
    }
}

/// Random values in the successor SDK's JSON.
private struct SuccessorValues {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func pushCredential(_ id: String, account: String? = nil) -> JSONValue {
        var members = self.account(account)
        members["id"] = .string(id)
        members["resourceId"] = [.string(id), "", .string(text())].randomElement(using: &random)
        members["serverEndpoint"] = ["https://am.example.com/push", "https://a.b/c?realm=/x", "no address"]
            .randomElement(using: &random)
        members["sharedSecret"] = [.string(bytes().base64EncodedString()), "a-b_c", "not base64!"]
            .randomElement(using: &random)
        members["platform"] = "pingam"
        maybe { $0 ? members["additionalData"] = ["a": 1, "b": ["c": "d"]] : () }
        return .object(members)
    }

    mutating func oathCredential(_ id: String, account: String? = nil) -> JSONValue {
        var members = self.account(account)
        members["id"] = .string(id)
        maybe { $0 ? members["resourceId"] = "resource" : () }
        members["oathType"] = ["totp", "hotp"].randomElement(using: &random)
        members["oathAlgorithm"] = ["SHA1", "SHA256", "SHA512"].randomElement(using: &random)
        members["digits"] = [6, 8].randomElement(using: &random)
        members["period"] = [30, 60].randomElement(using: &random)
        members["counter"] = .integer(Int.random(in: 0...1_000_000, using: &random))
        members["secret"] = ["JBSWY3DPEHPK3PXP", "jbsw y3dp", "no base32!"].randomElement(using: &random)
        // The SDK encodes all dates as text, except this date.
        members["createdAt"] = .integer(Int.random(in: -900_000_000...1_000_000_000, using: &random))
        return .object(members)
    }

    mutating func notification(_ id: String) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "credentialId": .string(text()), "ttl": 120,
            "messageId": .string("\(text())-\(id)"), "createdAt": date(),
        ]
        members["pushType"] = ["default", "challenge", "biometric"].randomElement(using: &random)
        members["pending"] = .bool(Bool.random(using: &random))
        members["approved"] = .bool(Bool.random(using: &random))
        for name in [
            "messageText", "customPayload", "challenge", "numbersChallenge", "loadBalancer", "contextInfo",
        ] {
            if Bool.random(using: &random) { members[name] = .string(text()) }
        }
        for name in ["sentAt", "respondedAt"] where Bool.random(using: &random) { members[name] = date() }
        maybe { $0 ? members["additionalData"] = ["a": .array([1, "x", true])] : () }
        return .object(members)
    }

    mutating func token(_ id: String) -> JSONValue {
        ["id": .string(id), "token": .string(text()), "createdAt": date()]
    }

    private mutating func account(_ name: String?) -> [String: JSONValue] {
        let (issuer, account) = (text(), name ?? text())
        var members: [String: JSONValue] = [
            "issuer": .string(issuer), "accountName": .string(account), "displayIssuer": .string(issuer),
            "displayAccountName": .string(account), "isLocked": .bool(Bool.random(using: &random)),
            "createdAt": date(),
        ]
        if Bool.random(using: &random) { members["displayIssuer"] = .string(text()) }
        for name in ["userId", "imageURL", "backgroundColor", "policies", "lockingPolicy"] {
            if Bool.random(using: &random) { members[name] = .string(text()) }
        }
        return members
    }

    private mutating func maybe(_ body: (Bool) -> Void) { body(Bool.random(using: &random)) }

    private mutating func date() -> JSONValue {
        let seconds = TimeInterval(Int.random(in: 0...2_000_000_000, using: &random))
        return .string(Date(timeIntervalSince1970: seconds).ISO8601Format())
    }

    private mutating func bytes() -> Data {
        Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    private mutating func text() -> String {
        let letters = Array("abcXYZ019 -:/äß{}\"\\日")
        let count = Int.random(in: 1...12, using: &random)
        return String((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" })
    }
}

/// A batch of values in the successor SDK's JSON.
private struct StoredValues: Equatable {
    var credentials: [JSONValue] = []
    var codes: [JSONValue] = []
    var notifications: [JSONValue] = []
    var token: JSONValue?

    var count: Int { credentials.count + codes.count + notifications.count + (token == nil ? 0 : 1) }

    mutating func add(_ id: String, _ random: inout SuccessorValues) {
        if token == nil {
            token = random.token(id)
        } else if credentials.count <= min(codes.count, notifications.count) {
            credentials.append(random.pushCredential(id, account: "\(id)-account"))
        } else if codes.count <= notifications.count {
            codes.append(random.oathCredential(id, account: "\(id)-account"))
        } else {
            notifications.append(random.notification(id))
        }
    }
}

/// The kinds of store that the sweep tests, with a new store for each batch of values.
private enum SweptStore: CaseIterable {
    case sqlite, keychain, memory, files

    /// Stores values, and returns the values that are read afterwards.
    ///
    /// A SQLite store and a keychain store are reopened before the values are read.
    func readBack(_ values: StoredValues) async throws -> StoredValues {
        let folder = try TemporaryFolder()
        let (path, key) = (folder.path("values.sqlite"), InMemorySealingKey())
        switch self {
        case .sqlite:
            let store = try SQLiteCredentialStore(path: path, key: key, mode: .create)
            try Self.keep(values, in: store)
            try store.close()
            return try Self.kept(values, in: SQLiteCredentialStore(path: path, key: key, mode: .create))
        case .keychain:
            let keychain = InMemoryKeychain()
            try Self.keep(values, in: KeychainCredentialStore(keychain: keychain))
            return try Self.kept(values, in: KeychainCredentialStore(keychain: keychain))
        case .memory:
            let store = MemoryCredentialStore()
            try Self.keep(values, in: store)
            return try Self.kept(values, in: store)
        case .files: return try await values.readBack(through: FileStorage(), OathFileStorage())
        }
    }

    private static func keep(_ values: StoredValues, in store: any CredentialStore) throws {
        try store.write { view in
            for json in values.credentials { try view.save(json.decoded(PushCredential.self)) }
            for json in values.codes { try view.save(json.decoded(OathCredential.self)) }
            for json in values.notifications { try view.save(json.decoded(PushNotification.self)) }
            if let token = values.token { try view.save(token.decoded(PushDeviceToken.self)) }
        }
    }

    private static func kept(_ values: StoredValues, in store: any CredentialStore) throws -> StoredValues {
        try store.read { view in
            StoredValues(
                credentials: try values.credentials.map { try view.pushCredential(id: $0.id)?.json ?? .null },
                codes: try values.codes.map { try view.oathCredential(id: $0.id)?.json ?? .null },
                notifications: try values.notifications.map {
                    try view.notification(id: $0.id)?.json ?? .null
                },
                token: try view.deviceToken()?.json
            )
        }
    }
}

extension StoredValues {
    /// Stores values through storages of the API, and returns the values that the storages read.
    func readBack(
        through push: any PushStorage,
        _ oath: any OathStorage
    ) async throws -> StoredValues {
        var kept = StoredValues()
        for json in credentials {
            try await push.storePushCredential(json.decoded())
            let read = try await push.retrievePushCredential(credentialId: json.id)
            kept.credentials.append(read?.json ?? .null)
        }
        for json in codes {
            try await oath.storeOathCredential(json.decoded())
            let read = try await oath.retrieveOathCredential(credentialId: json.id)
            kept.codes.append(read?.json ?? .null)
        }
        for json in notifications {
            try await push.storePushNotification(json.decoded())
            let read = try await push.retrievePushNotification(notificationId: json.id)
            kept.notifications.append(read?.json ?? .null)
        }
        if let token {
            try await push.storePushDeviceToken(token.decoded())
            kept.token = try await push.getCurrentPushDeviceToken()?.json
        }
        return kept
    }
}
