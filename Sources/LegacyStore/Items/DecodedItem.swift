import Foundation
package import PushBridgeCore

/// The content of a legacy item.
package struct DecodedItem: Equatable, Sendable {
    /// The record.
    package let record: LegacyRecord
    /// The account that a migration export nests in its mechanisms, or a credential of the successor SDK repeats.
    package let embeddedAccount: LegacyAccount?

    package init(record: LegacyRecord, embeddedAccount: LegacyAccount? = nil) {
        self.record = record
        self.embeddedAccount = embeddedAccount
    }
}

extension LegacyItem {
    /// Reads the record this item holds.
    ///
    /// Any bytes result in a record or a ``LegacyRecordError``; only the structure of the record is validated.
    ///
    /// - Throws: ``LegacyRecordError`` if the item holds no record, a damaged one, or one that cannot be
    ///   opened.
    package func decoded() throws(LegacyRecordError) -> DecodedItem {
        switch payload {
        case .archive(let archive):
            // With the key, the store's items are opened before they are read.
            if SealedItem(archive) != nil { throw .sealed }
            return DecodedItem(record: try LegacyRecord(archive: archive, service: service, module: module))
        case .json(let json): return try DecodedItem(json: json, service: service, isExported: false)
        case .exportedJSON(let json): return try DecodedItem(json: json, service: service, isExported: true)
        case .newSDK(let json): return try DecodedItem(newSDK: json, service: service)
        case .newSDKSecret: throw .secretAlone
        case .unreadable(let error): throw error
        }
    }
}

/// The reason why a push record cannot sign in the SDK that owns it.
package enum SigningFault: Sendable {
    /// The secret was copied from the QR code into the successor SDK without recoding, url-safe or without padding, and
    /// the successor SDK decodes only padded standard base64.
    ///
    /// A migration recodes it.
    case rawSecret
    /// The secret is not base64 of any kind.
    case noSecret

    /// One sentence for a human.
    package var reason: String {
        switch self {
        case .rawSecret:
            "The successor SDK cannot sign with this secret, which was copied without recoding; migrating repairs it."
        case .noSecret: "The secret is not base64; nothing can sign with it."
        }
    }
}

extension LegacyItem {
    /// What keeps the push credential in this item, decoded, from signing; `nil` if nothing does, and for other
    /// records.
    package func signingFault(_ decoded: DecodedItem) -> SigningFault? {
        guard case .mechanism(let mechanism) = decoded.record, mechanism.kind == .push else { return nil }
        let (isStandard, isAny) = mechanism.secret.withUTF8 { text in
            (Data(base64Encoded: text) != nil, SharedSecret(base64: text) != nil)
        }
        guard isAny else { return .noSecret }
        if case .newSDK = payload, !isStandard { return .rawSecret }
        return nil
    }
}
