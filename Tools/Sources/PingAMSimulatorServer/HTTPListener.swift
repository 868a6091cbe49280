import FlyingFox
import FlyingSocks
import Foundation
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
            return "The port \(port) cannot be opened: it is in use, or needs other rights."
        }
        guard port != 0 else {
            return "\(host) cannot be listened at: it is no address of this machine, or needs other rights."
        }
        return
            "The port \(port) of \(host) cannot be opened: it is in use, or needs other rights, or the address is "
            + "none of this machine."
    }

    func server(_ front: HTTPFront) throws -> HTTPServer {
        func server(_ address: some SocketAddress) -> HTTPServer {
            HTTPServer(
                address: address,
                timeout: 3600,
                logger: .disabled,
                handler: ClosureHTTPHandler { try await front.handle($0) }
            )
        }
        return isV6
            ? server(try sockaddr_in6.inet6(ip6: host, port: port))
            : server(try sockaddr_in.inet(ip4: host, port: port))
    }
}

/// An HTTP server at one address.
struct HTTPListener: Sendable {
    let port: UInt16
    private let server: HTTPServer
    private let running: Task<Void, any Error>

    /// Starts a server and returns once it listens.
    static func start(at address: ListenAddress, _ front: HTTPFront) async throws -> HTTPListener {
        let server = try address.server(front)
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

    func stop() async {
        await server.stop()
        running.cancel()
    }

    /// Waits until the server stops, which it does if the waiting task is cancelled.
    func waitUntilStopped() async throws {
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
