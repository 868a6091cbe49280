import FlyingFox
import FlyingSocks
public import Foundation
public import PushBridgeCore
import PushBridgePlatform

/// A simulated PingAM push service that listens on 127.0.0.1.
///
/// Safe to use from any thread. Everything it knows is in memory and ends with it.
public final class SimulatorServer: Sendable {
    /// Delivers a push to its device; called before the creator of the push gets its answer.
    public typealias Delivery = @Sendable (PushDelivery) throws -> Void

    /// Scheme, host, port and deployment path, such as `http://127.0.0.1:8080/am`.
    public let base: String
    /// The port.
    public let port: UInt16

    private let state: Lock<SimulatedService>
    private let server: HTTPServer
    private let running: Task<Void, Never>
    private let now: @Sendable () -> Date
    private let deliver: Delivery
    private let gate: ResponseGate

    /// Starts a server and returns once it listens; port 0 takes any free one.
    ///
    /// Throws ``SimulatorError`` if the port cannot be opened.
    public static func start(
        port: UInt16 = 0,
        settings: ServiceSettings = ServiceSettings(),
        now: @escaping @Sendable () -> Date = { Date() },
        deliver: @escaping Delivery = { _ in }
    ) async throws -> SimulatorServer {
        let state = Lock(SimulatedService(settings: settings))
        let shell = HTTPShell(state: state, now: now, deliver: deliver)
        let server = HTTPServer(
            address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port),
            timeout: 3600,
            logger: .disabled,
            handler: ClosureHTTPHandler { try await shell.handle($0) }
        )
        let (events, event) = AsyncThrowingStream.makeStream(of: Void.self, throwing: (any Error).self)
        let running = Task {
            do {
                try await server.run()
                event.finish()
            } catch {
                event.finish(throwing: error)
            }
        }
        let listening = Task {
            try await server.waitUntilListening()
            event.yield()
        }
        defer { listening.cancel() }
        let port = try await Self.port(of: server, events: events)
        let simulator = SimulatorServer(state, server, running, shell: shell, port: port)
        state.withValue { $0.settings.base = simulator.base }
        return simulator
    }

    /// Stops listening and closes every connection.
    public func stop() async {
        gate.open()
        await server.stop()
        running.cancel()
    }

    /// Handles requests and keeps their responses back until ``releaseResponses()``, so that answers are on their
    /// way for as long as one likes.
    public func holdResponses() {
        gate.shut()
    }

    /// Sends what was kept back.
    public func releaseResponses() {
        gate.open()
    }

    /// Waits until the server stops.
    public func waitUntilStopped() async {
        await running.value
    }

    /// Reads or changes the service while no request is handled.
    public func withService<Value>(_ body: (inout SimulatedService) throws -> Value) rethrows -> Value {
        try state.withValue(body)
    }

    /// Makes a registration QR code.
    public func createRegistration(_ order: RegistrationOrder) throws -> PushRegistration {
        try state.withValue { service throws in try service.createRegistration(order, at: now()) }
    }

    /// Makes a login push and delivers it; throws also what the delivery throws.
    @discardableResult
    public func createPush(_ order: PushOrder) throws -> PushDelivery {
        let push = try state.withValue { service throws in try service.createPush(order, at: now()) }
        try deliver(push)
        return push
    }

    /// What became of a push; `nil` if none has this id.
    public func state(ofPush messageId: String) -> PushState? {
        state.withValue { $0.state(ofPush: messageId, at: now()) }
    }

    /// Every request to the push service so far.
    public var journal: [JournalEntry] { state.withValue(\.journal) }

    private init(
        _ state: Lock<SimulatedService>,
        _ server: HTTPServer,
        _ running: Task<Void, Never>,
        shell: HTTPShell,
        port: UInt16
    ) {
        self.state = state
        self.server = server
        self.running = running
        self.port = port
        now = shell.now
        deliver = shell.deliver
        gate = shell.gate
        base = "http://127.0.0.1:\(port)/am"
    }

    /// Waits until the server listens or fails to.
    private static func port(
        of server: HTTPServer,
        events: AsyncThrowingStream<Void, any Error>
    ) async throws -> UInt16 {
        do {
            for try await _ in events { break }
        } catch {
            throw SimulatorError(code: .portUnavailable, reason: "The port cannot be opened: \(error)")
        }
        guard case .ip4(_, let port)? = await server.listeningAddress else {
            throw SimulatorError(code: .portUnavailable, reason: "The server stopped before it listened.")
        }
        return port
    }
}
