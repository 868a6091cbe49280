import FlyingFox
import FlyingSocks
import Foundation
public import PingAMSimulator
import PushBridgeCore

/// A simulated PingAM push service that listens on 127.0.0.1.
///
/// Refuses requests that name another host or come from another site's web page.
public final class SimulatorServer: Sendable {
    /// The service itself.
    public let simulator: Simulator
    /// Scheme, host, port and deployment path, such as `http://127.0.0.1:8080/am`.
    public let base: String
    /// The port.
    public let port: UInt16
    /// Where the owner creates registrations and pushes over HTTP: a random address; `nil` without such endpoints.
    public let control: String?

    private let server: HTTPServer
    private let running: Task<Void, any Error>

    /// Starts a server and returns once it listens.
    ///
    /// - Parameters:
    ///   - simulator: The service; its base becomes the server's address.
    ///   - port: The port; 0 takes any free one.
    ///   - offersControl: Whether the owner may create registrations and pushes over HTTP.
    ///   - forward: Sends on the pushes that the owner creates over HTTP; the outcome is in the response.
    /// - Returns: The server, which listens until ``stop()``.
    /// - Throws: ``SimulatorError`` if the port cannot be opened.
    public static func start(
        _ simulator: Simulator = Simulator(),
        port: UInt16 = 0,
        offersControl: Bool = false,
        forward: Forwarding? = nil
    ) async throws -> SimulatorServer {
        let control = offersControl ? ControlEndpoints(simulator: simulator, forward: forward) : nil
        let front = HTTPFront(simulator: simulator, control: control)
        let server = HTTPServer(
            address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port),
            timeout: 3600,
            logger: .disabled,
            handler: ClosureHTTPHandler { try await front.handle($0) }
        )
        let (events, event) = AsyncThrowingStream.makeStream(of: Void.self, throwing: (any Error).self)
        let running = Task {
            do {
                try await server.run()
                event.finish()
            } catch {
                event.finish(throwing: error)
                throw error
            }
        }
        let listening = Task {
            try await server.waitUntilListening()
            event.yield()
        }
        defer { listening.cancel() }
        try await Self.waitForStart(at: port, events: events)
        guard case .ip4(_, let port)? = await server.listeningAddress else {
            throw SimulatorError(code: .portUnavailable, reason: "The server stopped before it listened.")
        }
        return SimulatorServer(simulator, server, running, port: port, control: control)
    }

    /// Stops listening and closes every connection.
    public func stop() async {
        simulator.releaseResponses()
        await server.stop()
        running.cancel()
    }

    /// Waits until the server stops.
    ///
    /// - Throws: ``SimulatorError`` if it cannot go on, such as without file descriptors.
    public func waitUntilStopped() async throws {
        do {
            try await running.value
        } catch {
            throw SimulatorError(
                code: .portUnavailable,
                reason: "The server cannot go on listening: \(error)"
            )
        }
    }

    private init(
        _ simulator: Simulator,
        _ server: HTTPServer,
        _ running: Task<Void, any Error>,
        port: UInt16,
        control: ControlEndpoints?
    ) {
        self.simulator = simulator
        self.server = server
        self.running = running
        self.port = port
        let base = "http://127.0.0.1:\(port)/am"
        self.base = base
        self.control = control.map { "http://127.0.0.1:\(port)/\($0.prefix.joined(separator: "/"))" }
        simulator.withService { $0.settings.base = base }
    }

    /// Waits until the server listens or fails to.
    private static func waitForStart(
        at port: UInt16,
        events: AsyncThrowingStream<Void, any Error>
    ) async throws {
        do {
            for try await _ in events { break }
        } catch {
            let reason = "The port \(port) cannot be opened: it is in use, or needs other rights."
            throw SimulatorError(code: .portUnavailable, reason: reason)
        }
    }
}
