// swift-tools-version: 6.1
import PackageDescription

// This package contains only the migrator, for an app that keeps the vendor's SDK. It compiles sources of the
// surrounding package, but not that package's APIs, because the targets of the APIs have the same names as the
// vendor's targets. See the article Successor-SDK of CredentialMigration.docc.

/// The vendor's SDK; if the app has the SDK as a local package, PING_IOS_SDK must contain the path of that
/// local package.
let sdk: Package.Dependency =
    switch Context.environment["PING_IOS_SDK"] {
    case let path?: .package(path: path)
    case nil: .package(url: "https://github.com/ForgeRock/ping-ios-sdk", from: "2.1.0")
    }

// Only Apple's platforms read the privacy manifest. On other platforms, the manifest would add a folder
// beside each executable.
#if canImport(Darwin)
let privacy = (exclude: [String](), resources: [Resource.copy("PrivacyInfo.xcprivacy")])
#else
let privacy = (exclude: ["PrivacyInfo.xcprivacy"], resources: [Resource]())
#endif

let package = Package(
    name: "PushBridgeMigrator",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "CredentialMigration", targets: ["CredentialMigration"]),
        .library(name: "PushBridgeAuthMigration", targets: ["PushBridgeAuthMigration"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        sdk,
    ],
    targets: [
        .target(name: "PushBridgeCore", dependencies: [.crypto]),
        .target(name: "PushBridgeBase"),
        .target(name: "PushBridgePlatform", dependencies: ["PushBridgeBase", "PushBridgeCore"]),
        .target(
            name: "PushBridgeFiles",
            dependencies: ["PushBridgePlatform"],
            exclude: privacy.exclude,
            resources: privacy.resources
        ),
        .target(
            name: "PushBridgeStore",
            dependencies: [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeFiles", .crypto, .grdb, .sqlite,
            ]
        ),
        .target(name: "LegacyStore", dependencies: .floor + ["PushBridgeFiles", .crypto]),
        .target(
            name: "CredentialMigration",
            dependencies: .floor + ["PushBridgeFiles", "LegacyStore", .crypto]
        ),
        // This target has the interface of the vendor's migrator and uses the vendor's types. Its name differs from
        // PingAuthMigration, because the vendor's SDK already has a target with that name.
        .target(
            name: "PushBridgeAuthMigration",
            dependencies: [
                "CredentialMigration", .sdk("PingCommons"), .sdk("PingLogger"), .sdk("PingOath"),
                .sdk("PingPush"),
            ],
            path: "Sources/PingAuthMigration"
        ),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

extension [Target.Dependency] {
    static let floor: Self = ["PushBridgeCore", "PushBridgePlatform", "PushBridgeStore"]
}

extension Target.Dependency {
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let sqlite = product(name: "GRDBSQLite", package: "GRDB.swift")

    static func sdk(_ name: String) -> Target.Dependency { product(name: name, package: "ping-ios-sdk") }
}
