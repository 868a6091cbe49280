import Foundation
import GRDB
import PushBridgeCore
import PushBridgePlatform

/// Detects the changes of a store for one listener.
///
/// Stores of this process on the same file notify each other immediately. To detect the commits of other processes,
/// this type polls SQLite every second while the listener exists.
struct ChangeWatch: Sendable {
    let pool: DatabasePool
    let signal: ChangeSignal
    var interval = Duration.seconds(1)

    func changes() -> AsyncStream<Void> {
        let own = signal.stream()
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let watch = self
        let forwarding = Task { for await _ in own { continuation.yield() } }
        let polling = Task {
            var known = await watch.version()
            // A change is reported now, because later polls cannot detect a commit that was made before this
            // first poll.
            continuation.yield()
            while let last = known, await watch.pause() {
                known = await watch.version()
                if known != last { continuation.yield() }
            }
        }
        continuation.onTermination = { _ in
            forwarding.cancel()
            polling.cancel()
        }
        return stream
    }

    private func pause() async -> Bool {
        do {
            try await Task.sleep(for: interval)
            return true
        } catch {
            return false
        }
    }

    /// Returns a number that changes whenever another connection has committed; `nil` if the store has been
    /// closed.
    private func version() async -> Int? {
        await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { db in
                // The query fails only for a closed store, whose listeners receive no more elements.
                continuation.resume(
                    returning: Result { try Int.fetchOne(db, sql: "PRAGMA data_version") }.value
                )
            }
        }
    }
}

extension Result where Success == Int? {
    fileprivate var value: Int? {
        switch self {
        case .success(let value): value
        case .failure: nil
        }
    }
}

/// The signals of all stores that are open in this process, one for each file.
enum FileSignals {
    private static let signals = Lock<[String: Reference]>([:])

    /// Returns the signal of a file; a path through symbolic links gives the same signal.
    static func signal(path: String) -> ChangeSignal {
        let name = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return signals.withValue { signals in
            if let signal = signals[name]?.signal { return signal }
            signals = signals.filter { $0.value.signal != nil }
            let signal = ChangeSignal()
            signals[name] = Reference(signal: signal)
            return signal
        }
    }

    private struct Reference: Sendable {
        weak var signal: ChangeSignal?
    }
}
