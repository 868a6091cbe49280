public import Foundation

/// The APNs token of this device.
///
/// Whoever holds it can address pushes to the device, so it is stored sealed
/// and never printed.
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
