public import Foundation

/// The APNs token of this device.
///
/// A server that has the token can send pushes to the device, so this package's stores protect the token, and no
/// description contains it.
public struct PushDeviceToken: Codable, Identifiable, Sendable {
    /// The id of the token; a token that replaces the stored token gets a new id.
    public package(set) var id: String
    /// The token; APNs tokens are in hexadecimal.
    public let token: String
    /// The date when the token was stored.
    public let createdAt: Date
    /// The APNs environment of the token, if known.
    public var environment: APNsEnvironment?
    /// The ids of the credentials whose servers have to receive the token, or to receive it again.
    public var unconfirmedCredentialIds: Set<String> = []
    /// The last failures to send the token to servers.
    var setbacks: [TokenSetback] = []
    /// The dates when servers received the token.
    var confirmations: [TokenConfirmation] = []

    /// Creates a token.
    /// - Parameters:
    ///   - id: The id of the token.
    ///   - token: The token; APNs tokens are in hexadecimal.
    ///   - createdAt: The date when the token was stored.
    public init(id: String = UUID().uuidString, token: String, createdAt: Date = Date()) {
        self.id = id
        self.token = token
        self.createdAt = createdAt
    }

    /// Creates a token; see ``init(id:token:createdAt:)``.
    /// - Parameters:
    ///   - tokenId: The token in hexadecimal.
    ///   - createdAt: The date when the token was stored.
    public init(tokenId: String, createdAt: Date) {
        self.init(token: tokenId, createdAt: createdAt)
    }

    /// The token; see ``token``.
    public var tokenId: String { token }

    /// Returns whether both tokens are for the same device.
    ///
    /// The case of hexadecimal tokens is ignored. All other tokens, such as Firebase's, are compared exactly.
    /// - Parameter other: The other token.
    /// - Returns: Whether the tokens are equal.
    public func isSameDevice(as other: PushDeviceToken) -> Bool {
        tokenId == other.tokenId
            || tokenId.utf8.allSatisfy(\.isHexDigit) && tokenId.lowercased() == other.tokenId.lowercased()
    }
}

extension PushDeviceToken: Equatable {
    /// Returns whether both values have the same ``token``; all other properties are ignored.
    public static func == (lhs: PushDeviceToken, rhs: PushDeviceToken) -> Bool { lhs.token == rhs.token }
}

extension PushDeviceToken: CustomStringConvertible, Concealed {
    /// The number of the token's characters, without the token.
    public var description: String { "PushDeviceToken(\(tokenId.count) digits)" }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { Character(Unicode.Scalar(self)).isHexDigit }
}

extension Data {
    /// The bytes in hexadecimal with two digits each, as device tokens are written.
    package var hexadecimal: String {
        map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}

// MARK: - Stored form

extension PushDeviceToken: StoredRecord {
    private static let onlyID = "current"

    package static var recordKind: RecordKind { .deviceToken }
    package var recordIndex: RecordIndex { RecordIndex(id: Self.onlyID, date: createdAt) }

    /// Decodes the stored form: the successor SDK's JSON, with this package's own values under one additional key.
    ///
    /// - Throws: `DecodingError` if a required member is missing, or if a member is invalid.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let extras = try members.decodeIfPresent(Extras.self, forKey: .pushBridge)
        let token = try members.decodeIfPresent(String.self, forKey: .token)
        self.init(
            id: try members.decodeIfPresent(String.self, forKey: .id) ?? Self.onlyID,
            token: try token ?? members.decode(String.self, forKey: .tokenId),
            createdAt: try members.decode(StoredDate.self, forKey: .createdAt).date(with: extras?.createdAt)
        )
        unconfirmedCredentialIds = Set(extras?.unconfirmedCredentialIds ?? [])
        setbacks = extras?.setbacks ?? []
        confirmations = extras?.confirmations ?? []
        environment = extras?.environment
    }

    /// Encodes the stored form.
    ///
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        let date = StoredDate(createdAt)
        try members.encode(id, forKey: .id)
        try members.encode(token, forKey: .token)
        try members.encode(date, forKey: .createdAt)
        let extras = Extras(
            createdAt: encoder.isStoresOwn ? nil : date.remainder,
            unconfirmedCredentialIds: unconfirmedCredentialIds.sorted(),
            setbacks: setbacks.isEmpty ? nil : setbacks,
            confirmations: confirmations.isEmpty ? nil : confirmations,
            environment: environment
        )
        try members.encode(extras, forKey: .pushBridge)
    }

    private enum CodingKeys: Int, CodingKey {
        case id = 1
        case token, tokenId, createdAt, pushBridge
    }

    private struct Extras: Codable {
        let createdAt: Double?
        let unconfirmedCredentialIds: [String]
        let setbacks: [TokenSetback]?
        let confirmations: [TokenConfirmation]?
        let environment: APNsEnvironment?

        private enum CodingKeys: Int, CodingKey {
            case createdAt = 1
            case unconfirmedCredentialIds, setbacks, confirmations, environment
        }
    }
}
