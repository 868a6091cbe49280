import Foundation

/// Tells listeners that something changed, never what; a slow listener hears once of many changes.
package final class ChangeSignal: Sendable {
    private let listeners = Lock<[UUID: AsyncStream<Void>.Continuation]>([:])

    package init() {}

    /// One element after every change from now on, until the stream is dropped.
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
        // The last reference may go here; its end must not ask for the lock again.
        let removed = listeners.withValue { $0.removeValue(forKey: id) }
        _ = removed
    }
}
