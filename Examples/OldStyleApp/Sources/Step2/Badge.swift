import PingPush

/// The number on the app's icon: a screen that is written for the new API before the old ones are moved.
final class Badge: Sendable {
    private let client: PushClient

    init(client: PushClient) {
        self.client = client
    }

    // guide: begin
    func count() async throws -> Int {
        try await client.getPendingNotifications().filter { !$0.isExpired }.count
    }
    // guide: end
}
