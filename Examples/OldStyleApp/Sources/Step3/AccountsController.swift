import PingPush

/// The list of accounts.
final class AccountsController {
    private let client: PushClient
    private(set) var accounts: [PushCredential] = []

    init(client: PushClient) {
        self.client = client
    }

    func reload() async throws {
        accounts = try await client.getCredentials()
    }

    // guide: begin
    func scanned(_ code: String) async throws {
        try await client.addCredentialFromUri(code)
    }

    func rename(_ credential: PushCredential, to name: String) async throws {
        var renamed = credential
        renamed.displayAccountName = name
        try await client.saveCredential(renamed)
    }
    // guide: end

    func remove(_ credential: PushCredential) async throws {
        try await client.deleteCredential(credential.id)
    }
}
