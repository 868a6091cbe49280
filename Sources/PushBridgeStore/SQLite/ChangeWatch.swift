import Foundation
import GRDB
import PushBridgeCore
import PushBridgePlatform

/// Notices the changes that one listener of a store has to hear of.
///
/// Stores of this process on the same file tell each other at once. Other processes cannot, so SQLite is asked every
/// second, as long as the listener listens, whether another connection has committed.
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
        let hearing = Task { for await _ in own { continuation.yield() } }
        let asking = Task {
            var known = await watch.version()
            // What was committed before this first question shows in no later one.
            continuation.yield()
            while let last = known, await watch.pause() {
                known = await watch.version()
                if known != last { continuation.yield() }
            }
        }
        continuation.onTermination = { _ in
            hearing.cancel()
            asking.cancel()
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

    /// What SQLite changes whenever another connection than this one has committed; `nil` once the store is closed.
    private func version() async -> Int? {
        await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { db in
                // A store that cannot be asked is one that is closed, and its listeners have nothing to hear.
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

    /// The signal of a file, for any spelling of its path.
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
