public import Foundation
public import PushBridgeCore

extension PushCredential {
    /// Creates a credential from the fields of the successor SDK's storages.
    ///
    /// Validates nothing: a secret that is not base64 cannot sign, and requests to an invalid address fail.
    /// - Parameters:
    ///   - id: The mechanism UID under which the server knows the device.
    ///   - userId: The user's id at the server.
    ///   - resourceId: The device profile's id at the server; `nil` is `id`.
    ///   - issuer: The organisation that issued the credential.
    ///   - displayIssuer: The issuer's name to show; `nil` is `issuer`.
    ///   - accountName: The user's name at the issuer.
    ///   - displayAccountName: The account's name to show; `nil` is `accountName`.
    ///   - serverEndpoint: The address of the push service, from which the others are derived.
    ///   - sharedSecret: The key in base64.
    ///   - createdAt: When the credential was enrolled.
    ///   - imageURL: Where the issuer's logo is.
    ///   - backgroundColor: The background colour.
    ///   - policies: The policies the server attached, as JSON.
    ///   - lockingPolicy: The policy that locked the credential.
    ///   - isLocked: Whether the credential is locked.
    ///   - platform: The kind of server.
    ///   - additionalData: The app's own data; values that JSON cannot express are kept in memory only.
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

    /// The app's own data; values that JSON cannot express are kept in memory and not stored.
    public var additionalData: [String: Any]? {
        get { unstored.values ?? additional?.members }
        set {
            additional = newValue.map { .payload($0) }
            unstored = UnstoredValues(newValue)
        }
    }

    /// Parses a registration URI into a credential with a new id; registers and stores nothing.
    ///
    /// Use ``PushClient/addCredentialFromUri(_:)`` to enrol.
    /// - Parameter uri: The text of the code.
    /// - Returns: The credential.
    /// - Throws: ``PushError/invalidUri(_:)`` and similar errors for an invalid code.
    public static func fromUri(_ uri: String) async throws -> PushCredential {
        try await PushUriParser.parse(uri)
    }

    /// The credential as a registration URI.
    ///
    /// It contains the secret: never log or display it.
    ///
    /// - Returns: The text of the code: the original registration URI if it is known, otherwise a code that yields the
    ///   same credential but that no server registers again.
    /// - Throws: ``PushError/uriFormatting(_:)`` for a credential without a usable secret.
    public func toUri() async throws -> String { try await PushUriParser.format(self) }
}

extension PushNotification {
    /// Creates a notification from the fields of the successor SDK's storages.
    ///
    /// The parameters are those of the SDK's initialiser. Set other fields afterwards, or store the value as JSON, which
    /// contains all fields.
    /// - Parameters:
    ///   - id: The notification's id.
    ///   - credentialId: The credential that answers it.
    ///   - ttl: The number of seconds for which the server waits for an answer.
    ///   - messageId: The server's id of the message.
    ///   - messageText: The text to show.
    ///   - customPayload: The administrator's own payload, JSON text.
    ///   - challenge: The challenge in base64.
    ///   - numbersChallenge: The numbers to choose from.
    ///   - loadBalancer: The load balancer's cookie pair.
    ///   - contextInfo: The origin of the login as JSON text.
    ///   - pushType: The kind of answer that the user has to give.
    ///   - createdAt: The date at which the device stored it.
    ///   - sentAt: When the server sent it.
    ///   - respondedAt: When the user answered.
    ///   - additionalData: The app's own data; values that JSON cannot express are kept in memory only.
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

    /// The app's own data; values that JSON cannot express are kept in memory and not stored.
    public var additionalData: [String: Any]? {
        get { unstored.values ?? additional?.members }
        set {
            additional = newValue.map { .payload($0) }
            unstored = UnstoredValues(newValue)
        }
    }

    /// The name of ``pushType``.
    public var type: String { pushType.rawValue }

    /// Marks the notification as approved now.
    ///
    /// The caller must store it; no request is sent.
    public mutating func markApproved() { self = answered(.approve, at: Date()) }

    /// Marks the notification as denied now.
    ///
    /// The caller must store it; no request is sent.
    public mutating func markDenied() { self = answered(.deny, at: Date()) }

    /// The numbers to choose from, in the server's order.
    /// - Returns: The numbers; parts of the server's text that are not numbers are left out.
    public func getNumbersChallenge() -> [Int] { numbers }

    /// Whether the time that the server waits for an answer is over; the app may still send one, and the server
    /// decides.
    public var isExpired: Bool { isExpired(at: Date()) }
}

extension PushType {
    /// Reads a name.
    /// - Parameter string: `default`, `challenge` or `biometric`, in any case.
    /// - Returns: The type.
    /// - Throws: ``PushError/invalidPushType(_:)`` for another name.
    public static func fromString(_ string: String) throws -> PushType {
        guard let type = PushType(rawValue: string.lowercased()) else {
            throw PushError.invalidPushType(string)
        }
        return type
    }
}

extension PushPlatform {
    /// Reads a name.
    /// - Parameter string: `PING_AM` or `pingam`, in any case.
    /// - Returns: The platform.
    /// - Throws: ``PushError/invalidPlatform(_:)`` for another name.
    public static func fromString(_ string: String) throws -> PushPlatform {
        guard let platform = PushPlatform(name: string) else { throw PushError.invalidPlatform(string) }
        return platform
    }
}

extension JSONValue {
    /// The members of an object, or of JSON text that contains one.
    fileprivate var members: [String: Any]? {
        if case .string(let text) = self { return JSONValue(json: Data(text.utf8))?.members }
        return foundationValue as? [String: Any]
    }
}
