package import FlyingFox
import FlyingSocks
package import Foundation
import PingAMSimulator

/// A server for HTTP on one address of this machine.
package final class HTTPListener: Sendable {
    /// The port.
    package let port: UInt16

    private let server: HTTPServer
    private let running: Task<Void, any Error>

    /// Starts a server and returns once it listens.
    ///
    /// - Parameters:
    ///   - address: The address, as digits.
    ///   - port: The port; 0 takes any free one.
    ///   - handler: Answers requests.
    /// - Returns: The server, which listens until ``stop()``.
    /// - Throws: ``SimulatorError`` if the address is none of this machine, or the port cannot be opened.
    package static func start(
        on address: String = "127.0.0.1",
        port: UInt16,
        handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPListener {
        let server = HTTPServer(
            address: try sockaddr_in.inet(ip4: address, port: port),
            timeout: 3600,
            logger: .disabled,
            handler: ClosureHTTPHandler { try await handler($0) }
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
        do {
            for try await _ in events { break }
        } catch {
            let reason =
                "The port \(port) cannot be opened: it is in use, or needs other rights, or \(address) is not of this machine."
            throw SimulatorError(
                code: .portUnavailable,
                reason: address == "127.0.0.1"
                    ? "The port \(port) cannot be opened: it is in use, or needs other rights." : reason
            )
        }
        guard case .ip4(_, let port)? = await server.listeningAddress else {
            throw SimulatorError(code: .portUnavailable, reason: "The server stopped before it listened.")
        }
        return HTTPListener(server, running, port: port)
    }

    private init(_ server: HTTPServer, _ running: Task<Void, any Error>, port: UInt16) {
        self.server = server
        self.running = running
        self.port = port
    }

    /// Stops listening and closes every connection.
    package func stop() async {
        await server.stop()
        running.cancel()
    }

    /// Waits until the server stops.
    ///
    /// - Throws: ``SimulatorError`` if it cannot go on, such as without file descriptors.
    package func waitUntilStopped() async throws {
        do {
            try await running.value
        } catch {
            throw SimulatorError(
                code: .portUnavailable,
                reason: "The server cannot go on listening: \(error)"
            )
        }
    }
}

extension HTTPRequest {
    /// Whether the request names one of these hosts, and comes from no web page of another one.
    ///
    /// A browser lets any page send requests to this machine, and a page whose name resolves to it also read responses.
    package func isAddressed(to hosts: Set<String>) -> Bool {
        guard let host = headers[.host], Self.host(of: host).map(hosts.contains) == true else { return false }
        guard let origin else { return true }
        return origin.hasPrefix("http://")
            && Self.host(of: String(origin.dropFirst("http://".count))).map(hosts.contains) == true
    }

    /// Where a web page comes from that sends the request; `nil` if it is none, or one that only asks for itself.
    package var origin: String? { headers[HTTPHeader("Origin")] }

    private static func host(of authority: String) -> String? {
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, parts.count <= 2 else { return nil }
        return host.lowercased()
    }

    /// The body; `nil` if it is larger.
    package func body(upTo limit: Int) async throws -> Data? {
        guard bodySequence.count ?? 0 <= limit else { return nil }
        var body = Data()
        for try await part in bodySequence {
            body.append(part)
            guard body.count <= limit else { return nil }
        }
        return body
    }
}
