import Foundation
public import PushBridgeCore

/// Serves pushes of another format or platform than PingAM's.
///
/// Written by the app and called from any thread. The untyped dictionaries are the API's own; what comes out of them is
/// checked before it is stored. A handler answers for the authenticity of what it parses: the client knows
/// no signature to check.
public protocol PushHandler: AnyObject, Sendable {
    /// Whether this handler takes the payload of a push, as `userInfo` holds it.
    func canHandle(messageData: [String: Any]) -> Bool
    /// Whether this handler takes a push that came as text.
    func canHandle(message: String) -> Bool

    /// The fields of the notification in a payload, which holds `message`, `messageId` and `extra` of `aps` as its own
    /// members.
    ///
    /// `messageId` and `credentialId` (or `mechanismUid`) are required; `challenge`, `ttl` in seconds,
    /// `sentAt` (or `timeInterval`) in milliseconds since 1970, `messageText`, `customPayload`, `numbersChallenge`,
    /// `contextInfo`, `loadBalancer` (or `amlbCookie`), `userId` and `pushType` are read where present, everything else
    /// is left alone. JSON text may be the dictionary itself. Throws ``PushError/messageParsingFailed(_:)``.
    func parseMessage(messageData: [String: Any]) throws -> [String: Any]
    /// The fields of the notification in a text; see the other spelling.
    func parseMessage(message: String) throws -> [String: Any]

    /// Tells the server that the user approved; `false` or an error leaves the push pending.
    ///
    /// `params` holds `challengeResponse` for a number the user chose, and `authenticationMethod` after local
    /// authentication.
    func sendApproval(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool

    /// Tells the server that the user denied; `false` or an error leaves the push pending.
    func sendDenial(
        credential: PushCredential,
        notification: PushNotification,
        params: [String: Any]
    ) async throws -> Bool

    /// Tells the server a new device token; `false` or an error has it told again next time.
    ///
    /// Called only on the handler that was configured for the credential's platform; `params` holds `deviceName` and,
    /// if ``PushConfiguration/providers`` knows one, `providerName`.
    func setDeviceToken(
        credential: PushCredential,
        deviceToken: String,
        params: [String: Any]
    ) async throws -> Bool

    /// Registers a credential; `false` or an error stores nothing.
    ///
    /// Called only on the handler that was configured for the credential's platform; `params` holds `messageId`,
    /// `challenge`, `deviceId`, `deviceName` and, if there is one, the load balancer's `amlbCookie` and `providerName`.
    func register(
        credential: PushCredential,
        params: [String: Any]
    ) async throws -> Bool
}
