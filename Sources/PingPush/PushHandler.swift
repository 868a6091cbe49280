import Foundation
public import PushBridgeCore

/// Handles pushes of other formats or platforms than PingAM's.
///
/// The app implements it; the client calls it from any thread. The untyped dictionaries are part of the API; the client
/// validates their content before storing it. A handler is responsible for the authenticity of the pushes that it
/// parses, because the client has no signature to verify.
public protocol PushHandler: AnyObject, Sendable {
    /// Returns whether this handler accepts a push.
    /// - Parameter messageData: The payload from `userInfo`, with `message`, `messageId` and `extra` of `aps` lifted to
    ///   the top level; or the dictionary that the app passed to ``PushClient/processNotification(messageData:)``.
    /// - Returns: `true` if it accepts the push; the first handler that accepts a push parses it.
    func canHandle(messageData: [String: Any]) -> Bool
    /// Returns whether this handler accepts a push in the form of text.
    /// - Parameter message: The text.
    /// - Returns: `true` if it accepts the push; the first handler that accepts a push parses it.
    func canHandle(message: String) -> Bool

    /// Parses the fields of the notification in a payload.
    ///
    /// `credentialId` (or `mechanismUid`) is required; a push without `messageId` gets a new one. `challenge`, `ttl` in
    /// seconds, `sentAt` (or `timeInterval`) in milliseconds since 1970, `messageText`, `customPayload`,
    /// `numbersChallenge`, `contextInfo`, `loadBalancer` (or `amlbCookie`), `userId`, `pushType` and `additionalData`
    /// are optional; other fields are ignored. A field of JSON text may also be a dictionary.
    /// - Parameter messageData: The payload, as ``canHandle(messageData:)`` gets it.
    /// - Returns: The fields by name.
    /// - Throws: ``PushError/messageParsingFailed(_:)`` for an invalid push.
    func parseMessage(messageData: [String: Any]) throws -> [String: Any]
    /// Parses the fields of the notification in a text; see ``parseMessage(messageData:)``.
    /// - Parameter message: The text.
    /// - Returns: The fields by name.
    /// - Throws: ``PushError/messageParsingFailed(_:)`` for an invalid push.
    func parseMessage(message: String) throws -> [String: Any]

    /// Sends an approval to the server.
    /// - Parameters:
    ///   - credential: The credential that answers.
    ///   - notification: The push.
    ///   - params: `challengeResponse` for a number the user chose, `authenticationMethod` after local authentication.
    /// - Returns: Whether the server accepted the answer; `false` leaves the push pending.
    /// - Throws: An error if sending failed; the push stays pending.
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
    /// - Returns: Whether the server accepted the answer; `false` leaves the push pending.
    /// - Throws: An error if sending failed; the push stays pending.
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
    /// - Returns: Whether the server accepted the token; after `false` it is sent again next time.
    /// - Throws: An error if sending failed; the token is sent again next time.
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
    /// - Returns: Whether the server accepted the registration; after `false` nothing is stored.
    /// - Throws: An error if the registration failed; nothing is stored.
    func register(
        credential: PushCredential,
        params: [String: Any]
    ) async throws -> Bool
}
