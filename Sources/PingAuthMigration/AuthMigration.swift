import CredentialMigration
import Foundation
public import PingCommons
import PingOath
import PingPush

/// The interface of the successor SDK's own migrator, over this package's migration.
///
/// A call site stays as it is; what differs: every credential is proven, only what was proven is removed, and a run that
/// leaves a record where it is ends with ``LegacyRecordsLeft`` instead of a success. The files of this module name only
/// what both packages declare, so they can be built over the SDK's types as well as over ours.
public final class AuthMigration: Sendable {
    private static let runLock = RunLock()

    /// Migrates the data of the legacy SDK in the background.
    ///
    /// The migration continues without a listener, and can be interrupted and repeated at any point. If one has already
    /// succeeded in this process, or is running, the stream ends without an event.
    /// - Parameter configure: Changes the settings.
    /// - Returns: The events: `MigrationProgress/started`, each step, and a success or an error.
    public static func start(
        configure: (AuthMigrationConfig) -> Void = { _ in }
    ) -> AsyncStream<PingCommons.MigrationProgress> {
        let config = AuthMigrationConfig()
        configure(config)
        let (stream, events) = AsyncStream.makeStream(of: PingCommons.MigrationProgress.self)
        guard runLock.begin() else {
            events.finish()
            return stream
        }
        Task.detached {
            let isDone = await MigrationRun(config) { events.yield($0) }.run()
            runLock.end(isDone)
            events.finish()
        }
        return stream
    }

    /// Migrates the data of the legacy SDK, and waits until the migration ends.
    /// - Parameters:
    ///   - configure: Changes the settings.
    ///   - isolation: The caller's actor.
    /// - Returns: Whether a migration ran and every record was imported; nothing is lost on `false` either.
    @discardableResult
    public static func migrateIfNeeded(
        configure: (AuthMigrationConfig) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        await isDone(start(configure: configure))
    }

    /// Same as the other overload; for function values and protocols, which need the vendor's exact signature.
    /// - Parameter configure: Changes the settings.
    /// - Returns: Whether a migration ran and every record arrived.
    @_disfavoredOverload
    @discardableResult
    public static func migrateIfNeeded(
        configure: (AuthMigrationConfig) -> Void = { _ in }
    ) async -> Bool {
        await isDone(start(configure: configure))
    }

    private static func isDone(_ events: AsyncStream<PingCommons.MigrationProgress>) async -> Bool {
        var isDone = false
        for await event in events {
            if case .success = event { isDone = true }
        }
        return isDone
    }

    /// Whether the legacy SDK's keychain items contain something that a migration can import or remove.
    ///
    /// Damaged records that an earlier migration left do not count. Items that cannot be read because the device is locked
    /// do.
    /// - Parameter accessGroup: The group of the legacy items; `nil` is the app's own.
    /// - Returns: Whether ``start(configure:)`` has work to do.
    public static func isMigrationNeeded(accessGroup: String? = nil) async -> Bool {
        let config = AuthMigrationConfig()
        config.accessGroup = accessGroup
        return await isMigrationNeeded(config)
    }

    static func isMigrationNeeded(_ config: AuthMigrationConfig) async -> Bool {
        guard let source = config.legacySource else { return false }
        let migration = CredentialMigration(from: source, to: config.destination)
        return await blocking {
            runLock.clearUnlessRunning()
            do {
                let outcomes = try migration.verify().records.lazy.map(\.result.outcome)
                return outcomes.contains { $0.isRetirable || $0 == .locked }
            } catch let error as LegacyStoreError {
                return error.code == .locked
            } catch {
                // The destination is locked or refuses: nothing is done yet.
                return true
            }
        }
    }

    /// Forgets that a migration succeeded, for tests.
    static func forget() { runLock.forget() }
}

/// One run at a time, and none after a success.
///
/// Unchecked because `lock` guards `state`: the lock of this package is not among what the SDK declares too.
final class RunLock: @unchecked Sendable {
    private enum State { case idle, running, done }

    private let lock = NSLock()
    private var state = State.idle

    func begin() -> Bool {
        lock.withLock {
            guard state == .idle else { return false }
            state = .running
            return true
        }
    }

    func end(_ isDone: Bool) { lock.withLock { state = isDone ? .done : .idle } }

    /// Removes what a killed run left, but never the copy of one that is under way.
    func clearUnlessRunning() { lock.withLock { if state != .running { TemporaryBackup.clear() } } }

    func forget() { lock.withLock { if state == .done { state = .idle } } }
}

/// Calls `body`, which blocks, on a thread that may wait.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .userInitiated).async { continuation.resume(returning: body()) }
    }
}
