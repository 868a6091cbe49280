public import PushBridgeCore

/// What a login push is to say.
public struct PushOrder: Equatable, Sendable {
    /// The mechanism that is to answer.
    public var mechanismUid: String
    /// What the user has to do.
    public var type: PushType
    /// The text that the device shows.
    public var message: String
    /// The numbers of a challenge, `34,43,57`; the first is the one that the login page shows.
    ///
    /// Three are drawn for a challenge that names none.
    public var numbers: String?
    /// The app's own payload, JSON text.
    public var customPayload: String?
    /// Where the login comes from, JSON text.
    public var contextInfo: String?
    /// How many seconds the login waits.
    public var timeToLive = 120

    /// Creates an order; everything optional is set afterwards.
    public init(mechanismUid: String, type: PushType = .default, message: String = "Login attempt") {
        self.mechanismUid = mechanismUid
        self.type = type
        self.message = message
    }
}
