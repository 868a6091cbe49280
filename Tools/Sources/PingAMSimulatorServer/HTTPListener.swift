package import FlyingFox
import FlyingSocks
package import Foundation
import PingAMSimulator

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// An address of this machine, and the port to listen at.
public struct ListenAddress: Equatable, Sendable {
    /// The address, IPv4 or IPv6, without brackets.
    public let host: String
    /// The port; 0 takes any free one.
    public let port: UInt16
    private let isV6: Bool

    /// Reads `ADDRESS` or `ADDRESS:PORT`, where an IPv6 address before a port stands in brackets; `nil` for a name.
    public init?(_ text: String) {
        let isBracketed = text.hasPrefix("[")
        let colon = text.lastIndex(of: ":")
        // One colon at most, unless brackets or several say that it is IPv6.
        let isBare = !isBracketed && text.firstIndex(of: ":") != colon
        let end = isBare || isBracketed && text.hasSuffix("]") ? nil : colon
        let host = String(text[..<(end ?? text.endIndex)])
        let port = end.map { UInt16(text[text.index(after: $0)...]) } ?? 0
        let inner = isBracketed && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        guard let port, let isV6 = Self.isV6(inner), isV6 || !isBracketed else { return nil }
        (self.host, self.port, self.isV6) = (inner, port, isV6)
    }

    /// 127.0.0.1, where only programs of this machine reach it.
    public static func loopback(port: UInt16) -> ListenAddress {
        ListenAddress(host: "127.0.0.1", port: port, isV6: false)
    }

    private init(host: String, port: UInt16, isV6: Bool) {
        (self.host, self.port, self.isV6) = (host, port, isV6)
    }

    /// The same address with another port.
    package func at(port: UInt16) -> ListenAddress { ListenAddress(host: host, port: port, isV6: isV6) }

    /// The address as it stands in a URL.
    public var urlHost: String { isV6 ? "[\(host)]" : host }
    /// Whether it stands for every address of this machine.
    public var isEveryAddress: Bool { ["0.0.0.0", "::"].contains(host) }
    /// Whether only programs of this machine reach it.
    public var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// Whether a text is an IPv6 address, `nil` if it is no address at all.
    private static func isV6(_ text: String) -> Bool? {
        var bytes = in6_addr()
        if inet_pton(AF_INET, text, &bytes) == 1 { return false }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? true : nil
    }

    /// Why the address could not be listened at.
    fileprivate var refusal: String {
        guard !isLoopback else {
            return "The port \(port) cannot be opened: it is in use, or needs other permissions."
        }
        guard port != 0 else {
            return "\(host) cannot be listened on: it is not an address of this machine, or needs other "
                + "permissions."
        }
        return
            "The port \(port) of \(host) cannot be opened: it is in use, or needs other permissions, or the "
            + "address is not one of this machine."
    }

    fileprivate func server(
        _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) throws -> HTTPServer {
        func server(_ address: some SocketAddress) -> HTTPServer {
            HTTPServer(
                address: address,
                timeout: 3600,
                logger: .disabled,
                handler: ClosureHTTPHandler { try await handler($0) }
            )
        }
        return isV6
            ? server(try sockaddr_in6.inet6(ip6: host, port: port))
            : server(try sockaddr_in.inet(ip4: host, port: port))
    }
}

/// An HTTP server at one address.
package struct HTTPListener: Sendable {
    /// The port.
    package let port: UInt16
    private let server: HTTPServer
    private let running: Task<Void, any Error>

    /// Starts a server and returns once it listens.
    ///
    /// - Parameters:
    ///   - address: The address and the port.
    ///   - handler: Answers requests.
    /// - Returns: The server, which listens until ``stop()``.
    /// - Throws: ``SimulatorError`` if the address is none of this machine, or the port cannot be opened.
    package static func start(
        at address: ListenAddress,
        handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPListener {
        let server = try address.server(handler)
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
            throw SimulatorError(code: .portUnavailable, reason: address.refusal)
        }
        switch await server.listeningAddress {
        case .ip4(_, let port)?, .ip6(_, let port)?:
            return HTTPListener(port: port, server: server, running: running)
        default:
            throw SimulatorError(code: .portUnavailable, reason: "The server stopped before it listened.")
        }
    }

    /// Stops listening and closes every connection.
    package func stop() async {
        await server.stop()
        running.cancel()
    }

    /// Waits until the server stops, which it does if the waiting task is cancelled.
    ///
    /// - Throws: ``SimulatorError`` if it cannot go on, such as without file descriptors.
    package func waitUntilStopped() async throws {
        do {
            try await withTaskCancellationHandler {
                try await running.value
            } onCancel: {
                running.cancel()
            }
        } catch {
            throw SimulatorError(
                code: .portUnavailable,
                reason: "The server cannot go on listening: \(error)"
            )
        }
    }
}

extension HTTPRequest {
    /// Whether the request names one of the server's hosts, and comes from no web page of another site.
    ///
    /// A browser lets any page send requests to 127.0.0.1, and a page whose name resolves to it also read responses.
    package func isAddressed(to hosts: Set<String>) -> Bool {
        guard let host = headers[.host], Self.isHost(host, among: hosts) else { return false }
        guard let origin else { return true }
        let scheme = ["http://", "https://"].first(where: origin.hasPrefix)
        return scheme.map { Self.isHost(String(origin.dropFirst($0.count)), among: hosts) } ?? false
    }

    /// Where a web page comes from that sends the request; `nil` if it is none, or one that only asks for itself.
    package var origin: String? { headers[HTTPHeader("Origin")] }

    /// Whether a host, with or without a port, is one of these.
    private static func isHost(_ authority: String, among hosts: Set<String>) -> Bool {
        let end = authority.lastIndex(of: ":").flatMap { colon in
            authority[colon...].dropFirst().allSatisfy(\.isNumber) ? colon : nil
        }
        let name = authority[..<(end ?? authority.endIndex)].lowercased()
        return hosts.contains { $0.lowercased() == name }
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
