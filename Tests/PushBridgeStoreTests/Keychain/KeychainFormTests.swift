import Foundation
import PushBridgeCore
import PushBridgeStore
import Testing

/// The JSON in the keychain items.
///
/// Other programs also read and write this JSON, so the names of its members must not change.
@Suite("Keychain items")
struct KeychainFormTests {
    private let keychain = InMemoryKeychain()
    private let services = KeychainServices()
    private var store: KeychainCredentialStore { KeychainCredentialStore(keychain: keychain) }

    @Test func theNamesOfTheKeychainServicesDoNotChange() {
        #expect(services.credentials == "com.pingidentity.push.credentials")
        #expect(services.notifications == "com.pingidentity.push.notifications")
        #expect(services.tokens == "com.pingidentity.push.tokens")
        #expect(services.oathCredentials == "com.pingidentity.oath")
        #expect(services.oathSecrets == "com.pingidentity.oath.secrets")
        #expect(services.ledger == "com.pingidentity.push.credentials.ledger")
        #expect(services.accounts == "com.pingidentity.push.credentials.accounts")
        #expect(services.journal == "com.pingidentity.push.credentials.journal")
    }

    @Test func aPushCredentialIsStoredInTheFormOfTheSDK() throws {
        var credential = try PushCredential.sample(createdAt: Date(timeIntervalSince1970: 1_700_000_000.75))
        credential.displayIssuer = "Mine"
        try store.write { try $0.save(credential) }
        #expect(
            try json("push", of: services.credentials) == [
                "id": "push", "resourceId": "push", "issuer": "ForgeRock", "displayIssuer": "Mine",
                "accountName": "demo", "displayAccountName": "demo", "isLocked": false, "platform": "pingam",
                "serverEndpoint": "https://am.example.com/json/push/sns/message",
                "sharedSecret": "YSBwdXNoIHNlY3JldA==", "createdAt": "2023-11-14T22:13:20Z",
                "pushBridge": [
                    "registrationEndpoint":
                        "https://am.example.com/json/push/sns/message?_action=register",
                    "authenticationEndpoint":
                        "https://am.example.com/json/push/sns/message?_action=authenticate",
                    "createdAt": .number(721_692_800.75),
                ],
            ]
        )
    }

    @Test func aNotificationIsStoredInTheFormOfTheSDK() throws {
        let notification = PushNotification.sample().filled(text: "text")
        try store.write { try $0.save(notification) }
        var members = try #require(json("notification", of: services.notifications).members)
        #expect(members.removeValue(forKey: "pushBridge") != nil)
        #expect(
            JSONValue.object(members) == [
                "id": "notification", "credentialId": "push", "ttl": 120, "messageId": "message",
                "messageText": "text", "customPayload": "text", "challenge": "Y2hhbGxlbmdl",
                "numbersChallenge": "text", "loadBalancer": "text", "contextInfo": "text",
                "pushType": "challenge", "createdAt": "2023-11-14T22:13:21Z",
                "sentAt": "2023-11-14T22:13:20Z", "respondedAt": "1970-01-01T00:00:01Z", "approved": true,
                "pending": true,
            ]
        )
    }

    @Test func theSDKsPushCredentialIsRead() throws {
        try add(
            """
            {"id":"p","userId":"u","resourceId":"r","issuer":"I","displayIssuer":"Mine","accountName":"A",
             "displayAccountName":"A","serverEndpoint":"https://am.example.com/json/alpha/push/sns/message",
             "sharedSecret":"YSBwdXNoIHNlY3JldA==","createdAt":"2024-05-06T07:08:09Z","backgroundColor":"032b75",
             "policies":"{}","isLocked":true,"lockingPolicy":"deviceTampering","platform":"PING_AM"}
            """,
            "p",
            of: services.credentials
        )
        let credential = try #require(try store.read { try $0.pushCredential(id: "p") })
        let base = "https://am.example.com/json/alpha/push/sns/message"
        #expect(credential.registrationEndpoint == "\(base)?_action=register")
        #expect(credential.authenticationEndpoint == "\(base)?_action=authenticate")
        #expect(credential.updateEndpoint == "\(base)?_action=refresh")
        #expect(credential.sharedSecret == SharedSecret(utf8: "a push secret"))
        #expect(credential.createdAt == Date(timeIntervalSince1970: 1_714_979_289))
        #expect(credential.account.customDisplayIssuer == "Mine")
        #expect(credential.account.customDisplayAccountName == nil)
        #expect((credential.userId, credential.deviceResourceId) == ("u", "r"))
        #expect((credential.isLocked, credential.lockingPolicy) == (true, "deviceTampering"))
        #expect(credential.legacy == nil)
        try store.write { try $0.save(credential) }
        #expect(try store.read { try $0.pushCredentials().values } == [credential])
    }

    @Test func theSDKsNotificationIsRead() throws {
        try add(
            """
            {"id":"n","credentialId":"p","ttl":60,"messageId":"m","challenge":"c2M=","pushType":"BIOMETRIC",
             "createdAt":"2024-05-06T07:08:10.5Z","sentAt":"2024-05-06T07:08:09Z","approved":false,"pending":true,
             "additionalData":{"a":[1]}}
            """,
            "n",
            of: services.notifications
        )
        let notification = try #require(try store.read { try $0.notification(messageId: "m") })
        #expect(notification.pushType == .biometric)
        #expect(notification.createdAt == Date(timeIntervalSince1970: 1_714_979_290.5))
        #expect(notification.expiresAt == Date(timeIntervalSince1970: 1_714_979_349))
        #expect(notification.answerClaim == nil)
    }

    @Test func anotherProgramsTokenIsReadAndReplaced() throws {
        try add(#"{"tokenId":"aa","createdAt":"2024-05-06T07:08:09Z"}"#, "device", of: services.tokens)
        #expect(try store.read { try $0.deviceToken()?.tokenId } == "aa")
        try store.write { try $0.save(PushDeviceToken(tokenId: "bb", createdAt: .distantPast)) }
        #expect(try store.read { try $0.deviceToken()?.tokenId } == "bb")
        #expect(try keychain.accounts(service: services.tokens, accessGroup: nil) == ["current"])
    }

    @Test func aDateThatIsNotANumberIsRefusedAndNothingIsStored() throws {
        let invalidDate = Date(timeIntervalSinceReferenceDate: .nan)
        let sentence = "The push credential has a date that is not a number."
        #expect(throws: StoreError(.failed, record: "push", reason: sentence)) {
            try store.write { view in
                try view.save(PushCredential.sample(createdAt: invalidDate))
                try view.save(PushCredential.sample("other"))
            }
        }
        #expect(try store.read { try $0.ids(of: .push, where: .all) } == [])
    }

    private func add(_ text: String, _ account: String, of service: String) throws {
        let name = KeychainItem.Name(service: service, account: account)
        try keychain.add(KeychainItem(name, data: Data(text.utf8)))
    }

    private func json(_ account: String, of service: String) throws -> JSONValue {
        let data = try keychain.data(KeychainItem.Name(service: service, account: account))
        return try #require(data.flatMap { JSONValue(json: $0) })
    }
}

extension JSONValue {
    fileprivate var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }
}
