import CredentialMigration
import Foundation
import PingCommons
import PingLogger

/// One run of the migration, step by step.
struct MigrationRun: Sendable {
    private let config: AuthMigrationConfig
    private let report: @Sendable (MigrationProgress) -> Void

    init(_ config: AuthMigrationConfig, _ report: @escaping @Sendable (MigrationProgress) -> Void) {
        self.config = config
        self.report = report
    }

    /// The step that ended the run, and the step's error.
    private struct Failure: Error {
        let step: MigrationStep
        let error: any Error
    }

    /// Runs all steps and reports their progress.
    /// - Returns: Whether all steps succeeded.
    func run() async -> Bool {
        report(.started)
        if let rollout = config.rollout { Task { await rollout.deliver() } }
        do throws(Failure) {
            let receipt = try await migrate()
            let oath = receipt.records.count { [.totp, .hotp].contains($0.kind) }
            let push = receipt.records.count { $0.kind == .push }
            let message = "Migrated \(oath) OATH + \(push) Push credentials"
            config.logger?.i(message)
            report(.success(message: message))
            return true
        } catch {
            config.logger?.e(
                "\(error.step.description): \(AuthMigrationError.sentence(error.error))",
                error: nil
            )
            report(.error(step: error.step, underlyingError: error.error))
            return false
        }
    }

    private func migrate() async throws(Failure) -> MigrationReceipt {
        // The step for the clean-up is reported even if the app has turned the clean-up off, because the SDK does the
        // same.
        let total = 3
        report(.inProgress(step: .importLegacyData, current: 1, total: total))
        guard let source = config.legacySource else {
            throw Failure(step: .importLegacyData, error: AuthMigrationError.noLegacyDataFound)
        }
        // If the records are for an app's own storages, they are first converted and proven in memory.
        let storages = config.storages
        let items = InMemoryKeychain()
        let destination = storages == nil ? config.destination : KeychainCredentialStore(keychain: items)
        let migration = CredentialMigration(from: source, to: destination)
        let plan = try await working(.importLegacyData) { () throws in
            TemporaryBackup.clear(config.logger)
            let plan = try migration.plan()
            guard !plan.records.isEmpty else { throw AuthMigrationError.noLegacyDataFound }
            return plan
        }
        report(.stepCompleted(step: .importLegacyData))

        report(.inProgress(step: .migrateCredentials, current: 2, total: total))
        let receipt = try await apply(plan, migration)
        var reasons: [RecordFingerprint: String] = [:]
        for record in receipt.records where !record.isRetirable {
            reasons[record.fingerprint] = record.result.reason ?? "The record was not proven."
        }
        if let storages {
            do {
                let stored = try await storages.store(items)
                for record in receipt.records where reasons[record.fingerprint] == nil {
                    reasons[record.fingerprint] = stored.obstacle(to: record)
                }
            } catch {
                throw Failure(step: .migrateCredentials, error: error)
            }
        }
        func requireEveryRecord(_ step: MigrationStep) throws(Failure) {
            let left = receipt.records.compactMap { record in
                reasons[record.fingerprint].map {
                    LegacyRecordsLeft.Record(kind: record.kind.rawValue, key: record.key, reason: $0)
                }
            }
            guard left.isEmpty else { throw Failure(step: step, error: LegacyRecordsLeft(records: left)) }
        }
        if !config.cleanupLegacyData { try requireEveryRecord(.migrateCredentials) }
        report(.stepCompleted(step: .migrateCredentials))
        report(.inProgress(step: .cleanup, current: 3, total: total))
        if config.cleanupLegacyData {
            let proven = receipt.filter { reasons[$0.fingerprint] == nil }
            let removed = try await remove(proven, migration)
            for record in proven.records where !removed.contains(record.fingerprint) {
                reasons[record.fingerprint] = "The record changed during the migration."
            }
        }
        try requireEveryRecord(.cleanup)
        report(.stepCompleted(step: .cleanup))
        return receipt
    }

    private func apply(
        _ plan: MigrationPlan,
        _ migration: CredentialMigration
    ) async throws(Failure) -> MigrationReceipt {
        guard let rollout = config.rollout else {
            return try await working(.migrateCredentials) { try migration.apply(plan) }
        }
        return try await gated(.migrateCredentials) { try await rollout.apply(plan, of: migration) }
    }

    private func remove(
        _ receipt: MigrationReceipt,
        _ migration: CredentialMigration
    ) async throws(Failure) -> Set<RecordFingerprint> {
        let temporary: URL?
        do {
            temporary = try config.backup == nil ? TemporaryBackup.file() : nil
        } catch {
            throw failure(.cleanup, error)
        }
        defer { TemporaryBackup.clear(config.logger) }
        guard let backup = config.backup ?? temporary else { return [] }
        let warn: @Sendable (String) -> Void = { [config] in config.logger?.w($0, error: nil) }
        guard let rollout = config.rollout else {
            return try await working(.cleanup) { try migration.retire(receipt, backup: backup, warn: warn) }
        }
        return try await gated(.cleanup) {
            try await rollout.retire(receipt, of: migration, backup: backup, warn: warn)
        }
    }

    /// Returns the result of a step; throws ``MigrationHeldBack`` in a `Failure` if the app's roll-out blocks the step.
    private func gated<Value: Sendable>(
        _ step: MigrationStep,
        _ body: () async throws -> MigrationRollout.Result<Value>
    ) async throws(Failure) -> Value {
        do {
            switch try await body() {
            case .done(let value): return value
            case .refused(let answer): throw MigrationHeldBack(answer: answer)
            case .held: throw MigrationHeldBack(answer: nil)
            }
        } catch {
            throw failure(step, error)
        }
    }

    /// Runs a step with ``blocking(_:)``, and converts the step's errors into errors of the SDK.
    private func working<Value: Sendable>(
        _ step: MigrationStep,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws(Failure) -> Value {
        do {
            return try await blocking { Result { try body() } }.get()
        } catch {
            throw failure(step, error)
        }
    }

    private func failure(_ step: MigrationStep, _ error: any Error) -> Failure {
        let named: any Error =
            switch error {
            case is AuthMigrationError, is MigrationHeldBack: error
            case is LegacyStoreError where step != .cleanup: AuthMigrationError.failedToReadLegacyData(error)
            default:
                step == .cleanup
                    ? AuthMigrationError.failedToCleanupLegacyData(error)
                    : AuthMigrationError.failedToSavePushCredentials(error)
            }
        return Failure(step: step, error: named)
    }
}

/// The backup of the legacy items for an app that has set no backup; it exists only while items are removed.
///
/// If an interrupted run left a backup, the next run deletes it.
enum TemporaryBackup {
    private static var folder: URL {
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return FileManager.default.temporaryDirectory.appendingPathComponent("\(app).legacy-items")
    }

    /// Returns the path of a new file in a folder that only this user can access.
    static func file() throws -> URL {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return folder.appendingPathComponent(UUID().uuidString)
    }

    /// Removes all temporary backups.
    ///
    /// No data is lost, because only records that were proven in the destination are removed from the legacy store.
    ///
    /// A failure is logged, because a backup contains unencrypted secrets. The next run repeats the call.
    static func clear(_ logger: (any PingLogger.Logger)? = nil) {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch let error as CocoaError where [.fileNoSuchFile, .fileReadNoSuchFile].contains(error.code) {
            // There is no backup.
        } catch {
            logger?.w("A temporary copy of the legacy items was not removed.", error: error)
        }
    }
}
