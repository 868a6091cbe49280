import Foundation

/// Notifies listeners of changes, without details.
///
/// A slow listener receives one element for several changes.
package final class ChangeSignal: Sendable {
    private let listeners = Lock<[UUID: AsyncStream<Void>.Continuation]>([:])

    package init() {}

    /// Returns a stream that reports later changes until the stream is deallocated.
    package func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = UUID()
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        listeners.withValue { $0[id] = continuation }
        return stream
    }

    package func send() {
        for listener in listeners.withValue({ Array($0.values) }) { listener.yield() }
    }

    private func remove(_ id: UUID) {
        // Releasing the removed value may call its termination handler, which uses the lock. So the value is
        // released outside the lock.
        let removed = listeners.withValue { $0.removeValue(forKey: id) }
        _ = removed
    }
}
