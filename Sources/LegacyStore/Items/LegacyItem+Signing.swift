import Foundation
import PushBridgeCore

/// What keeps a push record from signing in the SDK that owns it.
public enum SigningFault: Sendable {
    /// The secret was copied into the new SDK as it stood in the QR code, url-safe or without padding, and the new SDK
    /// decodes only padded standard base64.
    ///
    /// A migration recodes it.
    case rawSecret
    /// The secret is not base64 of any kind.
    case noSecret

    /// One sentence for a human.
    public var reason: String {
        switch self {
        case .rawSecret:
            "The new SDK cannot sign with this secret, which was copied without recoding; migrating repairs it."
        case .noSecret: "The secret is not base64; nothing can sign with it."
        }
    }
}

extension LegacyItem {
    /// What keeps the push credential in this item, decoded, from signing; `nil` if nothing does, and for other records.
    public func signingFault(_ decoded: DecodedItem) -> SigningFault? {
        guard case .mechanism(let mechanism) = decoded.record, mechanism.kind == .push else { return nil }
        let (isStandard, isAny) = mechanism.secret.withUTF8 { text in
            (Data(base64Encoded: text) != nil, SharedSecret(base64: text) != nil)
        }
        guard isAny else { return .noSecret }
        if case .newSDK = payload, !isStandard { return .rawSecret }
        return nil
    }
}
