import Foundation
public import PushBridgeCore

/// Serves pushes of another format or platform than PingAM's.
///
/// Written by the app and called from any thread. The untyped dictionaries are the API's own; what comes out of them is
/// checked before it is stored. A handler answers for the authenticity of what it parses: the client knows
/// no signature to check.
public protocol PushHandler: AnyObject, Sendable {
    /// Whether this handler takes a push.
    /// - Parameter messageData: The payload as `userInfo` holds it, with `message`, `messageId` and `extra` of `aps` as
    ///   members of its own; or the dictionary that the app passed to ``PushClient/processNotification(messageData:)``.
    /// - Returns: Whether it does; the first handler that does parses the push.
    func canHandle(messageData: [String: Any]) -> Bool
    /// Whether this handler takes a push that came as text.
    /// - Parameter message: The text.
    /// - Returns: Whether it does; the first handler that does parses the push.
    func canHandle(message: String) -> Bool

    /// The fields of the notification in a payload.
    ///
    /// `credentialId` (or `mechanismUid`) is required; a push without `messageId` gets a new one. `challenge`, `ttl` in
    /// seconds, `sentAt` (or `timeInterval`) in milliseconds since 1970, `messageText`, `customPayload`,
    /// `numbersChallenge`, `contextInfo`, `loadBalancer` (or `amlbCookie`), `userId`, `pushType` and `additionalData`
    /// are read where present; other fields are ignored.
    /// JSON text may be the dictionary itself.
    /// - Parameter messageData: The payload, as ``canHandle(messageData:)`` gets it.
    /// - Returns: The fields by name.
    /// - Throws: ``PushError/messageParsingFailed(_:)`` for a push that is to be refused.
    func parseMessage(messageData: [String: Any]) throws -> [String: Any]
    /// The fields of the notification in a text; see ``parseMessage(messageData:)``.
    /// - Parameter message: The text.
    /// - Returns: The fields by name.
    /// - Throws: ``PushError/messageParsingFailed(_:)`` for a push that is to be refused.
    func parseMessage(message: String) throws -> [String: Any]

    /// Sends an approval to the server.
    /// - Parameters:
    ///   - credential: The credential that answers.
    ///   - notification: The push.
    ///   - params: `challengeResponse` for a number the user chose, `authenticationMethod` after local authentication.
    /// - Returns: Whether the server took the answer; `false` leaves the push pending.
    /// - Throws: What kept the server from it; the push stays pending.
    func sendApproval(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool

    /// Sends a denial to the server.
    /// - Parameters:
    ///   - credential: The credential that answers.
    ///   - notification: The push.
    ///   - params: Empty.
    /// - Returns: Whether the server took the answer; `false` leaves the push pending.
    /// - Throws: What kept the server from it; the push stays pending.
    func sendDenial(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool

    /// Sends a new device token to the server.
    ///
    /// Called only on the handler that was configured for the credential's platform.
    /// - Parameters:
    ///   - credential: The credential.
    ///   - deviceToken: The token in hexadecimal.
    ///   - params: `deviceName` and, if ``PushConfiguration/providers`` knows one, `providerName`.
    /// - Returns: Whether the server took the token; `false` has it sent again next time.
    /// - Throws: What kept the server from it; the token is sent again next time.
    func setDeviceToken(
        credential: PushCredential,
        deviceToken: String,
        params: [String: Any]
    ) async throws -> Bool

    /// Registers a credential at the server.
    ///
    /// Called only on the handler that was configured for the credential's platform.
    /// - Parameters:
    ///   - credential: The credential, which is not stored yet.
    ///   - params: `messageId`, `challenge`, `deviceId`, `deviceName` and, if there is one, the load balancer's
    ///     `amlbCookie` and `providerName`.
    /// - Returns: Whether the server accepted; `false` stores nothing.
    /// - Throws: What kept the server from it; nothing is stored.
    func register(
        credential: PushCredential,
        params: [String: Any]
    ) async throws -> Bool
}
