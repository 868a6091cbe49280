// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "PushBridge",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "PushBridgeCore", targets: ["PushBridgeCore"]),
        .library(name: "PushBridgeStore", targets: ["PushBridgeStore"]),
        .library(name: "LegacyStore", targets: ["LegacyStore"]),
        .library(name: "CredentialMigration", targets: ["CredentialMigration"]),
        .library(name: "PingPush", targets: ["PingPush"]),
        .library(name: "PingOath", targets: ["PingOath"]),
        .library(name: "FRAuthenticator", targets: ["FRAuthenticator", "FRCore"]),
        .library(name: "PingAMSimulator", targets: ["PingAMSimulator"]),
        .library(name: "PushParity", targets: ["PushParity"]),
        .executable(name: "pushbridge", targets: ["pushbridge"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(name: "PushBridgeCore", dependencies: [.crypto]),
        .target(name: "PushBridgePlatform", dependencies: ["PushBridgeCore"]),
        .target(
            name: "PushBridgeStore",
            dependencies: ["PushBridgeCore", "PushBridgePlatform", .crypto, .grdb, .sqlite]
        ),
        .target(
            name: "LegacyStore",
            dependencies: ["PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", .crypto, .grdb]
        ),
        .target(
            name: "CredentialMigration",
            dependencies: ["PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "LegacyStore", .crypto]
        ),
        .target(name: "PingLogger", dependencies: [.logging]),
        .target(
            name: "PingPush",
            dependencies: ["PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "PingLogger", .logging]
        ),
        .target(
            name: "PingOath",
            dependencies: ["PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "PingLogger", .logging]
        ),
        .target(
            name: "FRCore",
            dependencies: ["PushBridgeCore", "PushBridgePlatform", .logging]
        ),
        .target(
            name: "FRAuthenticator",
            dependencies: [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "LegacyStore",
                "CredentialMigration", "FRCore", .logging,
            ]
        ),
        .target(name: "PingAMSimulator", dependencies: ["PushBridgeCore", "PushBridgePlatform", .flyingFox]),
        .target(
            name: "PushParity",
            dependencies: [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "CredentialMigration",
                "FRAuthenticator", "FRCore", "LegacyStore", "PingAMSimulator", "PingOath", "PingPush",
            ]
        ),
        .executableTarget(
            name: "pushbridge",
            dependencies: [
                "PushBridgeCore", "PushBridgeStore", "LegacyStore", "CredentialMigration", "PingAMSimulator",
                "PingPush", "PushParity", .argumentParser,
            ]
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "FRAuthenticator", "LegacyStore",
                "PingOath", "PingPush", "pushbridge", .grdb, .sqlite,
            ]
        ),
        .target(
            name: "PushBridgeLegacyCallSites",
            dependencies: ["FRAuthenticator"],
            path: "Tests/LegacyCallSites",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .target(
            name: "PushBridgeLegacyCallSitesSwift6",
            dependencies: ["FRAuthenticator"],
            path: "Tests/LegacyCallSitesSwift6"
        ),
        .target(
            name: "ExampleStep1",
            dependencies: ["FRAuthenticator"],
            path: "Examples/OldStyleApp/Sources/Step1"
        ),
        .target(
            name: "ExampleStep2",
            dependencies: [
                "PushBridgeCore", "PushBridgeStore", "CredentialMigration", "FRAuthenticator", "PingPush",
            ],
            path: "Examples/OldStyleApp/Sources/Step2"
        ),
        .target(
            name: "ExampleStep3",
            dependencies: ["PushBridgeCore", "PushBridgeStore", "CredentialMigration", "PingPush"],
            path: "Examples/OldStyleApp/Sources/Step3"
        ),
        .target(
            name: "PushBridgeTestSupport",
            dependencies: ["PushBridgeCore", "PushBridgePlatform"],
            path: "Tests/PushBridgeTestSupport"
        ),
        .testTarget(name: "PushBridgeCoreTests", dependencies: ["PushBridgeCore", "PushBridgeTestSupport"]),
        .testTarget(
            name: "PushBridgeStoreTests",
            dependencies: ["PushBridgeCore", "PushBridgeStore", "PushBridgeTestSupport", .crypto, .grdb]
        ),
        .testTarget(
            name: "LegacyStoreTests",
            dependencies: [
                "PushBridgeCore", "PushBridgeStore", "LegacyStore", "PushBridgeTestSupport", .crypto, .grdb,
            ]
        ),
        .testTarget(
            name: "CredentialMigrationTests",
            dependencies: [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "LegacyStore", "CredentialMigration",
                "PushBridgeTestSupport",
            ]
        ),
        .testTarget(
            name: "PingAMSimulatorTests",
            dependencies: ["PushBridgeCore", "PingAMSimulator", "PushBridgeTestSupport"]
        ),
        .testTarget(
            name: "PushBridgePlatformTests",
            dependencies: ["PushBridgeCore", "PushBridgePlatform", "PushBridgeTestSupport"]
        ),
        .testTarget(
            name: "FRCoreTests",
            dependencies: [
                "PushBridgeCore", "PushBridgePlatform", "FRAuthenticator", "FRCore", "PingPush",
                "PushBridgeTestSupport",
            ]
        ),
        .testTarget(
            name: "PingPushTests",
            dependencies: [
                "PingPush", "PushBridgeCore", "PushBridgeStore", "CredentialMigration", "LegacyStore",
                "PingAMSimulator", "PushBridgeTestSupport", .crypto,
            ]
        ),
        .testTarget(
            name: "PingPushDocumentTests",
            dependencies: ["PingPush", "PingAMSimulator", "PushBridgeTestSupport"]
        ),
        .testTarget(
            name: "PingOathTests",
            dependencies: [
                "PingOath", "PingPush", "PushBridgeCore", "PushBridgeStore", "PushBridgeTestSupport",
            ]
        ),
        .testTarget(
            name: "FRAuthenticatorTests",
            dependencies: [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "CredentialMigration",
                "FRAuthenticator", "FRCore", "PushBridgeLegacyCallSites", "PushBridgeLegacyCallSitesSwift6",
                "LegacyStore",
                "PingAMSimulator", "PingPush", "PushBridgeTestSupport",
            ]
        ),
        .testTarget(
            name: "MigrationGuideTests",
            dependencies: [
                "PushBridgeCore", "PushBridgeStore", "CredentialMigration", "ExampleStep1", "ExampleStep2",
                "ExampleStep3", "FRAuthenticator", "LegacyStore", "PingAMSimulator", "PingOath", "PingPush",
                "PushParity", "PushBridgeTestSupport",
            ]
        ),
        .testTarget(
            name: "PushParityTests",
            dependencies: [
                "PushBridgeCore", "PushBridgePlatform", "PingAMSimulator", "PushParity",
                "PushBridgeTestSupport",
            ]
        ),
        .testTarget(
            name: "PushBridgeTests",
            dependencies: [
                "PushBridgeCore", "PushBridgeStore", "CredentialMigration", "PingAMSimulator", "pushbridge",
                "PushBridgeTestSupport", .grdb,
            ]
        ),
    ]
)

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let flyingFox = product(name: "FlyingFox", package: "FlyingFox")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let logging = product(name: "Logging", package: "swift-log")
    static let sqlite = product(name: "GRDBSQLite", package: "GRDB.swift")
}

// The call sites are old code, which knows no upcoming feature; one of the two targets compiles it as Swift 5.
for target in package.targets where !target.name.hasPrefix("PushBridgeLegacyCallSites") {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
