import PushBridgeCore

extension LegacyMechanism {
    /// Refuses a damaged mechanism of which a field that may be shown holds the secret.
    func requireSecretApart() throws(LegacyRecordError) {
        let shown = [mechanismUUID, account.issuer, account.accountName, uid, resourceId].compactMap(\.self)
        guard !secret.withUTF8({ shown.contains($0) }) else {
            throw LegacyRecordError(.damaged, reason: "A field refers to the secret.")
        }
    }
}
