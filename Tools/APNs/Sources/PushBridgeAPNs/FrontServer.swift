import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

/// The limits that a ``FrontServer`` sets for its clients.
///
/// If there are too many connections, a new connection replaces the oldest connection whose request is not complete. If
/// all requests are complete, the front refuses the new connection.
package struct FrontLimits: Sendable {
    /// The maximum number of bytes in the head of a request.
    package var head = 1 << 15
    /// The maximum number of bytes from a client; after more bytes, the front closes the connection.
    ///
    /// The maximum is larger than the backend's limit for a body, which is 1 MB. So the backend itself can refuse
    /// a body that is slightly too large.
    package var bytes: Int = 2 << 20
    /// The time limit for the handshake and the head, in seconds.
    package var headSeconds: Int64 = 10
    /// The maximum lifetime of a connection in seconds.
    package var seconds: Int64 = 120
    /// The maximum number of connections.
    ///
    /// Each connection needs two file descriptors. By default, a process on macOS can open 256.
    package var connections = 96
    /// The maximum number of connections from one address.
    package var connectionsOfOne = 48

    package init() {}
}

/// Listens on an address, terminates TLS if it has a certificate, and forwards each connection to an HTTP server on
/// this machine.
///
/// A connection carries one request and ends with the backend's response. The backend receives nothing until the whole
/// head has arrived and names exactly one host.
package final class FrontServer: Sendable {
    /// The port on which the front listens.
    package let port: UInt16
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel

    /// Starts a front, and returns when the front listens.
    ///
    /// - Parameters:
    ///   - address: The address on which the front listens.
    ///   - port: The port; 0 selects any free port.
    ///   - backend: The port of the HTTP server on 127.0.0.1.
    ///   - identity: The certificate for TLS; if this is `nil`, the front uses plain HTTP.
    ///   - limits: The limits for clients.
    /// - Returns: The front, which listens until ``stop()`` is called.
    /// - Throws: ``APNsError`` if the port cannot be opened.
    package static func start(
        address: String,
        port: UInt16,
        to backend: UInt16,
        identity: FrontIdentity?,
        limits: FrontLimits = FrontLimits()
    ) async throws -> FrontServer {
        let visitors = Visitors(limits)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                    }
                }
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let context = identity?.context {
                            try pipeline.addHandler(NIOSSLServerHandler(context: context))
                        }
                        try pipeline.addHandler(VisitorHandler(visitors, limits, backend: backend))
                    }
                }
                .bind(host: address, port: Int(port)).get()
            return FrontServer(group, channel)
        } catch {
            try await group.shutdownGracefully()
            let reason =
                port == 0
                ? "The server cannot listen on \(address): it is not an address of this machine, or you do "
                    + "not have permission to use it."
                : "The port \(port) of \(address) cannot be opened: it is in use, you do not have permission "
                    + "to open it, or \(address) is not an address of this machine."
            throw APNsError(code: .portUnavailable, reason: reason)
        }
    }

    private init(_ group: MultiThreadedEventLoopGroup, _ channel: any Channel) {
        self.group = group
        self.channel = channel
        port = UInt16(clamping: channel.localAddress?.port ?? 0)
    }

    /// Stops listening and closes every connection.
    ///
    /// - Throws: The network library's error if the front cannot be stopped.
    package func stop() async throws {
        try await group.shutdownGracefully()
    }
}

/// The open connections.
private final class Visitors: Sendable {
    private struct Visitor {
        let number: Int
        let address: String
        let channel: any Channel
        /// Whether the whole request has arrived.
        var isComplete = false
    }

    private struct State {
        var last = 0
        /// The open connections, oldest first.
        var visitors: [Visitor] = []
    }

    private let limits: FrontLimits
    private let state = NIOLockedValueBox(State())

    init(_ limits: FrontLimits) { self.limits = limits }

    /// Admits a connection from an address.
    ///
    /// If this address, or all addresses together, have too many connections, closes the oldest of these
    /// connections whose request is not complete. This method must be called on the event loop.
    /// - Parameters:
    ///   - channel: The connection.
    ///   - address: The address of the client.
    /// - Returns: The number of the connection; `nil` if the connection is refused.
    func admit(_ channel: any Channel, from address: String) -> Int? {
        let (number, replaced) = state.withLockedValue { state -> (Int?, (any Channel)?) in
            let isFull = state.visitors.count { $0.address == address } >= limits.connectionsOfOne
            var replaced: (any Channel)?
            if isFull || state.visitors.count >= limits.connections {
                let index = state.visitors.firstIndex { visitor in
                    !visitor.isComplete && (!isFull || visitor.address == address)
                }
                guard let index else { return (nil, nil) }
                replaced = state.visitors.remove(at: index).channel
            }
            state.last += 1
            state.visitors.append(Visitor(number: state.last, address: address, channel: channel))
            return (state.last, replaced)
        }
        replaced?.abort()
        return number
    }

    /// Notes that the whole request of a connection has arrived.
    func complete(_ number: Int) {
        state.withLockedValue { state in
            guard let index = state.visitors.firstIndex(where: { $0.number == number }) else { return }
            state.visitors[index].isComplete = true
        }
    }

    /// Records the end of a connection.
    func release(_ number: Int) {
        state.withLockedValue { state in state.visitors.removeAll { $0.number == number } }
    }
}

/// Serves one client.
///
/// The handler collects the head of the client's request, connects to the backend, and forwards all bytes.
private final class VisitorHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        /// The head is not complete.
        case collecting
        /// The connection to the backend is being opened.
        case connecting
        case connected(any Channel)
        case over
    }

    private let visitors: Visitors
    private let limits: FrontLimits
    private let backend: UInt16
    private var state = State.collecting
    /// The bytes that arrived before the connection to the backend was open.
    private var waiting = ByteBuffer()
    private var received = 0
    /// The number of bytes of the request; `nil` while the head is not complete.
    private var length: Int?
    private var visit: Int?
    private var deadlines: [Scheduled<Void>] = []

    init(_ visitors: Visitors, _ limits: FrontLimits, backend: UInt16) {
        self.visitors = visitors
        self.limits = limits
        self.backend = backend
    }

    func channelActive(context: ChannelHandlerContext) {
        let address = context.remoteAddress?.ipAddress ?? ""
        let channel = context.channel
        visit = visitors.admit(channel, from: address)
        guard visit != nil else { return context.close(promise: nil) }
        deadlines = [limits.headSeconds, limits.seconds].map { seconds in
            context.eventLoop.scheduleTask(in: .seconds(seconds)) { channel.close(promise: nil) }
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        visit.map(visitors.release)
        visit = nil
        for deadline in deadlines { deadline.cancel() }
        if case .connected(let server) = state { server.close(promise: nil) }
        state = .over
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        received += bytes.readableBytes
        guard received <= limits.bytes else { return context.close(promise: nil) }
        switch state {
        case .collecting:
            waiting.writeBuffer(&bytes)
            judge(context)
        case .connecting: waiting.writeBuffer(&bytes)
        case .connected(let server): server.writeAndFlush(bytes, promise: nil)
        case .over: break
        }
        if let length, received >= length { visit.map(visitors.complete) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The handshake failed, or the client closed the connection.
        context.close(promise: nil)
    }

    /// Connects to the backend if the head is complete and valid; refuses a request with an invalid head.
    private func judge(_ context: ChannelHandlerContext) {
        let end = waiting.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8))
        guard let end else {
            if waiting.readableBytes > limits.head { refuse(431, "Request Header Fields Too Large", context) }
            return
        }
        let head = String(decoding: waiting.readableBytesView[..<end.lowerBound], as: UTF8.self)
        let fields = head.split(separator: "\r\n").dropFirst()
        let names = fields.map { $0.prefix { $0 != ":" }.lowercased().trimming }
        guard head.utf8.count <= limits.head else {
            return refuse(431, "Request Header Fields Too Large", context)
        }
        // A request without a host, or with several hosts, is refused: the backend would use only one of several hosts.
        guard names.filter({ $0 == "host" }).count == 1 else {
            return refuse(400, "Bad Request", context)
        }
        let lengthField = zip(names, fields).first { name, _ in name == "content-length" }?.1
        let lengthText = lengthField.map { String($0.drop { $0 != ":" }.dropFirst()).trimming }
        let bodyLength = lengthText.flatMap { Int($0) } ?? 0
        // A body counts only up to `limits.bytes`, because the connection ends after this number of bytes.
        length = waiting.readableBytesView[..<end.upperBound].count + min(max(0, bodyLength), limits.bytes)
        deadlines.first?.cancel()
        connect(context)
    }

    private func connect(_ context: ChannelHandlerContext) {
        state = .connecting
        let client = context.channel
        let connection = ClientBootstrap(group: context.eventLoop)
            .connectTimeout(.seconds(5))
            .channelInitializer { server in
                server.eventLoop.makeCompletedFuture {
                    try server.pipeline.syncOperations.addHandler(ServerHandler(client))
                }
            }
            .connect(host: "127.0.0.1", port: Int(backend))
        connection.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let server):
                guard case .connecting = self.state else { return server.close(promise: nil) }
                self.state = .connected(server)
                server.writeAndFlush(self.waiting, promise: nil)
                self.waiting.clear()
            case .failure: client.close(promise: nil)
            }
        }
    }

    private func refuse(_ status: Int, _ words: String, _ context: ChannelHandlerContext) {
        state = .over
        let text = "HTTP/1.1 \(status) \(words)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        let channel = context.channel
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        // The close is delayed. If the connection were closed immediately, a client that is still sending
        // would lose the response.
        deadlines.append(context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) })
    }
}

/// The connection to the backend for one client.
private final class ServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel

    init(_ client: any Channel) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        client.end(with: ByteBuffer())
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

extension Channel {
    /// Writes the last bytes, and then closes the connection.
    fileprivate func end(with bytes: ByteBuffer) {
        writeAndFlush(bytes).whenComplete { _ in self.close(promise: nil) }
    }

    /// Closes the connection immediately.
    ///
    /// With TLS, `close` would first wait for the client. This method must be called on the event loop.
    fileprivate func abort() {
        do {
            try pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self).close(promise: nil)
        } catch {
            // The connection does not use TLS.
            close(promise: nil)
        }
    }
}

extension String {
    /// The text without surrounding spaces and tabs.
    fileprivate var trimming: String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
