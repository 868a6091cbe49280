public import Foundation
public import PushBridgeCore

extension PushCredential {
    /// Creates a credential from what the successor SDK's storages hold.
    ///
    /// Nothing is checked: a secret that is not base64 signs nothing, and an invalid address is never reached.
    /// - Parameters:
    ///   - id: The mechanism UID under which the server knows the device.
    ///   - userId: The user's id at the server.
    ///   - resourceId: The device profile's id at the server; `nil` is `id`.
    ///   - issuer: The organisation that issued the credential.
    ///   - displayIssuer: The issuer's name to show; `nil` is `issuer`.
    ///   - accountName: The user's name at the issuer.
    ///   - displayAccountName: The account's name to show; `nil` is `accountName`.
    ///   - serverEndpoint: The address of the push service, of which the others are made.
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

    /// The credential that a registration code would make, under a new id; registers and stores nothing.
    ///
    /// ``PushClient/addCredentialFromUri(_:)`` is what enrols.
    /// - Parameter uri: The text of the code.
    /// - Returns: The credential.
    /// - Throws: ``PushError/invalidUri(_:)`` and its like for a code that cannot be read.
    public static func fromUri(_ uri: String) async throws -> PushCredential {
        try await PushUriParser.parse(uri)
    }

    /// The credential as a registration code; holds the secret, so it is for no log and no screen.
    ///
    /// - Returns: The text of the code: the one that it was enrolled with, if that is known, else one that any reader
    ///   makes the same credential of and no server registers again.
    /// - Throws: ``PushError/uriFormatting(_:)`` for a credential without a usable secret.
    public func toUri() async throws -> String { try await PushUriParser.format(self) }
}

extension PushNotification {
    /// Creates a notification from what the successor SDK's storages hold.
    ///
    /// - Parameters:
    ///   - id: The notification's id.
    ///   - credentialId: The credential that answers it.
    ///   - ttl: Seconds the server waits for an answer.
    ///   - messageId: The server's id of the message.
    ///   - messageText: The text to show.
    ///   - customPayload: The administrator's own payload, JSON text.
    ///   - challenge: The challenge in base64.
    ///   - numbersChallenge: The numbers to choose from.
    ///   - loadBalancer: The load balancer's cookie pair.
    ///   - contextInfo: Where the login came from, JSON text.
    ///   - pushType: What the user has to do.
    ///   - createdAt: When the device stored it.
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

    /// Notes that the user approved, now; storing it is the caller's, and no server is told.
    public mutating func markApproved() { self = answered(.approve, at: Date()) }

    /// Notes that the user denied, now; storing it is the caller's, and no server is told.
    public mutating func markDenied() { self = answered(.deny, at: Date()) }

    /// The numbers to choose from, in the server's order.
    /// - Returns: The numbers; parts of the server's text that are not numbers are left out.
    public func getNumbersChallenge() -> [Int] { numbers }

    /// Whether the server stopped waiting by now; the push may still be answered, the server decides.
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
    /// The members of an object, or of JSON text that is one.
    fileprivate var members: [String: Any]? {
        if case .string(let text) = self { return JSONValue(json: Data(text.utf8))?.members }
        return foundationValue as? [String: Any]
    }
}
