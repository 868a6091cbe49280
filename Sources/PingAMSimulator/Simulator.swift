public import Foundation
public import PushBridgeCore
public import PushBridgePlatform

/// A simulated PingAM push service in this process.
///
/// Both APIs communicate with the simulator without a socket.
///
/// The async API uses the simulator as its `PushTransport`. The legacy API, and any other code with a
/// `URLSession`, uses ``sessionConfiguration``. Sessions with this configuration pass requests for the
/// simulator's address to the simulator. Registration URIs contain this address.
///
/// The simulator can be used from any thread. All state is in memory.
public final class Simulator: PushTransport {
    /// Delivers a push to its device.
    ///
    /// The closure is called before the method that creates the push returns.
    public typealias Delivery = @Sendable (PushDelivery) throws -> Void
    /// Receives every request to the push service after the request has been handled and before its response is sent.
    ///
    /// The closure is called on the thread that handled the request.
    public typealias Observation = @Sendable (JournalEntry) -> Void

    private let state: Lock<SimulatedService>
    private let now: @Sendable () -> Date
    private let delivery: Delivery
    private let observation: Observation
    private let gate = ResponseGate()
    private let address: SimulatorAddress

    /// Creates a service without devices.
    ///
    /// - Parameters:
    ///   - settings: The settings of the service. A unique address replaces the base address in the settings.
    ///   - now: The service's clock.
    ///   - deliver: Delivers each push.
    ///   - observe: Receives every request.
    public init(
        settings: ServiceSettings = ServiceSettings(),
        now: @escaping @Sendable () -> Date = { Date() },
        deliver: @escaping Delivery = { _ in },
        observe: @escaping Observation = { _ in }
    ) {
        address = SimulatorAddress()
        var settings = settings
        settings.base = address.base
        state = Lock(SimulatedService(settings: settings))
        self.now = now
        delivery = deliver
        observation = observe
        address.lead(to: self)
    }

    /// The scheme, host, port and deployment path in registration URIs, such as `https://ID.simulator.invalid/am`.
    public var base: String { state.withValue(\.settings.base) }

    /// The requests to the push service that are still in the journal.
    public var journal: [JournalEntry] { state.withValue(\.journal) }

    /// The number of requests, including those that the journal no longer contains.
    @_spi(PushBridgeTools) public var requestCount: Int { state.withValue(\.requestCount) }

    /// Returns the requests after the first `count` requests, and the number of all requests.
    ///
    /// The result lacks requests that are no longer in the journal.
    @_spi(PushBridgeTools) public func requests(after count: Int) -> (entries: [JournalEntry], count: Int) {
        state.withValue { service in
            (Array(service.journal.suffix(max(service.requestCount - count, 0))), service.requestCount)
        }
    }

    /// Reads or changes the service.
    ///
    /// No request is handled during the call.
    ///
    /// - Parameter body: Receives the service. The closure must not call the simulator.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`.
    public func withService<Value>(_ body: (inout SimulatedService) throws -> Value) rethrows -> Value {
        try state.withValue(body)
    }

    /// Creates a registration QR code.
    ///
    /// - Parameter order: The account and the options of the code.
    /// - Returns: The code, which one device can use.
    /// - Throws: The errors of ``SimulatedService/createCode(_:at:)``.
    public func createCode(_ order: RegistrationOrder) throws -> RegistrationCode {
        try state.withValue { service throws in try service.createCode(order, at: now()) }
    }

    /// Creates a registration QR code and returns the part of the code that is for push.
    ///
    /// - Parameter order: The account and the options of the code.
    /// - Returns: The part of the code that is for push.
    /// - Throws: The errors of ``SimulatedService/createCode(_:at:)``.
    public func createRegistration(_ order: RegistrationOrder) throws -> PushRegistration {
        try createCode(order).registration
    }

    /// Creates a registration QR code that enrols only one-time passwords.
    ///
    /// - Parameter order: The account and the options of the code.
    /// - Returns: The code.
    /// - Throws: The errors of ``SimulatedService/createOneTimeCode(_:)``.
    public func createOneTimeCode(_ order: RegistrationOrder) throws -> OneTimeCode {
        try state.withValue { service throws in try service.createOneTimeCode(order) }
    }

    /// Creates a login push and delivers it.
    ///
    /// - Parameter order: The recipient and the content of the push.
    /// - Returns: The push, with the number that a login page would show.
    /// - Throws: The errors of ``SimulatedService/createPush(_:at:)`` and of the delivery.
    @discardableResult
    public func createPush(_ order: PushOrder) throws -> PushDelivery {
        let push = try state.withValue { service throws in try service.createPush(order, at: now()) }
        try delivery(push)
        return push
    }

    /// Returns the state of a push; `nil` if no push has this id.
    /// - Parameter messageId: The id of the push.
    /// - Returns: The current state; `nil` if no push has this id.
    public func state(ofPush messageId: String) -> PushState? {
        state.withValue { $0.state(ofPush: messageId, at: now()) }
    }

    /// Polls the state of a push, as a login page does.
    ///
    /// If an answer has arrived, the poll consumes the answer.
    /// - Parameter messageId: The id of the push.
    /// - Returns: The state; `nil` if no message has this id.
    public func look(afterPush messageId: String) -> PushState? {
        state.withValue { $0.look(afterPush: messageId, at: now()) }
    }

    /// Polls the state of a registration, as a registration page does.
    ///
    /// If the device has answered with all required data, and the registration has not expired, the poll stores the
    /// device.
    /// - Parameter messageId: The message id of the code.
    /// - Returns: The state; `nil` if no message has this id.
    public func look(afterRegistration messageId: String) -> RegistrationState? {
        state.withValue { $0.look(afterRegistration: messageId, at: now()) }
    }

    /// Holds all responses until ``releaseResponses()`` is called.
    ///
    /// Requests are still handled. A test can use this method to keep requests in progress.
    public func holdResponses() {
        gate.shut()
    }

    /// Sends the held responses.
    public func releaseResponses() {
        gate.open()
    }

    /// Handles a request and returns its response.
    ///
    /// If a fault delays the response, or if responses are held, the method waits.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response; `nil` if the connection ends without a response.
    /// - Throws: `CancellationError` if the task is cancelled while a fault delays the response.
    public func respond(to request: SimulatedRequest) async throws -> SimulatedResponse? {
        let (reply, entry) = state.withValue { $0.handleAndRecord(request, at: now()) }
        observation(entry)
        if reply.delay > .zero { try await Task.sleep(for: reply.delay) }
        await gate.pass()
        return reply.response
    }

    /// Sends a request to this service, regardless of the host in the request's address.
    ///
    /// - Throws: `PushTransportError` if the address is invalid or there was no response, and `CancellationError`.
    public func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        guard let url = URL(string: request.url) else { throw PushTransportError.invalidAddress }
        let headers = request.headers.map { ($0.name, $0.value) }
        let arrived = SimulatedRequest(
            request.method,
            url: url,
            headers: Dictionary(headers) { _, last in last },
            body: request.body
        )
        guard let response = try await respond(to: arrived) else { throw PushTransportError.connectionFailed }
        return PushResponse(status: response.status, body: response.body)
    }
}

/// Holds responses while the gate is closed.
///
/// Requests are still handled.
private final class ResponseGate: Sendable {
    private struct State {
        var isShut = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    func shut() {
        state.withValue { $0.isShut = true }
    }

    func open() {
        let waiting = state.withValue { state in
            defer { state = State() }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withValue { state in
                if state.isShut { state.waiting.append(continuation) }
                return !state.isShut
            }
            if isOpen { continuation.resume() }
        }
    }
}
