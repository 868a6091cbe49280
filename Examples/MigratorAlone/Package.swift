// swift-tools-version: 6.1
import PackageDescription

// Two apps that keep the vendor's SDK and replace only its migrator: `App` calls this package's migration, `AppOfTheSDK`
// calls the vendor's interface. Scripts/checks/examples runs both. An app has the address of the vendor's SDK where this has the
// path of its stand-in (and PING_IOS_SDK set to it), and the path of a submodule where this has `../../Migrator`.
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
