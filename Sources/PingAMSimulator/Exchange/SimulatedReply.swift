/// What the server does about a request.
public struct SimulatedReply: Equatable, Sendable {
    /// The response, or `nil` to close the connection without one.
    public var response: SimulatedResponse?
    /// How long to wait before.
    public var delay: Duration
    /// The push to deliver before responding.
    public var delivery: PushDelivery?

    init(_ response: SimulatedResponse?, delay: Duration = .zero, delivery: PushDelivery? = nil) {
        self.response = response
        self.delay = delay
        self.delivery = delivery
    }
}
