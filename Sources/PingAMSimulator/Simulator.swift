public import Foundation
public import PushBridgeCore
public import PushBridgePlatform

/// A simulated PingAM push service in this process, which both APIs reach without a socket.
///
/// The async API takes it as its `PushTransport`. The legacy API, and anything else that uses `URLSession`, reaches
/// it through ``sessionConfiguration``, by the addresses that its registration codes name. Safe to use from any
/// thread. Everything it knows is in memory and ends with it.
public final class Simulator: PushTransport {
    /// Delivers a push to its device; called before the creator of the push gets its response.
    public typealias Delivery = @Sendable (PushDelivery) throws -> Void
    /// Is told every request to the push service, once it is handled, on the thread that handled it.
    public typealias Observation = @Sendable (JournalEntry) -> Void

    private let state: Lock<SimulatedService>
    private let now: @Sendable () -> Date
    private let delivery: Delivery
    private let observation: Observation
    private let gate = ResponseGate()
    private let address: SimulatorAddress

    /// Creates a service that knows no device.
    ///
    /// - Parameters:
    ///   - settings: How the service is set up; its base is replaced by an address of its own.
    ///   - now: The service's clock.
    ///   - deliver: Delivers each push.
    ///   - observe: Is told every request.
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

    /// Scheme, host, port and deployment path that registration codes name, such as `http://127.0.0.1:8080/am`.
    public var base: String { state.withValue(\.settings.base) }

    /// Every request to the push service, as far as the journal goes back.
    public var journal: [JournalEntry] { state.withValue(\.journal) }

    /// How many requests came, also those of which the journal no longer knows.
    @_spi(PushBridgeTools) public var requestCount: Int { state.withValue(\.requestCount) }

    /// The requests behind the first ones, as far as the journal goes back, and how many came until now.
    @_spi(PushBridgeTools) public func requests(after count: Int) -> (entries: [JournalEntry], count: Int) {
        state.withValue { service in
            (Array(service.journal.suffix(max(service.requestCount - count, 0))), service.requestCount)
        }
    }

    /// Reads or changes the service while no request is handled.
    ///
    /// - Parameter body: Gets the service; must not call the simulator.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withService<Value>(_ body: (inout SimulatedService) throws -> Value) rethrows -> Value {
        try state.withValue(body)
    }

    /// Makes a registration QR code.
    ///
    /// - Parameter order: Whom the code is for.
    /// - Returns: The code, which one device can use.
    /// - Throws: ``SimulatorError`` if the order is invalid, or the user has a device.
    public func createCode(_ order: RegistrationOrder) throws -> RegistrationCode {
        try state.withValue { service throws in try service.createCode(order, at: now()) }
    }

    /// Makes a registration QR code, of which only the push half counts.
    ///
    /// - Parameter order: Whom the code is for.
    /// - Returns: The push half of the code.
    /// - Throws: ``SimulatorError`` if the order is invalid, or the user has a device.
    public func createRegistration(_ order: RegistrationOrder) throws -> PushRegistration {
        try createCode(order).registration
    }

    /// Makes a registration QR code for one-time passwords alone.
    ///
    /// - Parameter order: Whom the code is for.
    /// - Returns: The code.
    /// - Throws: ``SimulatorError`` if the order is invalid, or the user has one-time passwords.
    public func createOneTimeCode(_ order: RegistrationOrder) throws -> OneTimeCode {
        try state.withValue { service throws in try service.createOneTimeCode(order) }
    }

    /// Makes a login push and delivers it.
    ///
    /// - Parameter order: Whom the push is for, and what it says.
    /// - Returns: The push, with the number that a login page would show.
    /// - Throws: ``SimulatorError`` if the order is invalid, and what the delivery throws.
    @discardableResult
    public func createPush(_ order: PushOrder) throws -> PushDelivery {
        let push = try state.withValue { service throws in try service.createPush(order, at: now()) }
        try delivery(push)
        return push
    }

    /// What became of a push; `nil` if none has this id.
    /// - Parameter messageId: The id of the push.
    /// - Returns: The state now, or `nil`.
    public func state(ofPush messageId: String) -> PushState? {
        state.withValue { $0.state(ofPush: messageId, at: now()) }
    }

    /// What the login page sees when it looks after a push, which uses up an answer; `nil` if none has this id.
    /// - Parameter messageId: The id of the push.
    /// - Returns: What the page sees, or `nil`.
    public func look(afterPush messageId: String) -> PushState? {
        state.withValue { $0.look(afterPush: messageId, at: now()) }
    }

    /// What the login page sees when it looks after a registration, which stores the device; `nil` if no code has this
    /// message id.
    /// - Parameter messageId: The message id of the code.
    /// - Returns: What the page sees, or `nil`.
    public func look(afterRegistration messageId: String) -> RegistrationState? {
        state.withValue { $0.look(afterRegistration: messageId, at: now()) }
    }

    /// Handles requests and keeps their responses back until ``releaseResponses()``, so that answers are on their
    /// way for as long as one likes.
    public func holdResponses() {
        gate.shut()
    }

    /// Sends the responses that were kept back.
    public func releaseResponses() {
        gate.open()
    }

    /// Handles a request, and waits as long as its fault or the gate lets it wait.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response; `nil` if the connection ends without one.
    /// - Throws: `CancellationError` if the task was cancelled.
    public func respond(to request: SimulatedRequest) async throws -> SimulatedResponse? {
        let (reply, entry) = state.withValue { $0.handleAndTell(request, at: now()) }
        observation(entry)
        if reply.delay > .zero { try await Task.sleep(for: reply.delay) }
        await gate.pass()
        return reply.response
    }

    /// Sends a request here, whatever host its address names.
    ///
    /// - Throws: `PushTransportError` if the address is invalid or no response came, and `CancellationError`.
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

/// Holds responses back while it is shut; requests are handled all the same.
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
