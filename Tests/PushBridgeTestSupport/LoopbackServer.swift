public import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An HTTP server on a free loopback port.
///
/// The server sends the given responses in order and repeats the last response. Without responses, the server never
/// answers.
public final class LoopbackServer: Sendable {
    /// The port on 127.0.0.1.
    public let port: UInt16
    private let descriptor: CInt
    private let received = Guarded<[String]>([])

    /// Creates a server that sends the same response to every request.
    ///
    /// If `answer` is `nil`, the server never answers.
    public convenience init(answer: String?, gate: DispatchSemaphore? = nil) throws {
        try self.init(answers: answer.map { [$0] } ?? [], gate: gate)
    }

    /// Creates a server that sends its responses in order.
    ///
    /// If `gate` is set, the server waits for a signal before each response.
    public init(answers: [String], gate: DispatchSemaphore? = nil) throws {
        descriptor = socket(AF_INET, streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        let received = received
        Thread.detachNewThread { Self.serve(descriptor, answers, gate, received) }
    }

    deinit {
        #if canImport(Glibc)
        // The serving thread closes the descriptor. If this function closed it, another server could get a
        // descriptor with the same number while the thread still uses this number.
        shutdown(descriptor, CInt(SHUT_RDWR))
        #else
        close(descriptor)
        #endif
    }

    /// The first data that each connection received.
    ///
    /// This data includes the headers.
    public var requests: [String] { received.withValue { $0 } }

    /// Waits until the client closes the connection, or sends nothing for two seconds.
    ///
    /// If the server closed the connection while input was unread, the system would reset the connection, and the
    /// client could not read a long response to its end.
    private static func drain(_ connection: CInt) {
        shutdown(connection, CInt(SHUT_WR))
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        while recv(connection, &bytes, bytes.count, 0) > 0 {}
    }

    private static func serve(
        _ descriptor: CInt,
        _ answers: [String],
        _ gate: DispatchSemaphore?,
        _ received: Guarded<[String]>
    ) {
        var silent: [CInt] = []
        var answers = answers[...]
        while case let connection = accept(descriptor, nil, nil), connection >= 0 {
            var bytes = [UInt8](repeating: 0, count: 16 * 1024)
            let count = max(0, recv(connection, &bytes, bytes.count, 0))
            received.withValue { $0.append(String(decoding: bytes.prefix(count), as: UTF8.self)) }
            _ = gate?.wait(timeout: .now() + .seconds(WaitedInVain.seconds))
            if let answer = answers.first {
                if answers.count > 1 { answers.removeFirst() }
                _ = answer.withCString { send(connection, $0, strlen($0), quietly) }
                if answer.utf8.count > 64 * 1024 { drain(connection) }
                close(connection)
            } else {
                silent.append(connection)
            }
        }
        for connection in silent { close(connection) }
        #if canImport(Glibc)
        close(descriptor)
        #endif
    }
}

#if canImport(Glibc)
private let streamType = CInt(SOCK_STREAM.rawValue)
#else
private let streamType = SOCK_STREAM
#endif

/// Without this flag, a client that closes its connection would end the process.
#if canImport(Glibc)
private let quietly = CInt(MSG_NOSIGNAL)
#else
private let quietly: CInt = 0
#endif
