// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import PingLogger
import StandInKeychain

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public enum OathClient {}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public enum OathError: Error, Sendable {
    case invalidOathType(String)
    case invalidAlgorithm(String)
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public enum OathType: String, Codable, CaseIterable, Sendable {
    case totp
    case hotp

    public static func fromString(_ string: String) throws -> OathType {
        guard let type = OathType(rawValue: string.lowercased()) else {
            throw OathError.invalidOathType(string)
        }
        return type
    }
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
///
/// The SDK has only these algorithms.
public enum OathAlgorithm: String, Codable, Sendable {
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha512 = "SHA512"

    public static func fromString(_ string: String) throws -> OathAlgorithm {
        guard let algorithm = OathAlgorithm(rawValue: string.uppercased()) else {
            throw OathError.invalidAlgorithm(string)
        }
        return algorithm
    }
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
///
/// The JSON of this type contains no secret, and `createdAt` is a number in the JSON.
public struct OathCredential: Codable, Identifiable, Sendable {
    public let id: String
    public let userId: String?
    public let resourceId: String?
    public let issuer: String
    public var displayIssuer: String
    public let accountName: String
    public var displayAccountName: String
    public let oathType: OathType
    public let oathAlgorithm: OathAlgorithm
    public let digits: Int
    public let period: Int
    public var counter: Int
    public let createdAt: Date
    public let imageURL: String?
    public let backgroundColor: String?
    public let policies: String?
    public var lockingPolicy: String?
    public var isLocked: Bool
    var secret = ""

    private enum CodingKeys: CodingKey {
        case id, userId, resourceId, issuer, displayIssuer, accountName, displayAccountName
        case oathType, oathAlgorithm, digits, period, counter, createdAt, imageURL, backgroundColor
        case policies, lockingPolicy, isLocked
    }

    public init(
        id: String = UUID().uuidString,
        userId: String? = nil,
        resourceId: String? = nil,
        issuer: String,
        displayIssuer: String? = nil,
        accountName: String,
        displayAccountName: String? = nil,
        oathType: OathType,
        oathAlgorithm: OathAlgorithm = .sha1,
        digits: Int = 6,
        period: Int = 30,
        counter: Int = 0,
        createdAt: Date = Date(),
        imageURL: String? = nil,
        backgroundColor: String? = nil,
        policies: String? = nil,
        lockingPolicy: String? = nil,
        isLocked: Bool = false,
        secretKey: String
    ) {
        self.id = id
        self.userId = userId
        self.resourceId = resourceId
        self.issuer = issuer
        self.displayIssuer = displayIssuer ?? issuer
        self.accountName = accountName
        self.displayAccountName = displayAccountName ?? accountName
        self.oathType = oathType
        self.oathAlgorithm = oathAlgorithm
        self.digits = digits
        self.period = period
        self.counter = counter
        self.createdAt = createdAt
        self.imageURL = imageURL
        self.backgroundColor = backgroundColor
        self.policies = policies
        self.lockingPolicy = lockingPolicy
        self.isLocked = isLocked
        secret = secretKey
    }

    public func toUri() async throws -> String {
        var code = URLComponents()
        code.scheme = "otpauth"
        code.host = oathType.rawValue
        code.path = "/\(issuer):\(accountName)"
        code.queryItems = [URLQueryItem(name: "secret", value: secret)]
        return code.string ?? ""
    }
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public protocol OathStorage: Sendable {
    func storeOathCredential(_ credential: OathCredential) async throws
    func retrieveOathCredential(credentialId: String) async throws -> OathCredential?
    func getAllOathCredentials() async throws -> [OathCredential]
    func getCredentialByIssuerAndAccount(issuer: String, accountName: String) async throws -> OathCredential?
    func removeOathCredential(credentialId: String) async throws -> Bool
    func clearOathCredentials() async throws
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
///
/// This storage stores two items for each credential.
public final class OathKeychainStorage: OathStorage, @unchecked Sendable {
    private let service: String
    private var secrets: String { service + ".secrets" }

    public init(service: String = "com.pingidentity.oath", logger: (any Logger)? = nil) {
        self.service = service
    }

    public func storeOathCredential(_ credential: OathCredential) async throws {
        StandInKeychain.set(service, credential.id, try JSONEncoder().encode(credential))
        StandInKeychain.set(secrets, credential.id, Data(credential.secret.utf8))
    }

    public func retrieveOathCredential(credentialId: String) async throws -> OathCredential? {
        guard let json = StandInKeychain.items(service)[credentialId],
            let secret = StandInKeychain.items(secrets)[credentialId]
        else { return nil }
        var credential = try JSONDecoder().decode(OathCredential.self, from: json)
        credential.secret = String(decoding: secret, as: UTF8.self)
        return credential
    }

    public func getAllOathCredentials() async throws -> [OathCredential] {
        var credentials: [OathCredential] = []
        for id in StandInKeychain.items(service).keys.sorted() {
            // As in the SDK, unreadable items are ignored.
            if let credential = try? await retrieveOathCredential(credentialId: id) {
                credentials.append(credential)
            }
        }
        return credentials
    }

    public func getCredentialByIssuerAndAccount(
        issuer: String,
        accountName: String
    ) async throws -> OathCredential? {
        try await getAllOathCredentials().first { $0.issuer == issuer && $0.accountName == accountName }
    }

    public func removeOathCredential(credentialId: String) async throws -> Bool {
        let isThere = StandInKeychain.items(service)[credentialId] != nil
        StandInKeychain.set(service, credentialId, nil)
        StandInKeychain.set(secrets, credentialId, nil)
        return isThere
    }

    public func clearOathCredentials() async throws {
        for id in StandInKeychain.items(service).keys { _ = try await removeOathCredential(credentialId: id) }
    }
}
