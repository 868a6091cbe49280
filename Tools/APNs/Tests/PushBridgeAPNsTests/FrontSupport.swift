import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A server that echoes the bytes that it receives.
final class Echo: Sendable {
    let port: UInt16
    private let connections: NIOLockedValueBox<Int>
    private let group: MultiThreadedEventLoopGroup

    static func start() async throws -> Echo {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let connections = NIOLockedValueBox(0)
        let channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                connections.withLockedValue { $0 += 1 }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(EchoHandler())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return Echo(UInt16(clamping: channel.localAddress?.port ?? 0), connections, group)
    }

    private init(_ port: UInt16, _ connections: NIOLockedValueBox<Int>, _ group: MultiThreadedEventLoopGroup)
    {
        self.port = port
        self.connections = connections
        self.group = group
    }

    /// The number of clients that connected.
    var clients: Int { connections.withLockedValue { $0 } }

    func stop() async throws { try await group.shutdownGracefully() }
}

private final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.channel.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }
}

/// A client that sends raw bytes.
final class Client: Sendable {
    private let channel: any Channel
    private let arriving: AsyncStream<String>

    static func connect(_ port: UInt16) async throws -> Client {
        let (arriving, text) = AsyncStream.makeStream(of: String.self)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(text))
                }
            }
            .connect(host: "127.0.0.1", port: Int(port)).get()
        return Client(channel, arriving)
    }

    private init(_ channel: any Channel, _ arriving: AsyncStream<String>) {
        self.channel = channel
        self.arriving = arriving
    }

    func send(_ text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text)).get()
    }

    /// Returns the received text.
    ///
    /// Reads until the text ends with `end`, or until the connection ends.
    func read(until end: String?) async throws -> String {
        var all = ""
        for await text in arriving {
            all += text
            if let end, all.hasSuffix(end) { break }
        }
        return all
    }

    func close() async throws { try await channel.close().get() }
}

private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let text: AsyncStream<String>.Continuation

    init(_ text: AsyncStream<String>.Continuation) { self.text = text }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text.yield(String(buffer: unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) { text.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
