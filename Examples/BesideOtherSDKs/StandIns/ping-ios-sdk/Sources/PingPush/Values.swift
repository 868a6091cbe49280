// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public enum PushError: Error, Sendable {
    case invalidPlatform(String)
    case invalidPushType(String)
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public enum PushPlatform: String, Codable, CaseIterable, Sendable {
    case pingAM = "pingam"

    public static func fromString(_ string: String) throws -> PushPlatform {
        guard ["pingam", "ping_am", "ping-am"].contains(string.lowercased()) else {
            throw PushError.invalidPlatform(string)
        }
        return .pingAM
    }
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public enum PushType: String, Codable, Sendable {
    case `default`
    case challenge
    case biometric

    public static func fromString(_ string: String) throws -> PushType {
        guard let type = PushType(rawValue: string.lowercased()) else {
            throw PushError.invalidPushType(string)
        }
        return type
    }
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
///
/// The JSON of this type contains the secret.
public struct PushCredential: Codable, Identifiable, Sendable {
    public let id: String
    public let userId: String?
    public let resourceId: String
    public let issuer: String
    public var displayIssuer: String
    public let accountName: String
    public var displayAccountName: String
    public let serverEndpoint: String
    let sharedSecret: String
    public let createdAt: Date
    public let imageURL: String?
    public let backgroundColor: String?
    public let policies: String?
    public var lockingPolicy: String?
    public var isLocked: Bool
    public let platform: PushPlatform

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
        self.id = id
        self.userId = userId
        self.resourceId = resourceId ?? ""
        self.issuer = issuer
        self.displayIssuer = displayIssuer ?? issuer
        self.accountName = accountName
        self.displayAccountName = displayAccountName ?? accountName
        self.serverEndpoint = serverEndpoint
        self.sharedSecret = sharedSecret
        self.createdAt = createdAt
        self.imageURL = imageURL
        self.backgroundColor = backgroundColor
        self.policies = policies
        self.lockingPolicy = lockingPolicy
        self.isLocked = isLocked
        self.platform = platform
    }
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public struct PushNotification: Codable, Identifiable, Sendable {
    public let id: String
    public let credentialId: String
    public let ttl: Int
    public let messageId: String
    public let messageText: String?
    public let customPayload: String?
    public let challenge: String?
    public let numbersChallenge: String?
    public let loadBalancer: String?
    public let contextInfo: String?
    public let pushType: PushType
    public let createdAt: Date
    public let sentAt: Date?
    public var respondedAt: Date?
    public var approved: Bool
    public var pending: Bool

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
        self.id = id
        self.credentialId = credentialId
        self.ttl = ttl
        self.messageId = messageId
        self.messageText = messageText
        self.customPayload = customPayload
        self.challenge = challenge
        self.numbersChallenge = numbersChallenge
        self.loadBalancer = loadBalancer
        self.contextInfo = contextInfo
        self.pushType = pushType
        self.createdAt = createdAt
        self.sentAt = sentAt
        self.respondedAt = respondedAt
        self.approved = approved
        self.pending = pending
    }
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public struct PushDeviceToken: Codable, Identifiable, Equatable, Sendable {
    public let id: String
    public let token: String
    public let createdAt: Date

    public init(id: String = UUID().uuidString, token: String, createdAt: Date = Date()) {
        self.id = id
        self.token = token
        self.createdAt = createdAt
    }
}
