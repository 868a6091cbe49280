public import Foundation

/// What a request is for; interceptors decide by it.
public final class Action: NSObject {
    /// The raw value of an ``ActionType``.
    public let type: String
    /// What else is known; `nil` for push requests.
    public let payload: [String: Any]?

    /// Names an action.
    public init(type: ActionType, payload: [String: Any]? = nil) {
        self.type = type.rawValue
        self.payload = payload
    }
}

/// The actions by the names under which interceptors know them.
///
/// This package itself sends the push actions only; the others are for requests that an app sends through
/// ``RestClient``.
public enum ActionType: String, CaseIterable, Sendable {
    /// Begins a login.
    case START_AUTHENTICATE
    /// Goes on with a login.
    case AUTHENTICATE
    /// Asks for an authorization code.
    case AUTHORIZE
    /// Exchanges a code for tokens.
    case EXCHANGE_TOKEN
    /// Renews tokens.
    case REFRESH_TOKEN
    /// Revokes a token.
    case REVOKE_TOKEN
    /// Ends a login.
    case LOGOUT
    /// Ends a session at the provider.
    case END_SESSION
    /// Asks about the user.
    case USER_INFO
    /// Resumes a login that was suspended.
    case RESUME_AUTHENTICATE
    /// Enrols this device for push.
    case PUSH_REGISTER
    /// Answers a push.
    case PUSH_AUTHENTICATE
    /// Tells the server a new device token.
    case PUSH_UPDATE
}
