import FlyingSocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// Limits the number of connections, so that clients cannot use all file descriptors.
///
/// The HTTP library would stop listening if no file descriptor were free for a new connection.
///
/// If the limit is reached, a new connection replaces the oldest connection whose request is not complete.
package actor ConnectionLimit {
    /// The default limit, which several servers of this process share.
    ///
    /// Each connection needs three descriptors: one for the client, and two for the connection to the HTTP
    /// library. A quarter of the free descriptors is left for other uses.
    static let ofProcess = ConnectionLimit(max(1, freeDescriptors() / 4))

    private struct Connection {
        let client: Socket
        var state = State.unfinished
    }

    private enum State {
        /// A part of the request has not arrived.
        case unfinished
        case complete
        /// The connection is being closed to make room for a new connection.
        case closing
    }

    private let limit: Int
    private var last: UInt64 = 0
    private var connections: [UInt64: Connection] = [:]

    package init(_ limit: Int) { self.limit = limit }

    /// Admits a connection.
    ///
    /// If the limit is reached, closes the oldest connection whose request is not complete, and waits until a
    /// connection has ended.
    /// - Parameter client: The client's socket, which must stay open until ``remove(_:)`` is called.
    /// - Returns: The number of the connection. No other connection has this number.
    /// - Throws: `CancellationError` if the task is cancelled during the wait.
    func admit(_ client: Socket) async throws -> UInt64 {
        while connections.count >= limit {
            closeOldest()
            try await Task.sleep(for: .milliseconds(2))
        }
        last += 1
        connections[last] = Connection(client: client)
        return last
    }

    /// Notes that the whole request has arrived.
    func complete(_ number: UInt64) {
        guard connections[number]?.state == .unfinished else { return }
        connections[number]?.state = .complete
    }

    /// Records the end of a connection.
    func remove(_ number: UInt64) { connections[number] = nil }

    /// Closes the oldest connection whose request is not complete.
    ///
    /// Does nothing while another connection is being closed.
    func closeOldest() {
        guard !connections.values.contains(where: { $0.state == .closing }),
            let (number, oldest) = connections.filter({ $0.value.state == .unfinished })
                .min(by: { $0.key < $1.key })
        else { return }
        connections[number]?.state = .closing
        HeadGate.end(oldest.client)
    }

    /// Returns the number of file descriptors that this process can still open, up to 4,096.
    private static func freeDescriptors() -> Int {
        (0..<min(getdtablesize(), 4_096)).count { fcntl($0, F_GETFD) == -1 }
    }
}
