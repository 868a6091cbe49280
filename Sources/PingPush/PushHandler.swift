import Foundation
public import PushBridgeCore

/// Handles pushes with formats or platforms other than PingAM's.
///
/// An app implements this protocol. The client calls the methods from any thread. The dictionaries are
/// untyped, as in the SDK. The client validates their content before it stores the content. A handler must
/// verify that the pushes that it parses are authentic, because the client has no signature to verify.
public protocol PushHandler: AnyObject, Sendable {
    /// Returns whether this handler accepts a push.
    /// - Parameter messageData: The dictionary that the app passed to
    ///   ``PushClient/processNotification(messageData:)``, or the payload from `userInfo` with three members of `aps`
    ///   copied to the top level: `data` (as `message`), `messageId` and `extra`.
    /// - Returns: `true` if the handler accepts the push. The first handler that accepts a push parses it.
    func canHandle(messageData: [String: Any]) -> Bool
    /// Returns whether this handler accepts a push in the form of text.
    /// - Parameter message: The text.
    /// - Returns: `true` if the handler accepts the push. The first handler that accepts a push parses it.
    func canHandle(message: String) -> Bool

    /// Parses the fields of the notification in a payload.
    ///
    /// `credentialId` (or `mechanismUid`) is required. If `messageId` is missing, the push receives a new
    /// message id.
    ///
    /// Optional fields are `challenge`, `ttl` (in seconds), `sentAt` or `timeInterval` (in milliseconds since
    /// 1970), `messageText`, `customPayload`, `numbersChallenge`, `contextInfo`, `loadBalancer` (or
    /// `amlbCookie`), `userId`, `pushType` and `additionalData`. Other fields are ignored. `customPayload` and
    /// `contextInfo` may be JSON text or dictionaries.
    /// - Parameter messageData: The payload, in the form that ``canHandle(messageData:)`` receives.
    /// - Returns: The fields by name.
    /// - Throws: ``PushError/messageParsingFailed(_:)`` for an invalid push.
    func parseMessage(messageData: [String: Any]) throws -> [String: Any]
    /// Parses a push in the form of text into the notification's fields; see ``parseMessage(messageData:)``.
    /// - Parameter message: The text.
    /// - Returns: The fields by name.
    /// - Throws: ``PushError/messageParsingFailed(_:)`` for an invalid push.
    func parseMessage(message: String) throws -> [String: Any]

    /// Sends an approval to the server.
    /// - Parameters:
    ///   - credential: The credential that answers.
    ///   - notification: The push.
    ///   - params: For a challenge, `challengeResponse` with the number that the user chose; after local
    ///     authentication, `authenticationMethod`; otherwise empty.
    /// - Returns: Whether the server accepted the answer. If not, the push stays pending.
    /// - Throws: An error if the answer could not be sent. The push then stays pending.
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
    /// - Returns: Whether the server accepted the answer. If not, the push stays pending.
    /// - Throws: An error if the answer could not be sent. The push then stays pending.
    func sendDenial(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool

    /// Sends a new device token to the server.
    ///
    /// The client calls this method only on the handler that was configured for the credential's platform.
    /// - Parameters:
    ///   - credential: The credential.
    ///   - deviceToken: The token as the app passed it; in hexadecimal, if the app passed bytes.
    ///   - params: `deviceName` and, if ``PushConfiguration/providers`` contains a name for the app,
    ///     `providerName`.
    /// - Returns: Whether the server accepted the token. If not, the app's next call of
    ///   ``PushClient/setDeviceToken(_:credentialId:)-(String,_)`` sends the token again.
    /// - Throws: An error if the token could not be sent. A later call sends the token again.
    func setDeviceToken(
        credential: PushCredential,
        deviceToken: String,
        params: [String: Any]
    ) async throws -> Bool

    /// Registers a credential with the server.
    ///
    /// The client calls this method only on the handler that was configured for the credential's platform.
    /// - Parameters:
    ///   - credential: The credential, which is not stored yet.
    ///   - params: `messageId`, `challenge`, `deviceId` and `deviceName`; also `amlbCookie` if the
    ///     registration URI names a load balancer, and `providerName` if the configuration has a name for the
    ///     app.
    /// - Returns: Whether the server accepted the registration. If not, nothing is stored.
    /// - Throws: An error if the registration failed. Nothing is stored then.
    func register(
        credential: PushCredential,
        params: [String: Any]
    ) async throws -> Bool
}
