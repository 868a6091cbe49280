import CredentialMigration
import Foundation
import LegacyPhone
import PingCommons
import PingLogger
import PingOath
import PingPush
// This import replaces the import of PingAuthMigration. The call sites do not change.
import PushBridgeAuthMigration

/// Calls the interface of the successor SDK's migrator, and prints each problem.
///
/// The first call passes the SDK's storages, and the second call passes no storages.
@main
struct AppOfTheSDK {
    static func main() async throws {
        let findings = try await findings()
        for finding in findings { print(finding) }
        exit(findings.isEmpty ? 0 : 1)
    }

    static func findings() async throws -> [String] {
        var findings: [String] = []
        // The first migration uses the SDK's own storages, and the legacy store contains a record that cannot
        // be read.
        var legacy = try LegacyPhone.keychain()
        try legacy.add(
            KeychainItem(.init(service: LegacyPhone.services[1], account: "damaged"), data: Data([0]))
        )
        var events = await events { config in
            config.source = .keychain(legacy)
            config.logger = SilentLogger()
            config.oathStorage = OathKeychainStorage()
            config.pushStorage = PushKeychainStorage()
        }
        let steps = [
            "started", "importLegacyData 1/3", "importLegacyData done", "migrateCredentials 2/3",
            "migrateCredentials done", "cleanup 3/3",
        ]
        if events != steps + ["cleanup: left [\"damaged\"]"] { findings.append("Wrong events: \(events)") }
        if try LegacyPhone.items(legacy) != ["damaged"] { findings.append("Wrong legacy items are left.") }
        findings += try await differencesThatTheSDKSees()

        // The second migration writes the SDK's keychain items. They are the default on a phone if an app sets no
        // storages.
        legacy = try LegacyPhone.keychain()
        let phone = InMemoryKeychain()
        events = await Self.events { config in
            config.source = .keychain(legacy)
            config.destination = KeychainCredentialStore(keychain: phone)
        }
        if events != steps + ["cleanup done", "success"] { findings.append("Wrong events: \(events)") }
        if try !LegacyPhone.items(legacy).isEmpty { findings.append("Legacy items are left.") }
        let secrets = try phone.accounts(service: "com.pingidentity.oath.secrets", accessGroup: nil)
        if secrets.count != 3 { findings.append("Unexpected secrets are in the keychain: \(secrets)") }
        return findings
    }

    static func events(_ configure: (AuthMigrationConfig) -> Void) async -> [String] {
        var events: [String] = []
        for await event in AuthMigration.start(configure: configure) {
            switch event {
            case .started: events.append("started")
            case .inProgress(let step, let current, let total):
                events.append("\(step.id) \(current)/\(total)")
            case .stepCompleted(let step): events.append("\(step.id) done")
            case .success: events.append("success")
            case .error(let step, let error as LegacyRecordsLeft):
                events.append("\(step.id): left \(error.records.map(\.key))")
            case .error(let step, let error): events.append("\(step.id): \(error.localizedDescription)")
            }
        }
        return events
    }
}

private struct SilentLogger: PingLogger.Logger {
    func d(_ message: String) {}
    func i(_ message: String) {}
    func w(_ message: String, error: (any Error)?) {}
    func e(_ message: String, error: (any Error)?) {}
}
