import Foundation

/// The open streams of pending notifications; a slow reader misses what is superseded, never the newest.
final class PendingStreams: Sendable {
    private let continuations = Lock<[UUID: AsyncStream<[PushNotification]>.Continuation]>([:])

    /// A stream that begins with what `read` finds; one that ends at once if it finds nothing to read.
    func stream(beginningWith read: () -> [PushNotification]?) -> AsyncStream<[PushNotification]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [PushNotification].self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = UUID()
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        let isOpen = continuations.withValue { continuations in
            guard let pending = read() else { return false }
            continuation.yield(pending)
            continuations[id] = continuation
            return true
        }
        if !isOpen { continuation.finish() }
        return stream
    }

    /// Sends what `read` finds to all streams; one caller after the other, so that the newest comes last.
    func yield(_ read: () -> [PushNotification]?) {
        continuations.withValue { continuations in
            guard !continuations.isEmpty, let pending = read() else { return }
            for continuation in continuations.values { continuation.yield(pending) }
        }
    }

    func finish() {
        let open = continuations.withValue { continuations in
            defer { continuations = [:] }
            return Array(continuations.values)
        }
        for continuation in open { continuation.finish() }
    }

    private func remove(_ id: UUID) {
        continuations.withValue { $0[id] = nil }
    }
}
