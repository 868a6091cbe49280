// An app's own module with names that PushBridge's modules also declare.

/// A request of the app's own module.
public struct Request {
    /// The path.
    public var path = "/"

    /// Creates a request.
    public init() {}
}

/// A response of the app's own module.
public struct Response {
    /// Creates a response.
    public init() {}
}

/// An action of the app's own module.
public struct Action {
    /// Creates an action.
    public init() {}
}

/// A level of the app's own module.
public enum LogLevel {
    /// For debugging.
    case debug
}

/// An error of the app's own module.
public enum NetworkError: Error {
    /// There is no network.
    case offline
}

/// A client of the app's own module.
public struct RestClient {
    /// Creates a client.
    public init() {}
}

/// A key of the app's own module.
public struct SecuredKey {
    /// Creates a key.
    public init() {}
}

/// An error of the app's own module.
public enum StoreError: Error {
    /// The shop is closed.
    case closed
}

/// A protocol of the app's own module.
public protocol CredentialStore {}

/// A result of the app's own module.
public enum RemovalOutcome {
    /// Nothing was removed.
    case kept
}

/// A push action of the app's own module.
public enum PushAction {
    /// Opens the app.
    case open
}

/// A state of the app's own module.
public enum DeviceTokenState {
    /// The token is known.
    case known
}
