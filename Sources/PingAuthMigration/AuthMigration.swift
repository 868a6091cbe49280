import CredentialMigration
import Foundation
public import PingCommons
import PingLogger
import PingOath
import PingPush

/// A replacement for the successor SDK's migrator; it runs PushBridge's migration.
///
/// Call sites do not change. There are three differences: every migrated credential is proven; only proven records are
/// removed; and if a run has to leave records in the legacy store, it ends with ``LegacyRecordsLeft`` instead of a
/// success. Except for PushBridge's migration, the files of this module use only names that the SDK also declares, so
/// they also compile with the SDK's types.
public final class AuthMigration: Sendable {
    private static let runLock = RunLock()

    /// Migrates the data of the legacy SDK in the background.
    ///
    /// The migration continues even if nobody reads the events. It can be interrupted and repeated at any
    /// point. If a migration has already succeeded in this process, or if one is still running, the stream
    /// ends without an event.
    /// - Parameter configure: Changes the settings.
    /// - Returns: The events: `MigrationProgress/started`, events at the start and the end of each step, and a
    ///   success or an error.
    public static func start(
        configure: (AuthMigrationConfig) -> Void = { _ in }
    ) -> AsyncStream<MigrationProgress> {
        let config = AuthMigrationConfig()
        configure(config)
        let (stream, events) = AsyncStream.makeStream(of: MigrationProgress.self)
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
    /// - Returns: Whether a migration ran and all of its steps succeeded. If the result is `false`, no record
    ///   is lost.
    @discardableResult
    public static func migrateIfNeeded(
        configure: (AuthMigrationConfig) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        await isDone(start(configure: configure))
    }

    /// Migrates the data of the legacy SDK, and waits until the migration ends.
    ///
    /// This overload has exactly the signature of the successor SDK's method, because function values and protocols
    /// require this signature.
    /// - Parameter configure: Changes the settings.
    /// - Returns: Whether a migration ran and all of its steps succeeded.
    @_disfavoredOverload
    @discardableResult
    public static func migrateIfNeeded(
        configure: (AuthMigrationConfig) -> Void = { _ in }
    ) async -> Bool {
        await isDone(start(configure: configure))
    }

    private static func isDone(_ events: AsyncStream<MigrationProgress>) async -> Bool {
        var isDone = false
        for await event in events {
            if case .success = event { isDone = true }
        }
        return isDone
    }

    /// Returns whether the legacy SDK's keychain items contain records that a migration can import or remove.
    ///
    /// An item that cannot be read because the device is locked counts as a record to import; a damaged record does
    /// not count. If the destination cannot be read, the result is `true`.
    /// - Parameter accessGroup: The access group of the legacy items; `nil` means all access groups of the app.
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
            runLock.clearUnlessRunning(config.logger)
            do {
                let outcomes = try migration.verify().records.lazy.map(\.result.outcome)
                return outcomes.contains { $0.isRetirable || $0.isTemporary }
            } catch let error as LegacyStoreError {
                return error.code == .locked
            } catch {
                // The destination cannot be read now, for example because the device is locked. So the migration may
                // still be needed.
                return true
            }
        }
    }

    /// After a success, allows another migration in this process; used by tests.
    static func forget() { runLock.forget() }
}

/// Allows one run at a time, and no further run after a success.
///
/// The conformance to `Sendable` is unchecked, because `lock` guards `state`. The class does not use this
/// package's `Lock`, because the SDK does not declare that type.
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

    /// Removes the temporary backup that a killed run left, unless another run is in progress.
    func clearUnlessRunning(_ logger: (any PingLogger.Logger)? = nil) {
        lock.withLock { if state != .running { TemporaryBackup.clear(logger) } }
    }

    func forget() { lock.withLock { if state == .done { state = .idle } } }
}

/// Runs `body`, which may block, on a Dispatch thread, so that it blocks none of the threads that Swift's tasks share.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .userInitiated).async { continuation.resume(returning: body()) }
    }
}
