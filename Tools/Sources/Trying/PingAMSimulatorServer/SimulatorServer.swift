public import Foundation
public import PingAMSimulator

/// A simulated PingAM push service.
///
/// The server listens on 127.0.0.1 and, on request, on other addresses.
///
/// The server rejects requests that name another host, and requests that originate from another site's web
/// page.
public final class SimulatorServer: Sendable {
    /// The service itself.
    public let simulator: Simulator
    /// The port on 127.0.0.1.
    public let port: UInt16

    private let controlEndpoints: ControlEndpoints?
    private let first: HTTPListener
    private let additions: ServerAdditions

    /// Starts a server on 127.0.0.1, and returns when the server listens.
    ///
    /// - Parameters:
    ///   - simulator: The service. Its base is set to the server's address.
    ///   - port: The port; 0 selects any free port.
    ///   - offersControl: Whether the owner may create registrations and pushes over HTTP.
    ///   - token: The access token of the owner's endpoints. If it is `nil`, a token is generated.
    ///   - forward: Forwards the pushes that the owner creates over HTTP. The response to the owner contains
    ///     the result.
    /// - Returns: The server, which listens until ``stop()`` is called.
    /// - Throws: ``SimulatorError`` if the port cannot be opened.
    public static func start(
        _ simulator: Simulator = Simulator(),
        port: UInt16 = 0,
        offersControl: Bool = false,
        token: String? = nil,
        forward: Forwarding? = nil
    ) async throws -> SimulatorServer {
        let additions = ServerAdditions()
        let control =
            offersControl ? ControlEndpoints(simulator, additions, token: token, forward: forward) : nil
        let front = HTTPFront(simulator: simulator, control: control)
        let listener = try await HTTPListener.start(at: .loopback(port: port), handler: front.handle)
        return SimulatorServer(simulator, listener, additions, control)
    }

    private init(
        _ simulator: Simulator,
        _ first: HTTPListener,
        _ additions: ServerAdditions,
        _ control: ControlEndpoints?
    ) {
        self.simulator = simulator
        self.first = first
        self.additions = additions
        port = first.port
        controlEndpoints = control
        base = "http://127.0.0.1:\(port)/am"
    }

    /// Listens on an additional address, and accepts requests there if they name one of the given hosts.
    ///
    /// - Parameters:
    ///   - address: The address and the port.
    ///   - hosts: The allowed names and addresses in a request's `Host`, besides the host of ``base``.
    /// - Returns: The port.
    /// - Throws: ``SimulatorError`` if the port cannot be opened.
    public func listen(at address: ListenAddress, hosts: Set<String>) async throws -> UInt16 {
        let listener = try await HTTPListener.start(
            at: address,
            handler: HTTPFront(simulator: simulator, control: controlEndpoints, hosts: hosts).handle
        )
        await additions.add(listener)
        return listener.port
    }

    /// The scheme, host, port and deployment path, such as `http://127.0.0.1:8080/am`.
    ///
    /// Registration URIs contain this base.
    public var base: String {
        get { simulator.base }
        set { simulator.withService { $0.settings.base = newValue } }
    }

    /// The URL of the owner's endpoints, with the host of ``base``; `nil` if the server has no such
    /// endpoints.
    ///
    /// The last part of the URL is the access token. Instead of the URL, a header can contain the token:
    /// `Authorization: Bearer TOKEN`.
    public var control: String? {
        let origin = URLComponents(string: base).map {
            "\($0.scheme ?? "http")://\($0.percentEncodedAuthority)"
        }
        return origin.flatMap(control(at:))
    }

    /// The URL of the owner's endpoints, with the host 127.0.0.1; `nil` if the server has no such endpoints.
    public var localControl: String? { control(at: "http://127.0.0.1:\(port)") }

    private func control(at origin: String) -> String? {
        controlEndpoints.map { "\(origin)/control/\($0.token)" }
    }

    /// Serves a configuration profile that makes iPhones trust the server's certificate.
    ///
    /// Requests for the profile must contain the access token.
    public func offer(profile: Data) async {
        await additions.offer(profile)
    }

    /// Stops listening and closes every connection.
    public func stop() async {
        simulator.releaseResponses()
        for listener in [first] + (await additions.listeners) { await listener.stop() }
    }

    /// Waits until the server stops; cancelling the waiting task stops the server.
    ///
    /// - Throws: ``SimulatorError`` if the server cannot continue, for example because there are no free file
    ///   descriptors.
    public func waitUntilStopped() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for listener in [first] + (await additions.listeners) {
                group.addTask { try await listener.waitUntilStopped() }
            }
            try await group.waitForAll()
        }
    }
}

/// The listeners and the configuration profile that were added after a server started.
actor ServerAdditions {
    private(set) var listeners: [HTTPListener] = []
    private(set) var profile: Data?

    func add(_ listener: HTTPListener) { listeners.append(listener) }

    func offer(_ profile: Data) { self.profile = profile }
}

extension URLComponents {
    /// Host and port, percent-encoded.
    fileprivate var percentEncodedAuthority: String {
        "\(percentEncodedHost ?? "")\(port.map { ":\($0)" } ?? "")"
    }
}
