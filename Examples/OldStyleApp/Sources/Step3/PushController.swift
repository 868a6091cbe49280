import PingPush

/// The screen on which the user answers a login.
final class PushController {
    private let client: PushClient
    /// Authenticates the user locally.
    ///
    /// On a device, this closure calls `LAContext.evaluatePolicy`.
    var authenticate: (String) async -> Bool = { _ in false }

    init(client: PushClient) {
        self.client = client
    }

    // guide: begin
    func pending() async throws -> [PushNotification] {
        try await client.getPendingNotifications()
    }
    // guide: end

    // guide: begin
    func approve(_ push: PushNotification) async throws -> Bool {
        try await client.approveNotification(push.id)
    }
    // guide: end

    // guide: begin
    func approveWithFace(_ push: PushNotification) async throws -> Bool {
        guard await authenticate("Log in") else { return false }
        return try await client.approveBiometricNotification(push.id, authenticationMethod: "face")
    }
    // guide: end

    func choose(_ number: Int, for push: PushNotification) async throws -> Bool {
        try await client.approveChallengeNotification(push.id, challengeResponse: String(number))
    }

    func deny(_ push: PushNotification) async throws -> Bool {
        try await client.denyNotification(push.id)
    }
}
