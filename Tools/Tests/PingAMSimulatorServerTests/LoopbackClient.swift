import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Sends bytes to a local port unchanged.
///
/// An HTTP client cannot be used, because it sets `Host` itself.
struct LoopbackClient: Sendable {
    private let descriptor: CInt

    init(port: UInt16) throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = descriptor
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            throw POSIXError(.ECONNREFUSED)
        }
        // After this time, the client stops reading from a server that does not answer.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends a request, returns the first part of the response, and closes the connection unless `keepsOpen` is true.
    ///
    /// The client waits on a queue, because the server needs the threads of Swift's pool.
    func send(_ request: String, keepsOpen: Bool = false) async -> String {
        await withCheckedContinuation { response in
            DispatchQueue.global().async {
                _ = request.withCString { write(descriptor, $0, strlen($0)) }
                var bytes = [UInt8](repeating: 0, count: 16 * 1024)
                let count = read(descriptor, &bytes, bytes.count)
                if !keepsOpen { close(descriptor) }
                response.resume(returning: String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
            }
        }
    }

    /// Sends bytes without waiting for a response.
    func begin(_ request: String) {
        _ = request.withCString { write(descriptor, $0, strlen($0)) }
    }

    /// Closes the connection.
    func end() { close(descriptor) }

    /// Waits until the server closes the connection or sends data, and then closes the connection.
    ///
    /// Returns whether the server closed the connection.
    func isEnded() async -> Bool {
        await withCheckedContinuation { ended in
            DispatchQueue.global().async {
                var byte: UInt8 = 0
                let count = read(descriptor, &byte, 1)
                let isEnded = count == 0 || count < 0 && errno == ECONNRESET
                close(descriptor)
                ended.resume(returning: isEnded)
            }
        }
    }
}
