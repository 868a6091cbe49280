import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Connections to a local port.
///
/// Each connection sends the same string, or nothing.
public struct LoopbackConnections {
    private let descriptors: [CInt]

    /// Opens `count` connections and sends the text through each connection.
    public init(count: Int, port: UInt16, sending text: String = "") {
        descriptors = (0..<count).map { _ in
            #if canImport(Glibc)
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
            #endif
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    _ = connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if !text.isEmpty { _ = write(descriptor, text, text.utf8.count) }
            return descriptor
        }
    }

    /// Closes all connections.
    public func close() {
        for descriptor in descriptors {
            #if canImport(Glibc)
            _ = Glibc.close(descriptor)
            #else
            _ = Darwin.close(descriptor)
            #endif
        }
    }

    /// Counts the connections that a server in this process has accepted and has not closed.
    /// - Parameter port: The port of the server.
    /// - Returns: The number of open descriptors that are connections to this port.
    public static func accepted(at port: UInt16) -> Int {
        (0..<4096 as Range<CInt>).count { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            return withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    // A listening socket has no peer.
                    getsockname(descriptor, address, &length) == 0
                        && UnsafeRawPointer(address).load(as: sockaddr_in.self).sin_port == port.bigEndian
                        && getpeername(descriptor, address, &length) == 0
                }
            }
        }
    }
}
