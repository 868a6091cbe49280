public import Foundation
import PushBridgeCore

// The records of the vendor's new SDK. Everything about their JSON is in this file.

/// The keychain services in which the vendor's new SDK keeps its records, one JSON object each.
public enum NewSDKService: String, CaseIterable, Sendable {
    /// Push credentials.
    case pushCredentials = "com.pingidentity.push.credentials"
    /// Push notifications.
    case pushNotifications = "com.pingidentity.push.notifications"
    /// The APNs token.
    case pushTokens = "com.pingidentity.push.tokens"
    /// One-time-password credentials.
    case oathCredentials = "com.pingidentity.oath.credentials"

    /// The legacy service that holds records of the same kind.
    var counterpart: LegacyService {
        switch self {
        case .pushCredentials, .oathCredentials: .mechanism
        case .pushNotifications: .notification
        case .pushTokens: .deviceToken
        }
    }
}

/// What the new SDK keeps of a notification and the legacy one does not.
public struct NotificationReceipt: Equatable, Sendable {
    /// The notification's own id.
    public let id: String
    /// When the device stored it.
    public let createdAt: Date
    /// When the user answered, if known.
    public let respondedAt: Date?

    /// Creates a receipt.
    public init(id: String, createdAt: Date, respondedAt: Date? = nil) {
        self.id = id
        self.createdAt = createdAt
        self.respondedAt = respondedAt
    }
}

extension DecodedItem {
    /// Reads one JSON object in the shape in which the new SDK keeps its records.
    init(newSDK json: Data, service: LegacyService) throws(LegacyRecordError) {
        do {
            try self.init(decoding: json, service: service, JSONDecoder())
        } catch {
            throw LegacyRecordError(error)
        }
    }

    private init(decoding json: Data, service: LegacyService, _ decoder: JSONDecoder) throws {
        switch service {
        case .account: throw LegacyRecordError.damaged("The new SDK has no account records.")
        case .mechanism:
            let element = try decoder.decode(NewCredentialElement.self, from: json)
            self.init(record: .mechanism(element.mechanism), embeddedAccount: element.account)
        case .notification:
            let element = try decoder.decode(NewNotificationJSON.self, from: json)
            self.init(record: .notification(element.notification), receipt: try element.receipt())
        case .deviceToken:
            let element = try decoder.decode(NewDeviceTokenJSON.self, from: json)
            self.init(record: .deviceToken(try element.deviceToken()))
        }
    }
}

/// One credential of the new SDK, of either kind.
private struct NewCredentialElement: Decodable {
    let mechanism: LegacyMechanism
    let account: LegacyAccount

    private enum Key: CodingKey {
        case oathType
    }

    init(from decoder: any Decoder) throws {
        let common = try NewCredentialJSON(from: decoder)
        if try decoder.container(keyedBy: Key.self).contains(.oathType) {
            let oath = try NewOathJSON(from: decoder)
            mechanism = try common.mechanism(oath.factor(), secret: oath.key())
        } else {
            let push = try NewPushJSON(from: decoder)
            mechanism = try common.mechanism(push.factor(), secret: push.sharedSecret)
        }
        account = common.account
    }
}

/// What every credential of the new SDK has, the account it repeats included.
private struct NewCredentialJSON: Decodable {
    let id: String
    let issuer: String
    let accountName: String
    let createdAt: ISODate
    let userId: String?
    let resourceId: String?
    let displayIssuer: String?
    let displayAccountName: String?
    let imageURL: String?
    let backgroundColor: String?
    let policies: String?
    let lockingPolicy: String?
    let isLocked: Bool?

    /// The mechanism that the credential is.
    func mechanism(_ factor: LegacyFactor, secret: String) throws(LegacyRecordError) -> LegacyMechanism {
        guard !id.isEmpty else { throw .absent("id") }
        guard let secret = SharedSecret(utf8: secret) else { throw .absent("sharedSecret") }
        var mechanism = LegacyMechanism(
            mechanismUUID: id,
            account: AccountKey(issuer: issuer, accountName: accountName),
            secret: secret,
            timeAdded: createdAt.date,
            factor: factor
        )
        mechanism.uid = userId
        mechanism.resourceId = resourceId
        try mechanism.requireSecretApart()
        return mechanism
    }

    /// The account that the credential repeats.
    ///
    /// The new SDK fills in the display names; one that says nothing new was not chosen by anybody.
    var account: LegacyAccount {
        var profile = AccountProfile(issuer: issuer, accountName: accountName)
        profile.customDisplayIssuer = displayIssuer == issuer ? nil : displayIssuer
        profile.customDisplayAccountName = displayAccountName == accountName ? nil : displayAccountName
        profile.imageURL = imageURL
        profile.backgroundColor = backgroundColor
        profile.policies = policies
        profile.lockingPolicy = lockingPolicy
        profile.isLocked = isLocked ?? false
        return LegacyAccount(profile: profile, timeAdded: createdAt.date)
    }
}

/// What push credentials of the new SDK add.
private struct NewPushJSON: Decodable {
    let serverEndpoint: String
    let sharedSecret: String
    let platform: String?
    let pushBridge: VerbatimAddresses?

    /// What our own keychain store keeps beside the members of the new SDK.
    struct VerbatimAddresses: Decodable {
        let registrationEndpoint: String
        let authenticationEndpoint: String
    }

    /// The factor; the addresses are verbatim if our own store kept them, else those that the new SDK makes of the one
    /// that it kept.
    func factor() throws(LegacyRecordError) -> LegacyFactor {
        guard platform.map({ PushPlatform(name: $0) != nil }) ?? true else {
            throw LegacyRecordError(
                .unsupported,
                reason: "Push credentials of this platform are not supported."
            )
        }
        guard let endpoints = PushEndpoints(server: serverEndpoint) else {
            throw .damaged("The field serverEndpoint is not a URL with a host.")
        }
        let registration = LegacyRegistration(messageId: nil, challenge: nil, loadBalancer: nil)
        if let pushBridge {
            return .push(
                LegacyPushParameters(
                    registrationEndpoint: pushBridge.registrationEndpoint,
                    authenticationEndpoint: pushBridge.authenticationEndpoint,
                    registration: registration
                )
            )
        }
        var parameters = LegacyPushParameters(
            registrationEndpoint: endpoints.registration,
            authenticationEndpoint: endpoints.authentication,
            registration: registration
        )
        parameters.knowsServerOnly = true
        return .push(parameters)
    }
}

/// What one-time-password credentials of the new SDK add.
private struct NewOathJSON: Decodable {
    let oathType: String
    let oathAlgorithm: String
    let digits: Int
    let period: Int?
    let counter: Int?
    let secret: String?
    let sharedSecret: String?

    /// The secret, under either of its names.
    func key() throws(LegacyRecordError) -> String {
        guard let secret = secret ?? sharedSecret else { throw .absent("secret") }
        return secret
    }

    /// The factor.
    func factor() throws(LegacyRecordError) -> LegacyFactor {
        let parameters = LegacyOathParameters(algorithm: oathAlgorithm, digits: digits)
        switch oathType.lowercased() {
        case "totp":
            guard let period else { throw .absent("period") }
            return .totp(parameters, period: period)
        case "hotp":
            guard let counter else { throw .absent("counter") }
            return .hotp(parameters, counter: counter)
        default: throw .unsupported(type: oathType, besides: try key())
        }
    }
}

/// A notification of the new SDK.
private struct NewNotificationJSON: Decodable {
    let id: String
    let credentialId: String
    let messageId: String
    let challenge: String
    let ttl: Double
    let createdAt: ISODate
    let sentAt: ISODate?
    let respondedAt: ISODate?
    let messageText: String?
    let customPayload: String?
    let numbersChallenge: String?
    let loadBalancer: String?
    let contextInfo: String?
    let pushType: String?
    let pending: Bool?
    let approved: Bool?

    /// What the legacy SDK would have stored of the same push.
    var notification: LegacyNotification {
        var notification = LegacyNotification(
            message: PushMessage(id: messageId, challenge: challenge),
            mechanismUUID: credentialId,
            ttl: ttl,
            timeAdded: sentAt?.date ?? createdAt.date
        )
        notification.pending = pending ?? false
        notification.approved = approved ?? false
        notification.loadBalancer = loadBalancer
        notification.customPayload = customPayload
        notification.messageText = messageText
        notification.pushType = pushType
        notification.numbersChallenge = numbersChallenge
        notification.contextInfo = contextInfo
        return notification
    }

    /// What it would not have stored.
    func receipt() throws(LegacyRecordError) -> NotificationReceipt {
        guard !id.isEmpty else { throw .absent("id") }
        return NotificationReceipt(id: id, createdAt: createdAt.date, respondedAt: respondedAt?.date)
    }
}

/// The device token of the new SDK.
private struct NewDeviceTokenJSON: Decodable {
    let token: String?
    let tokenId: String?
    let createdAt: ISODate

    /// The token, which is not empty.
    func deviceToken() throws(LegacyRecordError) -> PushDeviceToken {
        guard let text = tokenId ?? token else { throw .absent("token") }
        guard !text.isEmpty else { throw .absent("token") }
        return PushDeviceToken(tokenId: text, createdAt: createdAt.date)
    }
}

/// A date as ISO 8601 text, with or without a fraction of a second.
private struct ISODate: Decodable {
    let date: Date

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = Self.date(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not an ISO 8601 date.")
        }
        self.date = date
    }

    private static let exact = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private static func date(_ text: String) -> Date? {
        for style in [Date.ISO8601FormatStyle(), exact] {
            do {
                return try style.parse(text)
            } catch {
                continue
            }
        }
        return nil
    }
}
