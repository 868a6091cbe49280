// swift-tools-version: 6.1
import PackageDescription

// These are two apps that keep the successor SDK and replace only its migrator. `App` calls PushBridge's own
// migration, and `AppOfTheSDK` calls the interface of the SDK's migrator. Scripts/checks/examples runs both
// apps. If you copy this package, replace the path of the stand-in with the SDK's URL, and `../../Migrator` with
// the path of a submodule. If the SDK is a local package, set PING_IOS_SDK to its path; otherwise do not set it.
let package = Package(
    name: "MigratorAlone",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [
        .package(path: "../../Migrator"),
        .package(path: "../BesideOtherSDKs/StandIns/ping-ios-sdk"),
    ],
    targets: [
        .target(
            name: "LegacyPhone",
            dependencies: [.migrator("CredentialMigration"), .sdk("PingOath"), .sdk("PingPush")]
        ),
        .executableTarget(
            name: "App",
            dependencies: [
                "LegacyPhone", .migrator("CredentialMigration"), .sdk("PingPush"), .sdk("PingAuthMigration"),
                .sdk("PingTamperDetector"), .sdk("StandInKeychain"),
            ]
        ),
        .executableTarget(
            name: "AppOfTheSDK",
            dependencies: [
                "LegacyPhone", .migrator("PushBridgeAuthMigration"), .migrator("CredentialMigration"),
                .sdk("PingCommons"), .sdk("PingLogger"), .sdk("PingOath"), .sdk("PingPush"),
                .sdk("PingAuthMigration"),
            ]
        ),
    ]
)

extension Target.Dependency {
    static func migrator(_ name: String) -> Target.Dependency { product(name: name, package: "Migrator") }
    static func sdk(_ name: String) -> Target.Dependency { product(name: name, package: "ping-ios-sdk") }
}
