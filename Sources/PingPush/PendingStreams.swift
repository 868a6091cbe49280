import Foundation
import PushBridgeCore
import PushBridgePlatform

/// The open streams, which deliver lists of pending notifications.
///
/// A slow reader may miss a list that a newer list has replaced, but never the newest list.
final class PendingStreams: Sendable {
    private typealias Continuation = AsyncStream<[PushNotification]>.Continuation

    private let open = Lock<[UUID: Continuation]?>([:])

    /// Returns a stream of the results of `read`.
    ///
    /// The stream delivers the current result immediately and, after each change, the new result if it differs from
    /// the previous one. If `read` returns `nil`, the stream delivers nothing.
    func stream(
        after changes: AsyncStream<Void>,
        _ read: @escaping @Sendable () async -> [PushNotification]?
    ) -> AsyncStream<[PushNotification]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [PushNotification].self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let task = Task {
            var last: [PushNotification]?
            func yieldPending() async {
                guard let pending = await read(), pending != last else { return }
                continuation.yield(pending)
                last = pending
            }
            await yieldPending()
            for await _ in changes { await yieldPending() }
        }
        let id = UUID()
        // This handler must be set before the stream can end. A handler that is set later is never called.
        continuation.onTermination = { [weak self] _ in
            task.cancel()
            self?.remove(id)
        }
        let isOpen = open.withValue { open in
            open?[id] = continuation
            return open != nil
        }
        if !isOpen { continuation.finish() }
        return stream
    }

    /// Ends all streams; streams that are requested later end immediately.
    func finish() {
        let streams = open.withValue { open in
            defer { open = nil }
            return open.map { Array($0.values) } ?? []
        }
        for continuation in streams { continuation.finish() }
    }

    private func remove(_ id: UUID) {
        // The closure returns the continuation, so that the continuation is deallocated only after the lock
        // is released. The termination handler of the continuation acquires the lock.
        _ = open.withValue { $0?.removeValue(forKey: id) }
    }
}
