/// Where a client keeps one-time-password credentials.
///
/// What is not there is `nil` or `false`, never an error. An app's own storage has no transactions: there a client
/// keeps its own changes in order, and two clients over it have to be kept apart by the app.
public protocol OathStorage: Sendable {
    /// Stores a credential durably, replacing one with the same id.
    func storeOathCredential(_ credential: OathCredential) async throws
    /// The credential with an id.
    func retrieveOathCredential(credentialId: String) async throws -> OathCredential?
    /// All credentials, oldest first.
    func getAllOathCredentials() async throws -> [OathCredential]
    /// Removes a credential; answers whether there was one.
    func removeOathCredential(credentialId: String) async throws -> Bool
    /// Removes all credentials.
    func clearOathCredentials() async throws
}
