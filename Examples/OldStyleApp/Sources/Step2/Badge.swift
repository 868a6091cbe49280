import PingPush

/// The badge of the app's icon; it already uses the async API, but the screens still use the legacy API.
final class Badge: Sendable {
    // guide: begin
    private let client: Task<PushClient, any Error>

    init(store: SQLiteCredentialStore) {
        client = Task { try await PushClient.createClient { $0.storage = CredentialStoreStorage(store) } }
    }

    func count() async throws -> Int {
        try await client.value.getPendingNotifications().count
    }
    // guide: end
}
