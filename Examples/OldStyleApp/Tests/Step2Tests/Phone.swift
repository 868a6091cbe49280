import FRAuthenticator
import Foundation

@testable import Step2

/// The app on a phone that has the accounts of the old version.
///
/// The app is launched once per process, because the legacy API starts only once.
enum Phone {
    private static let launched = Task {
        let legacy = try await LegacyPhone(account: "veteran")
        FRAClient.localAuthentication = WillingUser()
        let app = AppDelegate()
        try app.launch(in: legacy.folder)
        return (app, legacy)
    }

    static func app() async throws -> AppDelegate { try await launched.value.0 }
    static func legacy() async throws -> LegacyPhone { try await launched.value.1 }
}
