import FRAuthenticator
import Foundation

@testable import Step1

/// The app on a phone.
///
/// The app is launched once per process, because the legacy API starts only once.
enum Phone {
    static let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    private static let launched = Result {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        FRAClient.localAuthentication = WillingUser()
        let app = AppDelegate()
        try app.launch(in: folder)
        return app
    }

    static func app() async throws -> AppDelegate { try launched.get() }
}
