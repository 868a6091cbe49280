// swift-tools-version: 6.1
import PackageDescription

// This is a small app that was written for the legacy SDK. The package contains the app as it is after each
// of the three steps of the migration. MIGRATION.md and the article on moving call sites show the code of
// this app. The controllers of steps 1 and 2 are identical, and a test checks this. Scripts/checks/examples
// tests one step at a time, because the legacy API starts only once per process.
let package = Package(
    name: "OldStyleApp",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [
        .package(name: "PushBridge", path: "../.."),
        .package(name: "PushBridgeTools", path: "../../Tools"),
    ],
    targets: [
        .target(name: "Step1", dependencies: [.bridge("FRAuthenticator")]),
        .target(
            name: "Step2",
            dependencies: [
                .bridge("CredentialMigration"), .bridge("LegacyFiles"), .bridge("FRAuthenticator"),
                .bridge("PingPush"),
            ]
        ),
        .target(
            name: "Step3",
            dependencies: [.bridge("CredentialMigration"), .bridge("LegacyFiles"), .bridge("PingPush")]
        ),
        .testTarget(
            name: "Step1Tests",
            dependencies: [
                "Step1", .bridge("CredentialMigration"), .bridge("LegacyFiles"),
                .bridge("FRAuthenticator"), .simulator, .server,
            ]
        ),
        .testTarget(
            name: "Step2Tests",
            dependencies: [
                "Step2", .bridge("CredentialMigration"), .bridge("LegacyFiles"),
                .bridge("FRAuthenticator"), .bridge("PingPush"), .simulator, .server,
            ],
            swiftSettings: [.define("STEP_2")]
        ),
        .testTarget(
            name: "Step3Tests",
            dependencies: [
                "Step3", .bridge("CredentialMigration"), .bridge("LegacyFiles"), .bridge("PingPush"),
                .simulator, .server,
            ]
        ),
    ],
    swiftLanguageModes: [.v5]
)

extension Target.Dependency {
    static let simulator = bridge("PingAMSimulator")
    static let server = product(name: "PingAMSimulatorServer", package: "PushBridgeTools")

    static func bridge(_ product: String) -> Target.Dependency {
        .product(name: product, package: "PushBridge")
    }
}
