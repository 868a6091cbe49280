import Foundation
public import PushBridgeCore
import Testing

/// Sample values in which every field is set.
///
/// The names of claims and members come from the code of the modules. So a new claim or member needs a sample value
/// here only if it is not a string.
///
/// CONTRIBUTING lists the files to change for a new field of the server. Some fields are also in other files:
///
/// - Fields of a push are also in `Pushes.swift` of `PingAMSimulator`, so that the simulator sends them.
/// - Values of a registration are in `LegacyRegistration`.
/// - Other values of a mechanism are also in `LegacyMechanism` and in `LegacyConversion.swift`.
/// - Members of `OathCredential` are also in `AppStorages.swift` of `PingAuthMigration`.
///
/// Parity compares the strings of a push, and the values that `LegacySide`, `ParitySide` and
/// `StoreRecord.swift` list. `StoreRecorderTests` fails if `StoreRecord.swift` omits a member.
public enum EveryField {
    private static let credentialId = "A2A6C4F1-7F5B-4C0E-9B53-2D2B7C3F6E11"
    private static let sampleClaims: [VerifiedPush.Claim: JSONValue] = [
        .credentialId: .string(credentialId), .challenge: "Y2hhbGxlbmdl", .sentAt: 1_700_000_100_250,
        .pushType: "challenge", .loadBalancer: "YW1sYmNvb2tpZT0wMQ==", .numbersChallenge: "34,43,57",
        .timeToLive: 60, .customPayload: #"{"orderId":"9912"}"#, .contextInfo: #"{"remoteIp":"10.0.0.1"}"#,
    ]
    private static let sampleMembers: [String: JSONValue] = [
        "additionalData": ["key": "value"], "respondedAt": "2023-11-14T22:13:20Z",
    ]

    private static func sample(_ name: String) -> JSONValue { .string("sample of \(name)") }

    /// Returns a push credential in which every member of the stored form is set.
    ///
    /// The credential is made from a registration.
    public static func pushCredential() throws -> PushCredential {
        let endpoints = try #require(
            PushEndpoints(
                registration: "https://am.example.com/am/json/push/sns/message?_action=register",
                authentication: "https://am.example.com/am/json/push/sns/message?_action=authenticate"
            )
        )
        var registration = PushRegistration(
            account: account,
            endpoints: endpoints,
            sharedSecret: try #require(SharedSecret(utf8: "a push secret")),
            challenge: Data("challenge".utf8),
            messageId: "REGISTER:1"
        )
        registration.userId = "id=demo"
        registration.deviceResourceId = "profile"
        registration.loadBalancer = "amlbcookie=01"
        let credential = registration.credential(
            id: credentialId,
            createdAt: Date(timeIntervalSince1970: 1_700_000_000.25)
        )
        return try completed(credential, PushCredential.CodingKeys.allCases.map(\.stringValue))
    }

    /// Returns a one-time-password credential in which all members of the stored form are set, except `pushBridge`.
    public static func oathCredential() throws -> OathCredential {
        var credential = OathCredential(
            id: "8F1B7C52-7E6D-4A54-9D1B-0C6C2D5E9A42",
            account: account,
            password: try OneTimePassword(
                secret: #require(SharedSecret(utf8: "an oath secret")),
                algorithm: .sha256,
                digits: 8
            ),
            movingFactor: .counter(7),
            createdAt: Date(timeIntervalSince1970: 1_700_000_000.25)
        )
        credential.userId = "id=demo"
        credential.resourceId = "profile"
        // No samples are needed for the secret, which the stored form can contain under three names, or for
        // PushBridge's additional data.
        let names = Set(OathCredential.CodingKeys.allCases.map(\.stringValue))
            .subtracting(["secret", "sharedSecret", "secretKey", "pushBridge"])
        let whole = try completed(OathCredential.WithSecret(credential), Array(names))
        return whole.credential
    }

    private static var account: AccountProfile {
        var account = AccountProfile(issuer: "Bank", accountName: "demo")
        account.name("My bank", "Me")
        account.imageURL = "https://example.com/logo.png"
        account.backgroundColor = "#519387"
        account.policies = #"{"deviceTampering":{"score":0.8}}"#
        account.addedAt = Date(timeIntervalSince1970: 1_700_000_000.25)
        return account
    }

    /// Returns a push with every claim, or with every claim except one.
    package static func push(without absent: VerifiedPush.Claim? = nil) throws -> VerifiedPush {
        let claims = VerifiedPush.Claim.allCases.filter { $0 != absent }
        let members = claims.map { ($0.rawValue, sampleClaims[$0] ?? sample($0.rawValue)) }
        let credential = try pushCredential()
        let token = credential.sharedSecret.signedToken(
            claims: JSONValue.object(Dictionary(uniqueKeysWithValues: members)).data
        )
        let push = try UnverifiedPush(PushPayload(messageId: "AUTHENTICATE:1", token: token))
        return try #require(push)
            .verified(with: credential, receivedAt: Date(timeIntervalSince1970: 1_700_000_101.5))
    }

    /// Returns the answered notification of a push that has every claim.
    ///
    /// Every member of the notification's stored form is set.
    public static func notification() throws -> PushNotification {
        var notification = try push().notification(id: "CAFE")
        notification.pending = false
        notification.approved = true
        return try completed(notification, PushNotification.CodingKeys.allCases.map(\.stringValue))
    }

    /// Returns the optional texts of a server's notification, by their names in the stored form.
    package static func texts(of notification: PushNotification) throws -> [String: String] {
        let others: Set = ["id", "credentialId", "messageId", "pushType"]
        return try members(of: notification).filter { !others.contains($0.key) && !$0.key.hasSuffix("At") }
            .compactMapValues(\.string)
    }

    private static func members(of value: some Encodable) throws -> [String: JSONValue] {
        let json = try #require(JSONValue(json: JSONEncoder().encode(value)))
        guard case .object(let members) = json else { return [:] }
        return members
    }

    /// Returns a copy of a value whose stored form has all of the named members.
    ///
    /// The copy has samples for the members that the value lacks, except for PushBridge's additional data.
    private static func completed<Value: Codable>(_ value: Value, _ names: [String]) throws -> Value {
        var members = try members(of: value)
        for name in names where members[name] == nil && name != "pushBridge" {
            members[name] = sampleMembers[name] ?? sample(name)
        }
        return try JSONDecoder().decode(Value.self, from: JSONValue.object(members).data)
    }
}
