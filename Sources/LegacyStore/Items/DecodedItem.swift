import Foundation
package import PushBridgeCore

/// The content of a legacy item.
package struct DecodedItem: Equatable, Sendable {
    package let record: LegacyRecord
    /// The account that the record also contains; `nil` if there is none.
    ///
    /// Only mechanisms in migration exports and credentials of the successor SDK contain an account.
    package let embeddedAccount: LegacyAccount?

    package init(record: LegacyRecord, embeddedAccount: LegacyAccount? = nil) {
        self.record = record
        self.embeddedAccount = embeddedAccount
    }
}

extension LegacyItem {
    /// Reads the record of this item.
    ///
    /// For any bytes, the result is a record or a ``LegacyRecordError``. Only the structure of the record is
    /// validated.
    ///
    /// - Throws: ``LegacyRecordError`` if the item contains no record, or if its record is damaged or cannot
    ///   be opened.
    package func decoded() throws(LegacyRecordError) -> DecodedItem {
        switch payload {
        case .archive(let archive):
            // A source that has the key opens sealed items before they are decoded, so no key was given for
            // this item.
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

/// The reason why the SDK that stored a push credential cannot sign with the credential's secret.
package enum SigningFault: Sendable {
    /// The secret was copied from the QR code into the successor SDK without a change, so it is URL-safe
    /// base64 or has no padding.
    ///
    /// The successor SDK decodes only padded standard base64.
    ///
    /// A migration converts the secret to a form that can be used for signing.
    case rawSecret
    /// The secret is not base64 in any variant.
    case noSecret

    /// An explanation for people, in one sentence.
    package var reason: String {
        switch self {
        case .rawSecret:
            "The successor SDK cannot decode this secret, because it was copied as URL-safe or unpadded base64; a migration repairs the secret."
        case .noSecret: "The secret is not base64, so it cannot be used for signing."
        }
    }
}

extension LegacyItem {
    /// Returns the reason why the SDK cannot sign with the push credential in this item; `nil` if the SDK can sign
    /// with it, or if the item contains no push credential.
    ///
    /// `decoded` is the decoded content of this item.
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
