import FlyingFox
import FlyingSocks
import Foundation
@_spi(PushBridgeTools) import PingAMSimulator
import PushBridgeCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// Reads the head of each request, replaces it with a short head, and forwards the connection to the HTTP library.
///
/// This type avoids three faults of the HTTP library. The library waits for the end of a line without a time limit. If
/// a request has two `Host` lines, the library uses the last one. The time that the library needs for a line grows with
/// the square of the line's length. The handler gets the original head from ``RequestHeads``.
///
/// The HTTP library is FlyingFox, which needs no other package; SwiftNIO needs three, and is slow to build. So
/// SwiftNIO is used only by `pushbridge-apns`, which requires HTTP/2 and is not built by default.
///
/// Each connection transfers one request. After the response, this type reads and discards the client's bytes for up
/// to one second. Otherwise, a client that is still sending would not receive the response.
struct HeadGate: Sendable {
    /// The port on which this type accepts connections.
    let port: UInt16
    private let running: Task<Void, any Error>

    /// The maximum number of bytes that one call reads.
    private static let partLength = 1 << 14
    /// The errors of `accept` that mean that there are no free descriptors or buffers.
    private static let shortages: Set<Int32> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    /// Starts listening.
    /// - Parameters:
    ///   - address: The address and the port.
    ///   - server: The address of the HTTP library.
    ///   - heads: The store in which the handler finds the heads of requests.
    ///   - patience: The time within which the head of a request must arrive.
    ///   - connections: The limit for connections; `nil` means the limit of the process.
    /// - Returns: A `HeadGate`, which listens until ``stop()`` is called.
    /// - Throws: The system's error if the address does not belong to this machine, or the port cannot be opened.
    static func start(
        at address: ListenAddress,
        to server: sockaddr_un,
        heads: RequestHeads,
        patience: Duration,
        connections: ConnectionLimit? = nil
    ) async throws -> HeadGate {
        let listening = try address.socket()
        let pool = HTTPServer.defaultPool()
        try await pool.prepare()
        let connections = connections ?? ConnectionLimit.ofProcess
        let port: UInt16
        switch try listening.sockname() {
        case .ip4(_, let own), .ip6(_, let own): port = own
        default: port = address.port
        }
        let running = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.run() }
                group.addTask {
                    // Only this task closes the socket. If other code closed the socket while this task still
                    // uses it, the system could give the socket's number to another socket.
                    defer { close(listening) }
                    let socket = try AsyncSocket(socket: listening, pool: pool)
                    // Each connection has its own task, because a task group would keep the results of all
                    // connections. No connection outlives the pool.
                    while true {
                        let (client, number) = try await HeadGate.accept(from: socket, connections)
                        Task {
                            await HeadGate.serve(client, number, server, heads, connections, patience, pool)
                        }
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
        return HeadGate(port: port, running: running)
    }

    /// Begins to stop listening, and to close every connection.
    func cancel() { running.cancel() }

    /// Stops listening and closes every connection.
    func stop() async {
        running.cancel()
        _ = await running.result
    }

    /// Waits until the gate stops accepting connections.
    ///
    /// - Throws: The system's error if connections can no longer be accepted.
    func waitUntilStopped() async throws {
        try await running.value
    }

    // MARK: - A connection

    /// Waits for a client and for room for its connection.
    ///
    /// If there are no free descriptors, closes the oldest connection whose request is not complete, and tries again.
    /// - Returns: The client and the number of its connection.
    private static func accept(
        from socket: AsyncSocket,
        _ connections: ConnectionLimit
    ) async throws -> (AsyncSocket, UInt64) {
        while true {
            let client: AsyncSocket
            do {
                client = try await socket.accept()
            } catch SocketError.failed(_, let code, _) where shortages.contains(code) {
                await connections.closeOldest()
                try await Task.sleep(for: .milliseconds(100))
                continue
            }
            do {
                return (client, try await connections.admit(client.socket))
            } catch {
                close(client.socket)
                throw error
            }
        }
    }

    private static func serve(
        _ client: AsyncSocket,
        _ number: UInt64,
        _ address: sockaddr_un,
        _ heads: RequestHeads,
        _ connections: ConnectionLimit,
        _ patience: Duration,
        _ pool: some AsyncSocketPool
    ) async {
        await exchange(client, number, address, heads, connections, patience, pool)
        await heads.remove(number)
        // `connections` must not use the socket after the socket is closed.
        await connections.remove(number)
        close(client.socket)
    }

    private static func exchange(
        _ client: AsyncSocket,
        _ number: UInt64,
        _ address: sockaddr_un,
        _ heads: RequestHeads,
        _ connections: ConnectionLimit,
        _ patience: Duration,
        _ pool: some AsyncSocketPool
    ) async {
        do {
            let bytes: Data
            // The number of bytes of the body that have not arrived.
            let missing: Int
            switch try await Head(of: client, by: .now + patience, pool) {
            case .accepted(let request, let body):
                bytes = request.short(number) + body
                missing = (request.length ?? 0) - body.count
                await heads.keep(request, number)
            case .refused(let reason, let status): return try await refuse(client, reason, status)
            }
            if missing <= 0 { await connections.complete(number) }
            let server = try await AsyncSocket.connected(to: address, pool: pool)
            defer { close(server.socket) }
            try await server.write(bytes)
            try await withThrowingTaskGroup(of: Void.self) { group in
                let response = ResponseState()
                group.addTask {
                    var missing = missing
                    await copy(from: client, to: server) { count in
                        guard missing > 0 else { return }
                        missing -= count
                        if missing <= 0 { await connections.complete(number) }
                    }
                    // If the client has left before the end of the body, the HTTP library would wait for the rest. So
                    // `HeadGate` closes the sending direction; the library then closes its socket.
                    guard missing <= 0 else { return finish(server.socket) }
                    // A client may close its sending side and wait for the response. After the response has
                    // begun, the client gets one more second.
                    while await !response.hasBegun { try await Task.sleep(for: .milliseconds(100)) }
                    for _ in 0..<10 {
                        guard await !response.hasEnded else { return }
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    end(server.socket)
                }
                // The HTTP library closes its socket at the end of the response.
                await copyResponse(from: server, to: client, response)
                finish(client.socket)
                group.addTask { try await Task.sleep(for: .seconds(1)) }
                try await group.next()
                group.cancelAll()
            }
        } catch {
            // A client that has left, or that does not use HTTP, gets no response.
        }
    }

    /// Copies a response until the server ends it, or until the client no longer accepts bytes.
    private static func copyResponse(
        from server: AsyncSocket,
        to client: AsyncSocket,
        _ response: ResponseState
    ) async {
        do {
            while true {
                let bytes = try await server.part(atMost: partLength)
                await response.begin()
                try await client.write(Data(bytes))
            }
        } catch {
            // One of the two sides ended or failed.
        }
        await response.end()
    }

    /// Copies bytes until the source ends.
    ///
    /// If the target no longer accepts bytes, the bytes are discarded.
    /// - Parameters:
    ///   - source: The socket that sends the bytes.
    ///   - target: The socket that receives the bytes.
    ///   - note: Receives the number of bytes of each part.
    private static func copy(
        from source: AsyncSocket,
        to target: AsyncSocket,
        _ note: (Int) async -> Void = { _ in }
    ) async {
        var isTaken = true
        do {
            while true {
                let bytes = try await source.part(atMost: partLength)
                await note(bytes.count)
                guard isTaken else { continue }
                do {
                    try await target.write(Data(bytes))
                } catch is CancellationError {
                    return
                } catch {
                    isTaken = false
                }
            }
        } catch {
            // The source ended or failed.
        }
    }

    private static func refuse(_ client: AsyncSocket, _ reason: String, _ status: Int) async throws {
        let phrase = SimulatedResponse.phrase(of: status)
        let head =
            "HTTP/1.1 \(status) \(phrase)\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
        let length = "Content-Length: \(reason.utf8.count + 1)\r\n\r\n"
        try await client.write(Data("\(head)\(length)\(reason)\n".utf8))
        finish(client.socket)
        _ = try await firstOf({ await copy(from: client, to: client) }, within: .seconds(1))
    }

    /// Returns the result of `body`; `nil` if the time limit expires first.
    fileprivate static func firstOf<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value,
        within time: Duration
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: time)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// Closes both directions of a socket.
    static func end(_ socket: Socket) {
        _ = shutdown(socket.file.rawValue, Int32(SHUT_RDWR))
    }

    /// Closes the sending direction of a socket.
    private static func finish(_ socket: Socket) {
        _ = shutdown(socket.file.rawValue, Int32(SHUT_WR))
    }

    /// Shuts down a socket's connection or port, and closes the socket.
    ///
    /// Another process that this program starts at the same moment can inherit the socket. Without `shutdown`,
    /// the port would then stay open until that process ends.
    private static func close(_ socket: Socket) {
        end(socket)
        do {
            try socket.close()
        } catch {
            // The socket was already closed.
        }
    }
}

extension AsyncSocket {
    /// Reads the available bytes, even if the other side has closed the connection.
    ///
    /// In this case, `read` throws an error while bytes are left, so they are read directly from `socket`.
    fileprivate func part(atMost length: Int) async throws -> [UInt8] {
        do {
            return try await read(atMost: length)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return try socket.read(atMost: length)
        }
    }
}

/// Records the progress of a response.
private actor ResponseState {
    private(set) var hasBegun = false
    private(set) var hasEnded = false

    func begin() { hasBegun = true }
    func end() { hasEnded = true }
}

/// The result of validating the head of a request.
enum Head {
    /// The request is valid; the data is the part of its body that has been received.
    case accepted(RequestHead, Data)
    /// The request is rejected with this reason and this status.
    case refused(String, status: Int = 400)

    /// The maximum number of bytes in a head.
    private static let limit = 1 << 15

    /// Reads and validates a head.
    ///
    /// After the time limit, bytes that have already arrived are still read: the client is not late if only this
    /// process was busy.
    /// - Throws: The system's error if the client leaves before the head is complete.
    fileprivate init(
        of client: AsyncSocket,
        by limit: ContinuousClock.Instant,
        _ pool: some AsyncSocketPool
    ) async throws {
        var (bytes, lineStart, end): ([UInt8], Int, Int?) = ([], 0, nil)
        while end == nil, bytes.count <= Self.limit {
            do {
                bytes += try client.socket.read(atMost: 1 << 14)
            } catch SocketError.blocked {
                let rest = limit - .now
                guard rest > .zero else {
                    self = .refused("The head of the request did not arrive in time.", status: 408)
                    return
                }
                do {
                    _ = try await HeadGate.firstOf(
                        { try await pool.suspendSocket(client.socket, untilReadyFor: .read) },
                        within: rest
                    )
                } catch SocketError.disconnected {
                    // The client has closed its sending side. Bytes that arrived before can still be read.
                }
            }
            end = Self.end(of: bytes, from: &lineStart)
        }
        self.init(bytes, end: end)
    }

    /// Validates the bytes that were received.
    private init(_ bytes: [UInt8], end: Int?) {
        guard let end, end <= Self.limit else {
            self = .refused("The head of the request is longer than 32 KB.")
            return
        }
        var lines = bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        let names = lines.dropFirst().map { Self.name(of: $0) }
        let lengths = names.filter { $0 == "content-length" }.count
        guard names.filter({ $0 == "host" }).count < 2 else {
            self = .refused("The request names two hosts.")
            return
        }
        let isChunked = names.contains("transfer-encoding")
        guard lengths < 2, lengths == 0 || !isChunked else {
            self = .refused("The request states two lengths of its body.")
            return
        }
        guard !isChunked else {
            self = .refused("The request has no Content-Length header.", status: 411)
            return
        }
        guard let request = RequestHead(lines) else {
            self = .refused("The request is not an HTTP/1 request.")
            return
        }
        self = .accepted(request, Data(bytes[end...]))
    }

    /// Returns the end of the head.
    ///
    /// As in the HTTP library, the head ends after the first empty line that is not its first line.
    /// - Parameters:
    ///   - bytes: The received bytes.
    ///   - start: The start of the first line that has not been searched. The function sets it to the start of the
    ///     last, incomplete line.
    /// - Returns: The index after the head; `nil` if the head is incomplete.
    private static func end(of bytes: [UInt8], from start: inout Int) -> Int? {
        while let index = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[start..<index]
            if start > 0, line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]) { return index + 1 }
            start = index + 1
        }
        return nil
    }

    /// Returns the name of a header.
    ///
    /// As in the HTTP library, the name has no surrounding white space and no leading colons.
    private static func name(of line: String) -> String { spelledName(of: line).lowercased() }

    fileprivate static func spelledName(of line: String) -> String {
        let name = line.drop { $0 == ":" }.prefix { $0 != ":" }
        return name.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// The head of a request in the form that its client sent.
struct RequestHead: Sendable {
    private let method: String
    private let target: Substring
    private let version: Substring
    private let headers: [(name: String, value: String)]
    /// The value of `Content-Length`; `nil` if the request has no such header.
    fileprivate let length: Int?

    /// Parses the lines of a head.
    ///
    /// Returns `nil` if the first line or the length is invalid.
    fileprivate init?(_ lines: [String]) {
        let parts = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard parts.count == 3, parts[0].utf8.count <= 20 else { return nil }
        (method, target, version) = (String(parts[0]), parts[1], parts[2])
        headers = lines.dropFirst().compactMap { line in
            let field = line.drop { $0 == ":" }
            guard let colon = field.firstIndex(of: ":") else { return nil }
            let value = field[field.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
            return (Head.spelledName(of: line), value)
        }
        let lengths = headers.filter { $0.name.lowercased() == "content-length" }.map { Int($0.value) }
        guard lengths.allSatisfy({ $0 ?? -1 >= 0 }) else { return nil }
        length = lengths.first ?? nil
    }

    /// Returns the short head that replaces this head.
    fileprivate func short(_ number: UInt64) -> Data {
        let body = length.map { "Content-Length: \($0)\r\n" } ?? ""
        return Data("\(method) /\(number) HTTP/1.1\r\nConnection: close\r\n\(body)\r\n".utf8)
    }

    /// Returns the request that the client sent: this head, and the body of the request with the short head.
    func request(_ short: HTTPRequest) -> HTTPRequest {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        var fields = HTTPHeaders()
        for (name, value) in headers { fields[HTTPHeader(name)] = value }
        fields[.connection] = "close"
        return HTTPRequest(
            method: HTTPMethod(method),
            version: HTTPVersion(String(version)),
            target: HTTPRequest.Target(path: parts.first ?? "", query: parts.count > 1 ? parts[1] : ""),
            headers: fields,
            body: short.bodySequence,
            remoteAddress: short.remoteAddress
        )
    }
}

/// The original heads of the current requests, by the numbers of their connections.
actor RequestHeads {
    private var heads: [UInt64: RequestHead] = [:]

    fileprivate func keep(_ head: RequestHead, _ number: UInt64) { heads[number] = head }
    fileprivate func remove(_ number: UInt64) { heads[number] = nil }

    /// Returns the original request for a request with a short head; `nil` if the client has left.
    func request(_ short: HTTPRequest) -> HTTPRequest? {
        UInt64(short.path.dropFirst()).flatMap { heads[$0] }?.request(short)
    }
}
