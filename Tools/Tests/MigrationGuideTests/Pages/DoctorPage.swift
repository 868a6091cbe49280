import CredentialMigration
import Foundation
import PingPush

/// The code in docs/doctor.md.
enum DoctorPage {
    static func examine() throws -> Data {
        // guide: begin
        let doctor = PushDoctor { try StandardStore.open() }
        for finding in doctor.findings {
            print(finding.severity, finding.count, finding.meaning, finding.remedy)
        }
        let attachment = try JSONEncoder().encode(doctor)
        // guide: end
        return attachment
    }
}

// guide: begin
func comparison(of userInfo: [AnyHashable: Any], with source: MigrationSource) async throws -> String {
    let copy = MemoryCredentialStore()
    _ = try CredentialMigration(from: source, to: copy).migrate()
    let client = try await PushClient.createClient { $0.storage = CredentialStoreStorage(copy) }
    do {
        let push = try await client.processNotification(userInfo: userInfo)
        return push == nil ? "This is not a push of PingAM." : "The server has this secret."
    } catch PushError.messageParsingFailed(let reason) {
        return reason
    }
}
// guide: end
