package import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS
package import PushBridgeCore

/// Sends requests to APNs.
package protocol APNsTransport: Sendable {
    /// Sends a request.
    ///
    /// - Throws: ``APNsError`` if no valid answer arrives.
    func send(_ request: APNsRequest) async throws -> APNsAnswer
}

/// A connection to APNs or its stand-in over HTTP/2.
///
/// The connection opens on first use and, if it is lost, again on the next use.
package final class APNsConnection: APNsTransport {
    private typealias Opening = EventLoopFuture<NIOHTTP2Handler.StreamMultiplexer>

    private let host: String
    private let port: UInt16
    private let control: String
    private let certificate: String?
    private let identity: ClientIdentity?
    private let standIn: String?
    private let patience: Duration
    private let limit: Int
    private let tls: NIOSSLContext
    private let opening = NIOLockedValueBox<Opening?>(nil)

    /// Creates a connection to a host, which opens on first use.
    /// - Parameters:
    ///   - host: The host's name or address.
    ///   - port: The host's port.
    ///   - control: The path below which the stand-in has its endpoints for devices.
    ///   - certificate: The file with the certificate to trust; `nil` trusts the certificates that this machine trusts.
    ///   - identity: The client certificate to use instead of a provider token; `nil` if there is no client
    ///     certificate.
    ///   - standIn: The access file that the stand-in wrote; `nil` if the host is not a stand-in.
    ///   - patience: How long to wait for an answer.
    ///   - limit: The maximum number of bytes in an answer, and in each line that contains a push.
    /// - Throws: ``APNsError`` if a certificate cannot be used.
    package init(
        host: String,
        port: UInt16,
        control: String = "",
        certificate: String?,
        identity: ClientIdentity? = nil,
        standIn: String? = nil,
        patience: Duration = .seconds(30),
        limit: Int = 1 << 20
    ) throws(APNsError) {
        self.host = host
        self.port = port
        self.control = control
        self.certificate = certificate
        self.identity = identity
        self.standIn = standIn
        self.patience = patience
        self.limit = limit
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.applicationProtocols = ["h2"]
            if let certificate { configuration.trustRoots = .file(certificate) }
            identity?.show(in: &configuration)
            tls = try NIOSSLContext(configuration: configuration)
        } catch {
            let reason = certificate.map { "\($0) is not a certificate in PEM." }
            throw APNsError(code: .unreadableKey, reason: reason ?? "This machine trusts no certificates.")
        }
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: ``APNsError`` if no valid answer arrives.
    package func send(_ request: APNsRequest) async throws -> APNsAnswer {
        var (status, id, body) = (0, "", Data())
        for try await part in try await parts(of: request, within: patience, orLost: lost) {
            switch part {
            case .headers(let headers):
                status = headers.first(name: ":status").flatMap { Int($0) } ?? 0
                id = headers.first(name: "apns-id") ?? ""
            case .data(let bytes):
                body += bytes
                guard body.count <= limit else { throw Self.tooLarge }
            }
        }
        guard status > 0 else { throw lost }
        return APNsAnswer(status: status, id: id, body: body)
    }

    /// Opens a new connection, to find out whether the host can be reached.
    ///
    /// - Throws: ``APNsError`` if the host cannot be reached or if its certificate is not trusted.
    package func reach() async throws {
        forget()
        do {
            _ = try await opened().get()
        } catch {
            forget()
            throw failure(for: error)
        }
    }

    /// Returns the pushes for a device, one line of JSON for each push, until the connection ends.
    /// - Parameters:
    ///   - token: The device token.
    ///   - topic: The app's topic.
    ///   - environment: The service that issued the token; `nil` for the stand-in's own service.
    /// - Returns: The lines; the device is registered before this method returns.
    /// - Throws: ``APNsError`` if the topic is invalid, if there is no connection, or if the host does not deliver to
    ///   devices.
    package func pushes(
        to token: String,
        topic: String,
        environment: APNsEnvironment? = nil
    ) async throws -> AsyncThrowingStream<Data, any Error> {
        try APNsError.check(topic, "topic")
        let service = environment.map { "&environment=\($0.rawValue)" } ?? ""
        let path = "\(control)/device/\(token)?topic=\(topic)\(service)"
        let headers: HPACKHeaders = [":method": "GET", ":scheme": "https", ":path": path]
        let ended = APNsError(code: .noAnswer, reason: "\(host):\(port) ended the connection.")
        let request = APNsRequest(headers: headers, body: Data())
        let parts = try await parts(of: request, within: nil, orLost: ended)
        var iterator = parts.makeAsyncIterator()
        guard case .headers(let answer)? = try await iterator.next() else { throw lost }
        guard answer.first(name: ":status") == "200" else {
            let reason = "\(host):\(port) has no endpoint for devices; only the stand-in has one."
            throw APNsError(code: .noDevices, reason: reason)
        }
        return AsyncThrowingStream { lines in
            let reading = Task { [limit] in
                do {
                    var rest = Data()
                    for try await case .data(let bytes) in parts {
                        rest += bytes
                        // A push has at most 5 KB, so a line with more than `limit` bytes is not a push.
                        guard rest.count <= limit else { throw Self.tooLarge }
                        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                            lines.yield(Data(rest[..<end]))
                            rest = Data(rest[(end + 1)...])
                        }
                    }
                    lines.finish()
                } catch {
                    lines.finish(throwing: error)
                }
            }
            lines.onTermination = { _ in reading.cancel() }
        }
    }

    private static var tooLarge: APNsError {
        APNsError(code: .noAnswer, reason: "The response is larger than 1 MB, so it is not from APNs.")
    }

    /// The error for a lost connection.
    ///
    /// If Apple's hosts reject the client certificate, they close the connection without an explanation.
    private var lost: APNsError {
        let words = "The connection to APNs ended before the answer"
        let more = identity.map { "; APNs may reject the certificate in \($0.file)" } ?? ""
        return APNsError(code: .noAnswer, reason: "\(words)\(more).")
    }

    private func parts(
        of request: APNsRequest,
        within patience: Duration?,
        orLost lost: APNsError
    ) async throws -> AsyncThrowingStream<ResponsePart, any Error> {
        let (parts, arriving) = AsyncThrowingStream.makeStream(of: ResponsePart.self)
        // HTTP/2 requires that the pseudo-headers, whose names start with a colon, come before all other
        // headers.
        var headers: HPACKHeaders = [":authority": "\(host):\(port)"]
        headers.add(contentsOf: request.headers)
        let complete = APNsRequest(headers: headers, body: request.body)
        do {
            let opening = opened()
            let stream = try await opening.flatMap { multiplexer in
                multiplexer.createStreamChannel { stream in
                    stream.eventLoop.makeCompletedFuture {
                        let handler = ResponseHandler(complete, arriving, lost: lost)
                        try stream.pipeline.syncOperations.addHandler(handler)
                    }
                }
            }.get()
            if let patience {
                let seconds = patience.components.seconds
                let late = "\(host):\(port) gave no answer within \(seconds) seconds."
                let timer = stream.eventLoop.scheduleTask(in: TimeAmount(patience)) {
                    arriving.finish(throwing: APNsError(code: .noAnswer, reason: late))
                    stream.close(promise: nil)
                }
                stream.closeFuture.whenComplete { _ in timer.cancel() }
            }
            // A finished stream must not be closed: closing it would send a reset, and servers limit the number
            // of resets.
            arriving.onTermination = { if case .cancelled = $0 { stream.close(promise: nil) } }
        } catch {
            forget()
            throw failure(for: error)
        }
        return parts
    }

    /// Returns the error for a failed connection attempt.
    private func failure(for error: any Error) -> APNsError {
        guard error is NIOSSLError || error is NIOSSLExtraError else {
            let reason = standIn.map(APNsError.ended(standIn:))
            return reason ?? APNsError(code: .unreachable, reason: "\(host):\(port) cannot be reached.")
        }
        let isOfCertificate = error is NIOSSLExtraError || "\(error)".contains("CERTIFICATE_VERIFY_FAILED")
        guard isOfCertificate else {
            // If there is a client certificate, a TLS alert from the host means that the host rejects this certificate.
            if identity != nil, "\(error)".contains("ALERT") { return lost }
            let reason =
                "The TLS handshake with \(host):\(port) failed. The server may not be an APNs server."
            return APNsError(code: .unreachable, reason: reason)
        }
        let words = "The certificate of \(host):\(port) is not"
        let reason = certificate.map { "\(words) the one in \($0)." }
        let advice = "add \"certificate\", the path of its PEM file, to the file that --apns names"
        return APNsError(code: .untrusted, reason: reason ?? "\(words) trusted here; \(advice).")
    }

    private func forget() {
        opening.withLockedValue { $0 = nil }
    }

    /// Returns the existing connection, or a new one.
    private func opened() -> Opening {
        opening.withLockedValue { opening in
            if let opening { return opening }
            let new = open()
            opening = new
            return new
        }
    }

    private func open() -> Opening {
        // The handler accepts a name, but not an address. Without a name, TLS compares the address of the host with
        // the certificate's addresses.
        let name = host.contains(where: \.isLetter) && !host.contains(":") ? host : nil
        let (tls, loop) = (tls, MultiThreadedEventLoopGroup.singleton.next())
        let trusted = loop.makePromise(of: NIOHTTP2Handler.StreamMultiplexer.self)
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(.seconds(10))
            .channelInitializer { channel in
                channel.closeFuture.whenComplete { [weak self] _ in self?.forget() }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let handshake = HandshakeHandler(trusted)
                    let handler = try NIOSSLClientHandler(context: tls, serverHostname: name)
                    try pipeline.addHandlers([handler, handshake])
                    // HTTP/2 is added before the handshake. The server's settings may arrive together with
                    // the end of the handshake. If a client misses the settings, it rejects every answer.
                    handshake.multiplexer = try pipeline.configureHTTP2Pipeline(
                        mode: .client,
                        connectionConfiguration: .init(),
                        streamConfiguration: .init()
                    ) { stream in stream.close() }
                }
            }
        bootstrap.connect(host: host, port: Int(port)).whenFailure(trusted.fail)
        return trusted.futureResult
    }
}

private enum ResponsePart: Sendable {
    case headers(HPACKHeaders)
    case data(Data)
}

/// Reports whether the TLS handshake succeeded.
///
/// Without this handler, a request would learn only that the connection has ended, and not why.
private final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let trusted: EventLoopPromise<NIOHTTP2Handler.StreamMultiplexer>
    /// Opens streams after the handshake; `nil` before HTTP/2 has been added.
    var multiplexer: NIOHTTP2Handler.StreamMultiplexer?

    init(_ trusted: EventLoopPromise<NIOHTTP2Handler.StreamMultiplexer>) {
        self.trusted = trusted
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent, let multiplexer {
            trusted.succeed(multiplexer)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        trusted.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        trusted.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}

/// Sends one request and forwards the parts of the answer.
private final class ResponseHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let request: APNsRequest
    private let arriving: AsyncThrowingStream<ResponsePart, any Error>.Continuation
    private let lost: APNsError

    init(
        _ request: APNsRequest,
        _ arriving: AsyncThrowingStream<ResponsePart, any Error>.Continuation,
        lost: APNsError
    ) {
        self.request = request
        self.arriving = arriving
        self.lost = lost
    }

    func channelActive(context: ChannelHandlerContext) {
        let isBare = request.body.isEmpty
        let headers = HTTP2Frame.FramePayload.Headers(headers: request.headers, endStream: isBare)
        context.writeAndFlush(wrapOutboundOut(.headers(headers)), promise: nil)
        guard !isBare else { return }
        let bytes = ByteBuffer(bytes: request.body)
        let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(bytes), endStream: true)
        context.writeAndFlush(wrapOutboundOut(.data(data)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isLast: Bool
        switch unwrapInboundIn(data) {
        case .headers(let frame):
            arriving.yield(.headers(frame.headers))
            isLast = frame.endStream
        case .data(let frame):
            if case .byteBuffer(let bytes) = frame.data {
                arriving.yield(.data(Data(bytes.readableBytesView)))
            }
            isLast = frame.endStream
        default: return
        }
        if isLast { arriving.finish() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        arriving.finish(throwing: lost)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        arriving.finish(throwing: lost)
    }
}
