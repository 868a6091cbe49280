public import Foundation

/// A push credential: the data with which a device answers logins for one account.
public struct PushCredential: AccountBound, Codable, Equatable, Identifiable, Sendable {
    /// The mechanism UID by which the server identifies the device.
    public package(set) var id: String
    /// The account of the credential.
    public var account: AccountProfile
    /// The user's id at the server, if the server sent it or the app set it.
    public var userId: String?
    /// Whether the app set ``userId``; if so, the id may be wrong.
    var isUserIdFromApp = false
    /// The credential's own lock and policies; `nil` if those of its account apply.
    ///
    /// An app can save a credential unlocked, or with different policies, while the account keeps its lock.
    package var ownLock: AccountLock?
    /// The device profile's id at the server, if the server sent it.
    public var deviceResourceId: String?
    /// The addresses of the push service.
    public let endpoints: PushEndpoints
    /// The shared secret that signs answers and verifies pushes.
    public private(set) var sharedSecret: SharedSecret
    /// The date when the credential was enrolled.
    public let createdAt: Date
    /// The kind of server.
    public let platform: PushPlatform
    /// The app's own data, as JSON of any shape.
    package var additional: JSONValue?
    /// The app's own data as the app set it in this process, including values that JSON cannot express.
    package var unstored = UnstoredValues()
    /// The secret's text; `nil` if the text is the canonical spelling of ``sharedSecret``.
    private var secretText: SharedSecret?
    /// The details that only the legacy model has; `nil` if the credential has none, for example because the successor
    /// SDK stored it.
    package var legacy: LegacyDetails?
    /// The removal that the app requested and the server has not confirmed yet; `nil` if there is none.
    public package(set) var owedRemoval: UnconfirmedRemoval?

    /// Creates a credential from the required values; set the optional properties afterwards.
    ///
    /// - Parameters:
    ///   - id: The mechanism UID by which the server identifies the device.
    ///   - account: The account that the credential belongs to.
    ///   - endpoints: The addresses of the server's push service.
    ///   - sharedSecret: The shared secret that signs answers and verifies pushes.
    ///   - createdAt: The date when the credential was enrolled.
    public init(
        id: String,
        account: AccountProfile,
        endpoints: PushEndpoints,
        sharedSecret: SharedSecret,
        createdAt: Date
    ) {
        self.id = id
        self.account = account
        self.endpoints = endpoints
        self.sharedSecret = sharedSecret
        self.createdAt = createdAt
        platform = .pingAM
        secretText = nil
    }

    /// Creates a credential from the text of its secret, which is not validated, as in the successor SDK.
    ///
    /// If the text is not base64, the credential cannot sign.
    package init(
        id: String,
        account: AccountProfile,
        endpoints: PushEndpoints,
        secretText: String,
        createdAt: Date
    ) {
        self.id = id
        self.account = account
        self.endpoints = endpoints
        sharedSecret = SharedSecret(base64: secretText) ?? .unusable
        self.secretText = SharedSecret(utf8: secretText)?.unless(spelled: sharedSecret.base64Spelling)
        self.createdAt = createdAt
        platform = .pingAM
    }

    /// Whether there is a secret, even one that cannot sign.
    package var hasSecret: Bool { sharedSecret.isUsable || secretText != nil }

    /// The secret's text: standard base64 or, if the original text is not base64, the original text.
    package var secretSpelling: SharedSecret {
        sharedSecret.isUsable ? sharedSecret.base64Spelling : secretText ?? sharedSecret
    }

    /// Returns whether both credentials have the same secret; unusable secrets are compared by their text.
    package func hasSecret(of other: PushCredential) -> Bool {
        sharedSecret == other.sharedSecret && (sharedSecret.isUsable || secretText == other.secretText)
    }

    /// Copies the secret of another credential.
    package mutating func takeSecret(of other: PushCredential) {
        (sharedSecret, secretText) = (other.sharedSecret, other.secretText)
    }

    /// The device profile's id at the server.
    ///
    /// If the credential stores no such id, the value is ``id``. If it stores an empty id, the value is empty; this is
    /// possible if the registration URI contained no id.
    public var resourceId: String { deviceResourceId ?? id }
    /// The address of the server's push service; see ``PushEndpoints/server``.
    public var serverEndpoint: String { endpoints.server }
    /// The address for registration, unchanged.
    public var registrationEndpoint: String { endpoints.registration }
    /// The address for answers to pushes, unchanged.
    public var authenticationEndpoint: String { endpoints.authentication }
    /// The address to which the client sends a new device token.
    public var updateEndpoint: String { endpoints.update }
}

/// The values of a push registration that legacy records contain: message id, challenge and load balancer.
package struct LegacyRegistration: Codable, Equatable, Sendable {
    /// The registration's message id.
    package var messageId: String?
    /// The registration's challenge, as text.
    @SecretText package var challenge: SharedSecret?
    /// The load balancer's cookie pair `name=value`; an empty value and `nil` are different.
    package var loadBalancer: String?

    /// Creates a registration; `nil` means that the record lacks the field.
    package init(messageId: String? = nil, challenge: SharedSecret? = nil, loadBalancer: String? = nil) {
        self.messageId = messageId
        self.challenge = challenge
        self.loadBalancer = loadBalancer
    }

    private enum CodingKeys: Int, CodingKey {
        case messageId = 1
        case challenge, loadBalancer
    }
}

/// The kind of server that sends the pushes.
public enum PushPlatform: String, CaseIterable, Codable, Sendable {
    /// PingAM and PingOne Advanced Identity Cloud.
    case pingAM = "pingam"

    /// The name of PingAM in a migration export.
    package static let exportedPingAM = "PING_AM"

    /// Parses a platform's name in any known spelling, in upper or lower case; `nil` if the name is unknown.
    package init?(name: String) {
        switch name.lowercased() {
        case "pingam", "ping_am", "ping-am": self = .pingAM
        default: return nil
        }
    }

    /// Decodes a platform from any of its names.
    ///
    /// - Throws: `DecodingError` if the name is unknown.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let platform = PushPlatform(name: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "Push credentials of this platform are not supported."
            )
        }
        self = platform
    }
}

extension PushCredential: CustomStringConvertible, CustomReflectable {}

// MARK: - Stored form

extension PushCredential: StoredRecord {
    package static var recordKind: RecordKind { .push }
    package var recordIndex: RecordIndex {
        RecordIndex(id: id, owner: account.key.recordID, date: createdAt)
    }

    /// Decodes the stored form: the successor SDK's JSON, with this package's own values under one additional key.
    ///
    /// If the additional key does not contain two valid addresses, both addresses are derived from the server's
    /// address, as in the SDK.
    ///
    /// - Throws: `DecodingError` if a required member is missing, or if a member is invalid.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let extras = try members.decodeIfPresent(Extras.self, forKey: .pushBridge)
        let server = try members.decode(String.self, forKey: .serverEndpoint)
        _ = try members.decodeIfPresent(PushPlatform.self, forKey: .platform)
        let endpoints = extras.flatMap { extras in
            PushEndpoints(
                registration: extras.registrationEndpoint ?? "",
                authentication: extras.authenticationEndpoint ?? "",
                server: server
            )
        }
        self.init(
            id: try members.decode(String.self, forKey: .id),
            account: try AccountMembers(from: decoder).account,
            endpoints: endpoints ?? PushEndpoints(uncheckedServer: server),
            secretText: try members.decode(String.self, forKey: .sharedSecret),
            createdAt: try members.decode(StoredDate.self, forKey: .createdAt).date(with: extras?.createdAt)
        )
        userId = try members.decodeIfPresent(String.self, forKey: .userId)
        // If the server sent no profile id, the successor SDK stores the credential's id in this member.
        let resourceId = try members.decodeIfPresent(String.self, forKey: .resourceId)
        deviceResourceId = extras.map(\.deviceResourceId) ?? (resourceId == id ? nil : resourceId)
        additional = try members.decodeIfPresent(JSONMember.self, forKey: .additionalData)?.value
        legacy = extras?.legacy
        owedRemoval = extras?.owedRemoval
        isUserIdFromApp = extras?.isUserIdFromApp ?? false
        ownLock = extras?.ownLock
    }

    /// Encodes the form with the secret, because a storage requires the secret.
    ///
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        try AccountMembers(account).encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        let date = StoredDate(createdAt)
        try members.encode(id, forKey: .id)
        try members.encodeIfPresent(userId, forKey: .userId)
        try members.encode(resourceId, forKey: .resourceId)
        try members.encode(serverEndpoint, forKey: .serverEndpoint)
        let secret = secretText?.withUTF8 { $0 } ?? sharedSecret.withBase64 { $0 }
        try members.encode(secret, forKey: .sharedSecret)
        try members.encode(date, forKey: .createdAt)
        try members.encode(platform.rawValue, forKey: .platform)
        try members.encodeIfPresent(additional.map(JSONMember.init), forKey: .additionalData)
        let extras = Extras(
            registrationEndpoint: registrationEndpoint,
            authenticationEndpoint: authenticationEndpoint,
            deviceResourceId: deviceResourceId,
            createdAt: encoder.isStoresOwn ? nil : date.remainder,
            legacy: legacy,
            owedRemoval: owedRemoval,
            isUserIdFromApp: isUserIdFromApp ? true : nil,
            ownLock: ownLock
        )
        try members.encode(extras, forKey: .pushBridge)
    }

    /// The members of the stored form; names and numbers must not change.
    package enum CodingKeys: Int, CodingKey, CaseIterable {
        case id = 1
        case userId, resourceId, serverEndpoint, sharedSecret, createdAt, platform, pushBridge
        case additionalData
    }

    /// The values for which the successor SDK has no member.
    private struct Extras: Codable {
        let registrationEndpoint: String?
        let authenticationEndpoint: String?
        let deviceResourceId: String?
        let createdAt: Double?
        let legacy: LegacyDetails?
        let owedRemoval: UnconfirmedRemoval?
        let isUserIdFromApp: Bool?
        let ownLock: AccountLock?

        private enum CodingKeys: Int, CodingKey {
            case registrationEndpoint = 1
            case authenticationEndpoint, deviceResourceId, createdAt, legacy, owedRemoval, isUserIdFromApp,
                ownLock
        }
    }
}
