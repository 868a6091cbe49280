public import Foundation
public import PushBridgeCore

extension PushCredential {
    /// Creates a credential from the fields of the successor SDK's storages.
    ///
    /// The values are not validated. A secret that is not base64 cannot sign, and requests to an invalid
    /// address fail.
    /// - Parameters:
    ///   - id: The mechanism UID, which identifies the device at the server.
    ///   - userId: The user's id at the server.
    ///   - resourceId: The device profile's id at the server; `nil` means `id`.
    ///   - issuer: The organisation that issued the credential.
    ///   - displayIssuer: The issuer's name to show; `nil` means `issuer`.
    ///   - accountName: The user's name at the issuer.
    ///   - displayAccountName: The account's name to show; `nil` means `accountName`.
    ///   - serverEndpoint: The address of the push service, from which the addresses of all requests are derived.
    ///   - sharedSecret: The key in base64.
    ///   - createdAt: The date when the device was enrolled.
    ///   - imageURL: The URL of the issuer's logo.
    ///   - backgroundColor: The background colour.
    ///   - policies: The policies that the server attached, as JSON.
    ///   - lockingPolicy: The policy that locked the credential.
    ///   - isLocked: Whether the credential is locked.
    ///   - platform: The kind of server.
    ///   - additionalData: The app's own data. Values that JSON cannot express are kept in memory and not
    ///     stored.
    public init(
        id: String = UUID().uuidString,
        userId: String? = nil,
        resourceId: String? = nil,
        issuer: String,
        displayIssuer: String? = nil,
        accountName: String,
        displayAccountName: String? = nil,
        serverEndpoint: String,
        sharedSecret: String,
        createdAt: Date = Date(),
        imageURL: String? = nil,
        backgroundColor: String? = nil,
        policies: String? = nil,
        lockingPolicy: String? = nil,
        isLocked: Bool = false,
        platform: PushPlatform = .pingAM,
        additionalData: [String: Any]? = nil
    ) {
        var account = AccountProfile(issuer: issuer, accountName: accountName)
        account.name(displayIssuer, displayAccountName)
        account.imageURL = imageURL
        account.backgroundColor = backgroundColor
        account.policies = policies
        account.lockingPolicy = lockingPolicy
        account.isLocked = isLocked
        self.init(
            id: id,
            account: account,
            endpoints: PushEndpoints(uncheckedServer: serverEndpoint),
            secretText: sharedSecret,
            createdAt: createdAt
        )
        self.userId = userId
        deviceResourceId = resourceId
        self.additionalData = additionalData
    }

    /// The app's own data.
    ///
    /// Values that JSON cannot express are kept in memory and not stored.
    public var additionalData: [String: Any]? {
        get { unstored.values ?? additional?.members }
        set {
            additional = newValue.map { .payload($0) }
            unstored = UnstoredValues(newValue)
        }
    }

    /// Parses a registration URI into a credential with a new id, without registering or storing the credential.
    ///
    /// Use ``PushClient/addCredentialFromUri(_:)`` to enrol.
    /// - Parameter uri: The registration URI.
    /// - Returns: The credential.
    /// - Throws: ``PushError/invalidUri(_:)`` and similar errors for an invalid registration URI.
    public static func fromUri(_ uri: String) async throws -> PushCredential {
        try await PushUriParser.parse(uri)
    }

    /// Returns the credential as a registration URI.
    ///
    /// The registration URI contains the secret: never log or display the URI.
    ///
    /// - Returns: A registration URI from which the same credential can be parsed. Servers accept the URI for a
    ///   registration only if the challenge and the message id of the original code are stored.
    /// - Throws: ``PushError/uriFormatting(_:)`` for a credential that a registration URI cannot represent, for
    ///   example because its secret is not base64.
    public func toUri() async throws -> String { try await PushUriParser.format(self) }
}

extension PushNotification {
    /// Creates a notification from the fields of the successor SDK's storages.
    ///
    /// The parameters are the same as in the SDK's initialiser. If a storage uses this initialiser, it loses the fields
    /// that are not parameters, unless it sets them afterwards. A storage that saves the JSON form loses none.
    /// - Parameters:
    ///   - id: The notification's id.
    ///   - credentialId: The id of the credential that answers the push.
    ///   - ttl: The number of seconds for which the server waits for an answer.
    ///   - messageId: The server's message id.
    ///   - messageText: The text to show.
    ///   - customPayload: The custom payload of the administrator, as JSON text.
    ///   - challenge: The challenge in base64.
    ///   - numbersChallenge: The numbers to choose from.
    ///   - loadBalancer: The load balancer's cookie pair.
    ///   - contextInfo: The origin of the login as JSON text.
    ///   - pushType: The type of the push, which determines how the user approves it.
    ///   - createdAt: The date when the device stored the push.
    ///   - sentAt: The date when the server sent the push.
    ///   - respondedAt: The date when the user answered.
    ///   - additionalData: The app's own data. Values that JSON cannot express are kept in memory and not
    ///     stored.
    ///   - approved: Whether the user approved.
    ///   - pending: Whether the user has not answered yet.
    public init(
        id: String = UUID().uuidString,
        credentialId: String,
        ttl: Int,
        messageId: String,
        messageText: String? = nil,
        customPayload: String? = nil,
        challenge: String? = nil,
        numbersChallenge: String? = nil,
        loadBalancer: String? = nil,
        contextInfo: String? = nil,
        pushType: PushType,
        createdAt: Date = Date(),
        sentAt: Date? = nil,
        respondedAt: Date? = nil,
        additionalData: [String: Any]? = nil,
        approved: Bool = false,
        pending: Bool = true
    ) {
        self.init(
            id: id,
            credentialId: credentialId,
            message: PushMessage(id: messageId, challenge: ""),
            ttl: ttl,
            sentAt: createdAt,
            createdAt: createdAt
        )
        self.challenge = challenge
        self.sentAt = sentAt
        self.messageText = messageText
        self.customPayload = customPayload
        self.numbersChallenge = numbersChallenge
        self.loadBalancer = loadBalancer
        self.contextInfo = contextInfo
        self.pushType = pushType
        self.respondedAt = respondedAt
        self.additionalData = additionalData
        self.approved = approved
        self.pending = pending
    }

    /// The app's own data.
    ///
    /// Values that JSON cannot express are kept in memory and not stored.
    public var additionalData: [String: Any]? {
        get { unstored.values ?? additional?.members }
        set {
            additional = newValue.map { .payload($0) }
            unstored = UnstoredValues(newValue)
        }
    }

    /// The name of ``pushType``.
    public var type: String { pushType.rawValue }

    /// Marks the notification as approved at the current time.
    ///
    /// The caller must store the changed notification. No request is sent.
    public mutating func markApproved() { self = answered(.approve, at: Date()) }

    /// Marks the notification as denied at the current time.
    ///
    /// The caller must store the changed notification. No request is sent.
    public mutating func markDenied() { self = answered(.deny, at: Date()) }

    /// Returns the numbers to choose from, in the server's order.
    /// - Returns: The numbers. Parts of the server's text that are not numbers are left out.
    public func getNumbersChallenge() -> [Int] { numbers }

    /// Whether the server has stopped waiting for an answer.
    ///
    /// The client still sends the answer to an expired push. The server decides whether to accept the answer.
    public var isExpired: Bool { isExpired(at: Date()) }
}

extension PushType {
    /// Parses the name of a push type.
    /// - Parameter string: `default`, `challenge` or `biometric`, in upper or lower case.
    /// - Returns: The type.
    /// - Throws: ``PushError/invalidPushType(_:)`` for any other name.
    public static func fromString(_ string: String) throws -> PushType {
        guard let type = PushType(rawValue: string.lowercased()) else {
            throw PushError.invalidPushType(string)
        }
        return type
    }
}

extension PushPlatform {
    /// Parses the name of a kind of server.
    /// - Parameter string: `PING_AM`, `ping-am` or `pingam`, in upper or lower case.
    /// - Returns: The kind of server.
    /// - Throws: ``PushError/invalidPlatform(_:)`` for any other name.
    public static func fromString(_ string: String) throws -> PushPlatform {
        guard let platform = PushPlatform(name: string) else { throw PushError.invalidPlatform(string) }
        return platform
    }
}

extension JSONValue {
    /// The members of an object, or of JSON text that contains an object; `nil` for any other value.
    fileprivate var members: [String: Any]? {
        if case .string(let text) = self { return JSONValue(json: Data(text.utf8))?.members }
        return foundationValue as? [String: Any]
    }
}
