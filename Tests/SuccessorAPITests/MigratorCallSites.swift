import Foundation
import PingAuthMigration
import PingCommons
import PingLogger
import PingOath
import PingPush

/// Calls of the vendor's migrator, as an app makes them.
@MainActor
final class MigratorCallSites {
    private(set) var steps: [String] = []
    private(set) var fraction = 0.0

    func migrate(_ oath: (any OathStorage)?, _ push: (any PushStorage)?) async {
        guard await AuthMigration.isMigrationNeeded(accessGroup: "TEAM.com.example.shared") else { return }
        let progress = AuthMigration.start { config in
            config.accessGroup = nil
            config.logger = LogManager.standard
            config.cleanupLegacyData = false
            config.oathStorage = oath
            config.pushStorage = push
        }
        for await event in progress {
            switch event {
            case .started: steps = []
            case .inProgress(let step, let current, let total):
                steps.append(step.description)
                fraction = Double(current) / Double(total)
            case .stepCompleted(let step): if step == .cleanup { fraction = 1 }
            case .success(let message): steps.append(message)
            case .error(let step, let error): steps.append("\(step.id) \(words(error))")
            }
        }
    }

    func migrateAtLaunch() async {
        await AuthMigration.migrateIfNeeded()
        let isDone = await AuthMigration.migrateIfNeeded { $0.cleanupLegacyData = true }
        steps.append(isDone ? MigrationStep.importLegacyData.id : MigrationStep.migrateCredentials.id)
    }

    private func words(_ error: any Error) -> String {
        switch error as? AuthMigrationError {
        case .noLegacyDataFound?: "none"
        case .failedToReadLegacyData(let cause)?, .failedToDecryptLegacyData(let cause)?,
            .failedToSaveOathCredentials(let cause)?, .failedToSavePushCredentials(let cause)?,
            .failedToCleanupLegacyData(let cause)?:
            cause.localizedDescription
        case .failedToDeserializeLegacyData(let reason)?: reason
        case nil: error.localizedDescription
        }
    }
}
