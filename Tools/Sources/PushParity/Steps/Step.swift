/// One thing that happens in a ``Scenario``.
///
/// In JSON, `do` is the name of the case; see the values of the cases for the other members.
public enum Step: Equatable, Sendable {
    /// The system hands out a device token, or the app sends it again.
    case token(Token)
    /// The app forgets the device token.
    case clearToken
    /// The app reads the device token.
    case readToken
    /// The user scans a registration code.
    case enrol(Enrol)
    /// The server sends a push.
    case receive(Receive)
    /// A push comes a second time: `{"do":"receiveAgain","push":"p1"}`.
    case receiveAgain(OfPush)
    /// Something comes that no server sent.
    case receiveRaw(ReceiveRaw)
    /// The user answers a push.
    case answer(Answer)
    /// The next requests go wrong.
    case fault(FaultOrder)
    /// Time passes, for the server and the device.
    case advance(Advance)
    /// The device changes.
    case device(Device)
    /// The server forgets a device: `{"do":"forget","credential":"babs"}`.
    case forget(OfCredential)
    /// The app locks an account in the name of a policy.
    case lock(Lock)
    /// The app unlocks an account.
    case unlock(OfCredential)
    /// The user renames an account.
    case rename(Rename)
    /// The user removes one credential.
    case deleteCredential(OfCredential)
    /// The user removes an account with all its credentials.
    case deleteAccount(OfCredential)
    /// The user removes a notification.
    case deleteNotification(OfPush)
    /// The app shows a one-time password of a credential: `{"do":"code","credential":"babs"}`.
    case code(OfCredential)
    /// The app shows a list.
    case list(List)
    /// A legacy store is migrated into the present one.
    case migrate(Migrate)
    /// The process ends and starts again.
    case restart
    /// The app closes the client.
    case close
}

extension Step {
    /// The name of a push in the scenario.
    public struct OfPush: Codable, Equatable, Sendable {
        /// The push.
        public var push: String
    }

    /// The name of a credential in the scenario.
    public struct OfCredential: Codable, Equatable, Sendable {
        /// The credential.
        public var credential: String
    }
}
