public import PingAMSimulator

/// A simulated PingAM push service that listens on an address of this machine.
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

    private let listener: HTTPListener

    /// Starts a server and returns once it listens.
    ///
    /// - Parameters:
    ///   - simulator: The service; its base becomes the server's address.
    ///   - address: The address of this machine to listen on; any other than the usual one lets other machines ask.
    ///   - port: The port; 0 takes any free one.
    ///   - offersControl: Whether the owner may create registrations and pushes over HTTP.
    ///   - forward: Sends on the pushes that the owner creates over HTTP; the outcome is in the response.
    /// - Returns: The server, which listens until ``stop()``.
    /// - Throws: ``SimulatorError`` if the port cannot be opened.
    public static func start(
        _ simulator: Simulator = Simulator(),
        on address: String = "127.0.0.1",
        port: UInt16 = 0,
        offersControl: Bool = false,
        forward: Forwarding? = nil
    ) async throws -> SimulatorServer {
        let control = offersControl ? ControlEndpoints(simulator: simulator, forward: forward) : nil
        let front = HTTPFront(
            hosts: address == "127.0.0.1" ? [address, "localhost"] : [address],
            simulator: simulator,
            control: control
        )
        let listener = try await HTTPListener.start(on: address, port: port, handler: front.handle)
        return SimulatorServer(simulator, listener, address: address, control: control)
    }

    /// Stops listening and closes every connection.
    public func stop() async {
        simulator.releaseResponses()
        await listener.stop()
    }

    /// Waits until the server stops.
    ///
    /// - Throws: ``SimulatorError`` if it cannot go on, such as without file descriptors.
    public func waitUntilStopped() async throws {
        try await listener.waitUntilStopped()
    }

    private init(
        _ simulator: Simulator,
        _ listener: HTTPListener,
        address: String,
        control: ControlEndpoints?
    ) {
        self.simulator = simulator
        self.listener = listener
        port = listener.port
        let origin = "http://\(address):\(port)"
        let base = "\(origin)/am"
        self.base = base
        self.control = control.map { "\(origin)/\($0.prefix.joined(separator: "/"))" }
        simulator.withService { $0.settings.base = base }
    }
}
