import Foundation
public import PushBridgeCore

/// Handles pushes with formats or platforms other than PingAM's.
///
/// An app implements this protocol; the client calls it from any thread. The dictionaries are untyped, as in the SDK;
/// the client validates their content before storing it. A handler is responsible for the authenticity of the pushes
/// that it parses, because the client has no signature to verify.
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
    /// `credentialId` (or `mechanismUid`) is required; a push without `messageId` receives a new message id.
    /// `challenge`, `ttl` in seconds, `sentAt` (or `timeInterval`) in milliseconds since 1970, `messageText`,
    /// `customPayload`, `numbersChallenge`, `contextInfo`, `loadBalancer` (or `amlbCookie`), `userId`, `pushType` and
    /// `additionalData` are optional; other fields are ignored. A field of JSON text may also be a dictionary.
    /// - Parameter messageData: The payload, in the form that ``canHandle(messageData:)`` receives.
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
    ///   - params: `challengeResponse` with the number that the user chose, or `authenticationMethod` after local
    ///     authentication.
    /// - Returns: Whether the server accepted the answer; with `false`, the push stays pending.
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
    ///   - params: Always empty.
    /// - Returns: Whether the server accepted the answer; with `false`, the push stays pending.
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
    ///   - params: `deviceName` and, if ``PushConfiguration/providers`` contains one for the app, `providerName`.
    /// - Returns: Whether the server accepted the token; after `false`, the next call sends the token again.
    /// - Throws: An error if sending failed; the next call sends the token again.
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
