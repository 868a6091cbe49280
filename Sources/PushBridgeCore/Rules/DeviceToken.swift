package import Foundation

extension CredentialWriting {
    /// Stores a device token as known to no server, unless it is stored already.
    /// - Returns: The token that is stored.
    package func replaceDeviceToken(_ tokenId: String, at now: Date) throws -> PushDeviceToken {
        var token = PushDeviceToken(tokenId: tokenId, createdAt: now)
        if let stored = try deviceToken(), stored.isSameDevice(as: token) { return stored }
        token.unconfirmedCredentialIds = Set(try ids(of: PushCredential.self, where: .all))
        try save(token)
        return token
    }

    /// Stores that the server of a credential accepted a device token.
    package func confirm(_ token: PushDeviceToken, for credentialId: String) throws {
        guard var stored = try deviceToken(), stored.isSameDevice(as: token) else { return }
        guard stored.unconfirmedCredentialIds.remove(credentialId) != nil else { return }
        try save(stored)
    }
}

extension CredentialReading {
    /// The credentials whose servers do not know a device token yet, oldest first.
    ///
    /// A damaged one cannot sign for its token and is left out.
    package func credentials(owed token: PushDeviceToken) throws -> [PushCredential] {
        guard !token.unconfirmedCredentialIds.isEmpty else { return [] }
        return try pushCredentials().filter { token.unconfirmedCredentialIds.contains($0.id) }
    }
}
