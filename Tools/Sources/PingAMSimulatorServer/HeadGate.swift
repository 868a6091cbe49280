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

/// Listens, and hands a connection on to the HTTP library once the head of its request has come, is short and
/// names one host: the library would wait for the end of a line for ever, and keep the last of two `Host` lines.
///
/// A connection is one request. What comes after it is read and thrown away for a second, so that a client that
/// still sends gets the response.
struct HeadGate: Sendable {
    /// The port.
    let port: UInt16
    private let listening: Socket
    private let running: Task<Void, any Error>

    /// What a client may send until the request is handed on.
    private enum Limit {
        /// How long a head may take to come.
        static let patience: Duration = .seconds(30)
        /// How many bytes are read together.
        static let part = 1 << 14
    }

    /// Starts to listen.
    /// - Parameters:
    ///   - address: The address and the port.
    ///   - server: Where the HTTP library listens.
    /// - Returns: The gate, which listens until ``stop()``.
    /// - Throws: What the system says if the address is none of this machine, or the port cannot be opened.
    static func start(at address: ListenAddress, to server: sockaddr_un) async throws -> HeadGate {
        let listening = try address.socket()
        let pool = HTTPServer.defaultPool()
        try await pool.prepare()
        let port: UInt16
        switch try listening.sockname() {
        case .ip4(_, let own), .ip6(_, let own): port = own
        default: port = address.port
        }
        let running = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.run() }
                group.addTask {
                    let socket = try AsyncSocket(socket: listening, pool: pool)
                    // A connection ends with the pool; a group would keep what became of each.
                    while true {
                        let client = try await socket.accept()
                        Task { await HeadGate.serve(client, server, pool) }
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
        return HeadGate(port: port, listening: listening, running: running)
    }

    /// Stops listening and closes every connection.
    func stop() {
        running.cancel()
        Self.close(listening)
    }

    /// Waits until it stops.
    ///
    /// - Throws: What the system says if it cannot go on, such as without file descriptors.
    func waitUntilStopped() async throws {
        try await running.value
    }

    // MARK: - A connection

    private static func serve(_ client: AsyncSocket, _ address: sockaddr_un, _ pool: some AsyncSocketPool)
        async
    {
        defer { close(client.socket) }
        do {
            guard let head = try await firstOf({ try await Head(of: client) }, within: Limit.patience) else {
                return
            }
            let bytes: Data
            switch head {
            case .forwarded(let request): bytes = request
            case .refused(let reason): return try await refuse(client, reason)
            }
            let server = try await AsyncSocket.connected(to: address, pool: pool)
            defer { close(server.socket) }
            try await server.write(bytes)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await copy(from: client, to: server) }
                // A socket that the other side closed is the end of the response.
                await copy(from: server, to: client)
                finish(client.socket)
                group.addTask { try await Task.sleep(for: .seconds(1)) }
                try await group.next()
                group.cancelAll()
            }
        } catch {
            // A client that is gone, or sends no HTTP, gets nothing more.
        }
    }

    /// Copies what comes until there is no more; what the other side no longer takes is thrown away.
    private static func copy(from source: AsyncSocket, to target: AsyncSocket) async {
        var isTaken = true
        do {
            while true {
                let bytes = try await source.part(atMost: Limit.part)
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
            // The end, of the one kind or the other.
        }
    }

    private static func refuse(_ client: AsyncSocket, _ reason: String) async throws {
        let phrase = SimulatedResponse.phrase(of: 400)
        let head =
            "HTTP/1.1 400 \(phrase)\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
        let length = "Content-Length: \(reason.utf8.count + 1)\r\n\r\n"
        try await client.write(Data("\(head)\(length)\(reason)\n".utf8))
        finish(client.socket)
        _ = try await firstOf({ await copy(from: client, to: client) }, within: .seconds(1))
    }

    /// What comes first: a value, or the end of a time, which is `nil`.
    private static func firstOf<Value: Sendable>(
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

    /// Says that nothing more will be sent.
    private static func finish(_ socket: Socket) {
        _ = shutdown(socket.file.rawValue, Int32(SHUT_WR))
    }

    private static func close(_ socket: Socket) {
        do {
            try socket.close()
        } catch {
            // It was closed already.
        }
    }
}

extension AsyncSocket {
    /// Reads what is there, also if the other side ended the connection: waiting throws for that before all is read.
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

/// What becomes of a request, by its head.
enum Head {
    /// The HTTP library gets it so, with what came of its body.
    case forwarded(Data)
    /// It is refused, for this reason.
    case refused(String)

    /// How many bytes a head may have.
    private static let limit = 1 << 15

    /// Reads a head.
    /// - Throws: What the system says if the client is gone before it was whole.
    fileprivate init(of client: AsyncSocket) async throws {
        var bytes: [UInt8] = []
        while Self.end(of: bytes) == nil, bytes.count <= Self.limit {
            bytes += try await client.read(atMost: 1 << 12)
        }
        self.init(bytes)
    }

    /// Judges what was read.
    private init(_ bytes: [UInt8]) {
        guard let end = Self.end(of: bytes), end <= Self.limit else {
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
        guard lengths < 2, lengths == 0 || !names.contains("transfer-encoding") else {
            self = .refused("The request says twice how long its body is.")
            return
        }
        let kept = lines.enumerated().filter { $0.offset == 0 || Self.name(of: $0.element) != "connection" }
        let head = kept.map(\.element) + ["Connection: close", "", ""]
        self = .forwarded(Data(head.joined(separator: "\r\n").utf8) + bytes[end...])
    }

    /// Where the head ends, as the HTTP library has it: after the first empty line.
    private static func end(of bytes: [UInt8]) -> Int? {
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            let line = bytes[start..<index]
            if start > 0, line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]) { return index + 1 }
            start = index + 1
        }
        return nil
    }

    /// A header's name, as the HTTP library reads it: without blanks, and without colons before it.
    private static func name(of line: String) -> String {
        let name = line.drop { $0 == ":" }.prefix { $0 != ":" }
        return name.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    }
}
