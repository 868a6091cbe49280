import Foundation
import PushBridgeCore

/// What every mechanism's `toJson()` and every mechanism of a migration export has.
struct MechanismJSON: Codable {
    @Nullable var id: String?
    let mechanismUID: String
    let issuer: String
    let accountName: String
    let secret: JSONSecret
    @Nullable var timeAdded: JSONDate?
    let type: String
    @Nullable var uid: String?
    @Nullable var resourceId: String?

    init(_ mechanism: LegacyMechanism) {
        id = mechanism.identifier
        mechanismUID = mechanism.mechanismUUID
        issuer = mechanism.account.issuer
        accountName = mechanism.account.accountName
        secret = JSONSecret(mechanism.secret.withUTF8 { $0 })
        timeAdded = JSONDate(mechanism.timeAdded)
        type = mechanism.kind == .push ? "pushauth" : "otpauth"
        uid = mechanism.uid
        resourceId = mechanism.resourceId
    }

    /// The mechanism; `timeAdded` is required unless there is a `fallback`.
    func mechanism(
        _ factor: LegacyFactor,
        addedAt fallback: Date?
    ) throws(LegacyRecordError) -> LegacyMechanism {
        guard let date = timeAdded?.date ?? fallback else { throw .missing("timeAdded") }
        guard !mechanismUID.isEmpty else { throw .empty("mechanismUID") }
        guard let secret = SharedSecret(utf8: secret.text) else { throw .empty("secret") }
        var mechanism = LegacyMechanism(
            mechanismUUID: mechanismUID,
            account: AccountKey(issuer: issuer, accountName: accountName),
            secret: secret,
            timeAdded: date,
            factor: factor
        )
        mechanism.uid = uid
        mechanism.resourceId = resourceId
        try mechanism.requireSecretApart()
        return mechanism
    }
}
