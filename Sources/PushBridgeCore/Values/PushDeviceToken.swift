public import Foundation

/// The APNs token of this device.
///
/// It is enough to address pushes to the device, so it is stored sealed and never printed.
public struct PushDeviceToken: Equatable, Sendable {
    /// The token in hexadecimal.
    public let tokenId: String
    /// When the token was stored.
    public let createdAt: Date
    /// The ids of the credentials whose server did not accept the token yet.
    public var unconfirmedCredentialIds: Set<String> = []

    /// Creates a token.
    public init(tokenId: String, createdAt: Date) {
        self.tokenId = tokenId
        self.createdAt = createdAt
    }

    /// Whether both name the same device; hexadecimal case does not count.
    public func isSameDevice(as other: PushDeviceToken) -> Bool {
        tokenId.lowercased() == other.tokenId.lowercased()
    }
}

extension PushDeviceToken: CustomStringConvertible, CustomReflectable {
    /// The size, never the token.
    public var description: String { "PushDeviceToken(\(tokenId.count) digits)" }
    /// An empty mirror, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Stored form

extension PushDeviceToken: StoredRecord {
    private static let onlyID = "current"

    package static var recordKind: RecordKind { .deviceToken }
    package var recordIndex: RecordIndex { RecordIndex(id: Self.onlyID, date: createdAt) }

    /// Reads the form: the successor SDK's JSON and, under one more key, what only we know.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let extras = try members.decodeIfPresent(Extras.self, forKey: .pushBridge)
        let token = try members.decodeIfPresent(String.self, forKey: .token)
        self.init(
            tokenId: try token ?? members.decode(String.self, forKey: .tokenId),
            createdAt: try members.decode(StoredDate.self, forKey: .createdAt).date(with: extras?.createdAt)
        )
        unconfirmedCredentialIds = Set(extras?.unconfirmedCredentialIds ?? [])
    }

    /// Writes the form.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        let date = StoredDate(createdAt)
        try members.encode(Self.onlyID, forKey: .id)
        try members.encode(tokenId, forKey: .token)
        try members.encode(date, forKey: .createdAt)
        let extras = Extras(
            createdAt: encoder.keepsExactDates ? nil : date.remainder,
            unconfirmedCredentialIds: unconfirmedCredentialIds.sorted()
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

        private enum CodingKeys: Int, CodingKey {
            case createdAt = 1
            case unconfirmedCredentialIds
        }
    }
}
