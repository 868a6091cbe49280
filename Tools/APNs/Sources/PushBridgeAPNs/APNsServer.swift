package import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import PushBridgeCore

/// A stand-in for APNs that listens on 127.0.0.1, over HTTP/2 with TLS.
///
/// In addition to Apple's `/3/device/TOKEN`, the stand-in has two endpoints below ``control``. The endpoint
/// `/device/TOKEN` sends a device its pushes. The endpoint `/control` lets tests inject faults and set the states of
/// device tokens.
package final class APNsServer: Sendable {
    /// The port on which the stand-in listens.
    package let port: UInt16
    /// The path below which devices and tests send their requests; other users cannot guess this random path.
    package let control: String
    private let group: MultiThreadedEventLoopGroup
    /// A stream that ends when the stand-in no longer listens.
    private let listening: AsyncStream<Never>

    /// Starts a stand-in, and returns when the stand-in listens.
    /// - Returns: The stand-in, which listens until ``stop()`` is called.
    /// - Throws: ``APNsError`` if the files cannot be read or the port cannot be opened.
    package static func start(
        _ service: APNsService,
        certificate: String,
        privateKey: String,
        port: UInt16 = 0,
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> APNsServer {
        let chain = try read("\(certificate) is not a certificate in PEM.") {
            try NIOSSLCertificate.fromPEMFile(certificate)
        }
        let key = try read("\(privateKey) is not a private key in PEM.") {
            try NIOSSLPrivateKey(file: privateKey, format: .pem)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.applicationProtocols = ["h2"]
        // The server requests a certificate but also accepts a provider without a certificate, because this
        // provider may have a provider token.
        configuration.certificateVerification = .optionalVerification
        configuration.trustRoots = .certificates([])
        let tls = try read("\(certificate) and \(privateKey) do not match.") {
            try NIOSSLContext(configuration: configuration)
        }
        let secret = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let control = secret.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let front = APNsFront(service, below: control, now: now)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                // If there are no free file descriptors, the server pauses instead of retrying continuously.
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptPause())
                    }
                }
                .childChannelInitializer { $0.speakHTTP2(tls, to: front) }
                .bind(host: "127.0.0.1", port: Int(port)).get()
            return APNsServer(group, channel, control: "/\(control)")
        } catch {
            try await group.shutdownGracefully()
            let reason =
                "The port \(port) cannot be opened: it is in use, or you do not have permission to open it."
            throw APNsError(code: .portUnavailable, reason: reason)
        }
    }

    /// Reads or combines the user's files with `body`; if `body` fails, throws an error with the reason `failure`.
    private static func read<Value>(
        _ failure: String,
        _ body: () throws -> Value
    ) throws(APNsError) -> Value {
        do {
            return try body()
        } catch {
            throw APNsError(code: .unreadableKey, reason: failure)
        }
    }

    private init(_ group: MultiThreadedEventLoopGroup, _ channel: any Channel, control: String) {
        self.control = control
        self.group = group
        port = UInt16(clamping: channel.localAddress?.port ?? 0)
        let (listening, end) = AsyncStream.makeStream(of: Never.self)
        self.listening = listening
        // The handler is registered here, because the channel cannot be queried after its event loops have
        // ended.
        channel.closeFuture.whenComplete { _ in end.finish() }
    }

    /// Stops listening and closes every connection.
    ///
    /// - Throws: The network library's error if the stand-in cannot be stopped.
    package func stop() async throws {
        try await group.shutdownGracefully()
    }

    /// Waits until the stand-in no longer listens.
    package func waitUntilStopped() async {
        for await _ in listening {}
    }
}

extension Channel {
    fileprivate func speakHTTP2(_ tls: NIOSSLContext, to front: APNsFront) -> EventLoopFuture<Void> {
        eventLoop.makeCompletedFuture {
            let connection = front.connect()
            closeFuture.whenComplete { _ in front.disconnect(connection) }
            let pipeline = pipeline.syncOperations
            // The handshake accepts every certificate. The service checks the certificate later, and refuses
            // a push with the reason that Apple documents.
            let handler = NIOSSLServerHandler(context: tls) { _, verified in
                verified.succeed(.certificateVerified)
            }
            try pipeline.addHandler(handler)
            _ = try pipeline.configureHTTP2Pipeline(
                mode: .server,
                connectionConfiguration: .init(),
                streamConfiguration: .init()
            ) { stream in
                stream.eventLoop.makeCompletedFuture {
                    let handler = RequestHandler(front, connection: connection)
                    try stream.pipeline.syncOperations.addHandler(handler)
                }
            }
        }
    }
}

/// The service and the connected devices, protected by a lock.
private final class APNsFront: Sendable {
    private struct State {
        var service: APNsService
        var devices: [String: [ObjectIdentifier: any Channel]] = [:]
        var connections = 0
    }

    private let state: NIOLockedValueBox<State>
    private let secret: String
    private let now: @Sendable () -> Date

    init(_ service: APNsService, below secret: String, now: @escaping @Sendable () -> Date) {
        self.secret = secret
        state = NIOLockedValueBox(State(service: service))
        self.now = now
    }

    func connect() -> Int {
        state.withLockedValue { state in
            state.connections += 1
            return state.connections
        }
    }

    func disconnect(_ connection: Int) {
        state.withLockedValue { $0.service.disconnect(connection) }
    }

    /// Answers a request on its stream.
    func answer(_ request: APNsRequest, on stream: any Channel) {
        let path = request.path.split(separator: "/")
        let parts = path.first.map(String.init) == secret ? path.dropFirst() : []
        switch (request.headers.first(name: ":method"), parts.first, parts.count) {
        case ("GET", "device", 2) where APNsService.isDeviceToken(String(path[2])):
            deliver(to: path[2].lowercased(), request.query, on: stream)
        case ("POST", "control", 2):
            let isAccepted = state.withLockedValue { state in
                state.service.control(String(path[2]), request.body, at: now())
            }
            stream.respond(isAccepted ? 200 : 400)
        default:
            let decision = state.withLockedValue { $0.service.decide(request, at: now()) }
            if let push = decision.push { deliver(push) }
            let answer = decision.answer
            stream.eventLoop.scheduleTask(in: .milliseconds(Int64(decision.delay * 1000))) {
                stream.respond(answer.status, ["apns-id": answer.id], answer.body)
            }
        }
    }

    private func deliver(_ push: APNsPush) {
        let devices = state.withLockedValue { state in
            let devices = state.devices[push.token] ?? [:]
            if devices.isEmpty { state.service.keep(push) }
            return devices
        }
        for device in devices.values { device.sendLine(push.line) }
    }

    /// Sends a device's stored pushes on a stream, and keeps the stream open for later pushes.
    private func deliver(to token: String, _ query: [URLQueryItem], on stream: any Channel) {
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        let environment = value("environment").flatMap(APNsEnvironment.init)
        let id = ObjectIdentifier(stream)
        stream.sendHeaders(200, [:], isLast: false)
        let waiting = state.withLockedValue { state in
            state.devices[token, default: [:]][id] = stream
            let settings = state.service.settings
            return state.service.connect(
                token,
                topic: value("topic") ?? settings.topics.first ?? "",
                environment ?? settings.environment,
                at: now()
            )
        }
        for push in waiting { stream.sendLine(push.line) }
        stream.closeFuture.whenComplete { _ in
            self.state.withLockedValue { $0.devices[token]?[id] = nil }
        }
    }
}

/// Collects one request.
private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload

    /// The number of bytes after which a body is refused, even if the body has not ended.
    ///
    /// The limit is larger than any push.
    private static let largestBody = 1 << 16

    private let front: APNsFront
    private let connection: Int
    private var headers: HPACKHeaders?
    private var body = Data()
    private var isAnswered = false

    init(_ front: APNsFront, connection: Int) {
        self.front = front
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var isLast = false
        switch unwrapInboundIn(data) {
        case .headers(let frame):
            if headers == nil { headers = frame.headers }
            isLast = frame.endStream
        case .data(let frame):
            if case .byteBuffer(let bytes) = frame.data, body.count <= Self.largestBody {
                body.append(contentsOf: bytes.readableBytesView)
            }
            isLast = frame.endStream
        default: return
        }
        guard !isAnswered, isLast || body.count > Self.largestBody, let headers else { return }
        isAnswered = true
        let request = APNsRequest(
            headers: headers,
            body: body,
            connection: connection,
            certificate: context.channel.parent?.providerCertificate
        )
        front.answer(request, on: context.channel)
    }
}

extension Channel {
    /// The client certificate of a connection, in DER; `nil` if the client has no certificate.
    fileprivate var providerCertificate: [UInt8]? {
        do {
            let handler = try pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
            return try handler.peerCertificate?.toDERBytes()
        } catch {
            // The connection is closing.
            return nil
        }
    }

    fileprivate func respond(_ status: Int, _ headers: HPACKHeaders = [:], _ body: Data = Data()) {
        sendHeaders(status, headers, isLast: body.isEmpty)
        if !body.isEmpty { send(body, isLast: true) }
    }

    fileprivate func sendHeaders(_ status: Int, _ headers: HPACKHeaders, isLast: Bool) {
        var all: HPACKHeaders = [":status": String(status)]
        for (name, value, _) in headers { all.add(name: name, value: value) }
        let payload = HTTP2Frame.FramePayload.Headers(headers: all, endStream: isLast)
        writeAndFlush(HTTP2Frame.FramePayload.headers(payload), promise: nil)
    }

    fileprivate func sendLine(_ line: JSONValue) { send(Data("\(line.text)\n".utf8), isLast: false) }

    private func send(_ bytes: Data, isLast: Bool) {
        let payload = HTTP2Frame.FramePayload.Data(
            data: .byteBuffer(ByteBuffer(bytes: bytes)),
            endStream: isLast
        )
        writeAndFlush(HTTP2Frame.FramePayload.data(payload), promise: nil)
    }
}

extension APNsPush {
    /// The push as one line of JSON, which is the form that its device receives.
    fileprivate var line: JSONValue {
        [
            "id": .string(id ?? ""), "topic": .string(topic), "type": .string(type ?? ""),
            "collapseId": collapseId.map(JSONValue.string) ?? .null,
            "expiration": expiration.map(JSONValue.string) ?? .null,
            "payload": JSONValue(json: payload) ?? .null,
        ]
    }
}

extension APNsService {
    /// Executes a control request.
    ///
    /// The request `faults` adds a fault, and the request `tokens` sets the state of a device token.
    ///
    /// - Returns: Whether the request was valid.
    mutating func control(_ name: String, _ body: Data, at now: Date) -> Bool {
        struct Order: Decodable {
            let reason: String?
            let seconds: Double?
            let times: Int?
            let token: String?
            let state: String?
        }
        let order: Order
        do {
            order = try JSONDecoder().decode(Order.self, from: body)
        } catch {
            return false
        }
        let token = order.token?.lowercased()
        guard token.map(Self.isDeviceToken) ?? (name != "tokens") else { return false }
        switch (name, order.state) {
        case ("faults", _):
            let reason = order.reason.flatMap(APNsReason.init)
            guard (order.reason == nil) == (reason == nil), order.times ?? 1 > 0 else { return false }
            var fault = APNsFault(reason)
            fault.seconds = min(max(order.seconds ?? 0, 0), 3600)
            fault.times = order.times ?? 1
            fault.token = token
            faults.append(fault)
        case ("tokens", "unregistered"): token.map { tokens[$0] = .unregistered(since: now) }
        case ("tokens", "expired"): token.map { tokens[$0] = .expired(since: now) }
        case ("tokens", "known"): token.map { tokens[$0] = nil }
        default: return false
        }
        return true
    }
}

/// Stops accepting connections for a second after a failure, such as a lack of file descriptors.
///
/// NIO's `AcceptBackoffHandler` delays only its own next read. Because the socket stays readable, the event loop
/// would retry immediately.
private final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is IOError else { return context.fireErrorCaught(error) }
        let channel = context.channel
        Self.accept(false, on: channel)
        context.eventLoop.scheduleTask(in: .seconds(1)) { Self.accept(true, on: channel) }
    }

    /// Sets whether the socket accepts connections.
    ///
    /// A failure is ignored: a listening socket rejects the option only if it has already been closed.
    private static func accept(_ isAccepting: Bool, on channel: any Channel) {
        channel.setOption(.autoRead, value: isAccepting).whenFailure { _ in }
    }
}
