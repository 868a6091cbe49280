import CredentialMigration
import Foundation

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
