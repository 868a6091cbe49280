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

/// An address of this machine, and the port on which a server listens.
public struct ListenAddress: Equatable, Sendable {
    /// The IPv4 or IPv6 address, without brackets.
    public let host: String
    /// The port; 0 selects any free port.
    public let port: UInt16
    private let isV6: Bool

    /// Parses `ADDRESS` or `ADDRESS:PORT`.
    ///
    /// An IPv6 address that is followed by a port must be in brackets. Parsing fails if the text contains a
    /// host name instead of an address.
    public init?(_ text: String) {
        let isBracketed = text.hasPrefix("[")
        let colon = text.lastIndex(of: ":")
        // A string with several colons and without brackets is an IPv6 address without a port.
        let isBare = !isBracketed && text.firstIndex(of: ":") != colon
        let end = isBare || isBracketed && text.hasSuffix("]") ? nil : colon
        let host = String(text[..<(end ?? text.endIndex)])
        let port = end.map { UInt16(text[text.index(after: $0)...]) } ?? 0
        let inner = isBracketed && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        guard let port, let isV6 = Self.isV6(inner), isV6 || !isBracketed else { return nil }
        (self.host, self.port, self.isV6) = (inner, port, isV6)
    }

    /// Returns 127.0.0.1 with a port; only programs on this machine can reach this address.
    public static func loopback(port: UInt16) -> ListenAddress {
        ListenAddress(host: "127.0.0.1", port: port, isV6: false)
    }

    private init(host: String, port: UInt16, isV6: Bool) {
        (self.host, self.port, self.isV6) = (host, port, isV6)
    }

    /// Returns the same address with another port.
    package func at(port: UInt16) -> ListenAddress { ListenAddress(host: host, port: port, isV6: isV6) }

    /// The address in the form that URLs require.
    public var urlHost: String { isV6 ? "[\(host)]" : host }
    /// Whether the address represents all addresses of this machine.
    public var isEveryAddress: Bool { ["0.0.0.0", "::"].contains(host) }
    /// Whether only programs on this machine can reach the address.
    public var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// Returns whether an address is an IPv6 address; `nil` if the text is not an address.
    private static func isV6(_ text: String) -> Bool? {
        var bytes = in6_addr()
        if inet_pton(AF_INET, text, &bytes) == 1 { return false }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? true : nil
    }

    /// The sentence that explains why the server cannot listen on the address.
    fileprivate var refusal: String {
        guard !isLoopback else {
            return
                "The port \(port) cannot be opened: it is in use, or you do not have permission to open it."
        }
        guard port != 0 else {
            return "The server cannot listen on \(host): it is not an address of this machine, or "
                + "you do not have permission to use it."
        }
        return
            "The port \(port) of \(host) cannot be opened: it is in use, you do not have permission to "
            + "open it, or \(host) is not an address of this machine."
    }

    /// Returns a socket that listens on the address.
    func socket() throws -> Socket {
        isV6
            ? try Self.socket(sockaddr_in6.inet6(ip6: host, port: port))
            : try Self.socket(sockaddr_in.inet(ip4: host, port: port))
    }

    private static func socket<Address: SocketAddress>(_ address: Address) throws -> Socket {
        let socket = try Socket(domain: Int32(Address.family))
        do {
            try socket.setValue(true, for: .localAddressReuse)
            #if canImport(Darwin)
            try socket.setValue(true, for: .noSIGPIPE)
            #endif
            try socket.bind(to: address)
            try socket.listen()
            return socket
        } catch {
            try socket.close()
            throw error
        }
    }
}

/// An HTTP server at one address.
package struct HTTPListener: Sendable {
    /// The port on which the server listens.
    package let port: UInt16
    private let inner: InnerAddress
    private let gate: HeadGate
    private let server: HTTPServer
    private let running: Task<Void, any Error>

    /// Starts a server, and returns when the server listens.
    ///
    /// - Parameters:
    ///   - address: The address and the port.
    ///   - patience: The time within which the head of a request must arrive.
    ///   - connections: The limit for connections; `nil` means the limit of the process.
    ///   - handler: Responds to requests. Each request has a separate connection.
    /// - Returns: The server, which listens until ``stop()`` is called.
    /// - Throws: ``SimulatorError`` if the address does not belong to this machine, or the port cannot be opened.
    package static func start(
        at address: ListenAddress,
        patience: Duration = .seconds(30),
        connections: ConnectionLimit? = nil,
        handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPListener {
        let (inner, heads) = (InnerAddress(), RequestHeads())
        let server = HTTPServer(
            address: inner.address,
            timeout: 3600,
            logger: .disabled,
            handler: ClosureHTTPHandler { short in
                guard let request = await heads.request(short) else { throw CancellationError() }
                var response = try await handler(request)
                if response.headers[.connection] == nil { response.headers[.connection] = "close" }
                return response
            }
        )
        let running = Task { try await server.run() }
        do {
            try await server.waitUntilListening(timeout: 30)
            let gate = try await HeadGate.start(
                at: address,
                to: inner.address,
                heads: heads,
                patience: patience,
                connections: connections
            )
            return HTTPListener(port: gate.port, inner: inner, gate: gate, server: server, running: running)
        } catch {
            await server.stop()
            throw SimulatorError(code: .portUnavailable, reason: address.refusal)
        }
    }

    /// Stops listening and closes every connection.
    package func stop() async {
        await gate.stop()
        await server.stop()
        running.cancel()
        inner.remove()
    }

    /// Waits until the server stops; cancelling the waiting task stops the server.
    ///
    /// - Throws: ``SimulatorError`` if the server cannot continue, for example because there are no free file
    ///   descriptors.
    package func waitUntilStopped() async throws {
        do {
            try await withTaskCancellationHandler {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await running.value }
                    group.addTask { try await gate.waitUntilStopped() }
                    // When one of the two tasks ends, the other task is no longer needed.
                    defer {
                        gate.cancel()
                        running.cancel()
                    }
                    try await group.next()
                }
            } onCancel: {
                gate.cancel()
                running.cancel()
            }
        } catch {
            throw SimulatorError(
                code: .portUnavailable,
                reason: "The server cannot continue to listen: \(error)"
            )
        }
    }
}

/// The Unix domain socket on which the HTTP library listens, and to which ``HeadGate`` forwards connections.
///
/// Other machines cannot reach the socket.
private struct InnerAddress {
    let address: sockaddr_un

    init() {
        let name = "pushbridge-\(UUID().uuidString.prefix(18))"
        #if os(Linux)
        // An abstract name has no file, so nothing has to be removed.
        address = .unix(abstractNamespace: name)
        #else
        address = .unix(path: FileManager.default.temporaryDirectory.appendingPathComponent(name).path)
        #endif
    }

    /// Removes the socket's file if the socket has a file.
    func remove() {
        #if !os(Linux)
        do {
            try Socket.unlink(address)
        } catch {
            // If the file was never created, nothing has to be removed.
        }
        #endif
    }
}

extension HTTPRequest {
    /// Returns whether the request names one of the server's hosts and does not originate from another site's web
    /// page.
    ///
    /// The check is necessary because browsers let every page send requests to 127.0.0.1. A page whose host
    /// name resolves to 127.0.0.1 could also read the responses.
    package func isAddressed(to hosts: Set<String>) -> Bool {
        guard let host = headers[.host], Self.isHost(host, among: hosts) else { return false }
        guard let origin else { return true }
        let scheme = ["http://", "https://"].first(where: origin.hasPrefix)
        return scheme.map { Self.isHost(String(origin.dropFirst($0.count)), among: hosts) } ?? false
    }

    /// The origin of the web page that sends the request.
    ///
    /// The value is `nil` if the request has no `Origin` header: browsers omit the header when a page loads
    /// data from its own site, and other clients do not send it.
    package var origin: String? { headers[HTTPHeader("Origin")] }

    /// Returns whether a host is one of the given hosts.
    ///
    /// The host may be followed by a port.
    private static func isHost(_ authority: String, among hosts: Set<String>) -> Bool {
        let end = authority.lastIndex(of: ":").flatMap { colon in
            authority[colon...].dropFirst().allSatisfy(\.isNumber) ? colon : nil
        }
        let name = authority[..<(end ?? authority.endIndex)].lowercased()
        return hosts.contains { $0.lowercased() == name }
    }

    /// Returns the body; `nil` if the body exceeds the limit.
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
