// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "PushBridge",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "AuthenticatorCore", targets: ["AuthenticatorCore"]),
        .library(name: "AuthenticatorStore", targets: ["AuthenticatorStore"]),
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
        .target(name: "AuthenticatorCore", dependencies: [.crypto]),
        .target(name: "AuthenticatorDevice", dependencies: ["AuthenticatorCore"]),
        .target(name: "AuthenticatorKeychain", dependencies: ["AuthenticatorCore"]),
        .target(name: "AuthenticatorNetwork", dependencies: ["AuthenticatorCore"]),
        .target(
            name: "AuthenticatorStore",
            dependencies: ["AuthenticatorCore", "AuthenticatorKeychain", .crypto, .grdb, .sqlite]
        ),
        .target(
            name: "LegacyStore",
            dependencies: ["AuthenticatorCore", "AuthenticatorKeychain", .crypto, .grdb]
        ),
        .target(
            name: "CredentialMigration",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorKeychain", "AuthenticatorStore", "LegacyStore", .crypto,
            ]
        ),
        .target(name: "PingLogger", dependencies: [.logging]),
        .target(
            name: "PingPush",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorDevice", "AuthenticatorKeychain", "AuthenticatorNetwork",
                "AuthenticatorStore", "PingLogger", .logging,
            ]
        ),
        .target(
            name: "PingOath",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorDevice", "AuthenticatorStore", "PingLogger", .logging,
            ]
        ),
        .target(
            name: "FRCore",
            dependencies: ["AuthenticatorCore", "AuthenticatorDevice", "AuthenticatorNetwork", .logging]
        ),
        .target(
            name: "FRAuthenticator",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorDevice", "AuthenticatorKeychain", "AuthenticatorNetwork",
                "AuthenticatorStore", "LegacyStore", "CredentialMigration", "FRCore", .logging,
            ]
        ),
        .target(name: "PingAMSimulator", dependencies: ["AuthenticatorCore", .flyingFox]),
        .target(
            name: "PushParity",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorNetwork", "AuthenticatorStore", "CredentialMigration",
                "FRAuthenticator", "FRCore", "LegacyStore", "PingAMSimulator", "PingOath", "PingPush",
            ]
        ),
        .executableTarget(
            name: "pushbridge",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorStore", "LegacyStore", "CredentialMigration",
                "PingAMSimulator", "PingPush", "PushParity", .argumentParser,
            ]
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorNetwork", "AuthenticatorStore", "FRAuthenticator",
                "LegacyStore", "PingOath", "PingPush", "pushbridge", .grdb, .sqlite,
            ]
        ),
        .target(
            name: "LegacyCallSites",
            dependencies: ["FRAuthenticator"],
            path: "Tests/LegacyCallSites",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .target(
            name: "LegacyCallSitesSwift6",
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
                "AuthenticatorCore", "AuthenticatorStore", "CredentialMigration", "FRAuthenticator",
                "PingPush",
            ],
            path: "Examples/OldStyleApp/Sources/Step2"
        ),
        .target(
            name: "ExampleStep3",
            dependencies: ["AuthenticatorCore", "AuthenticatorStore", "CredentialMigration", "PingPush"],
            path: "Examples/OldStyleApp/Sources/Step3"
        ),
        .target(name: "TestSupport", dependencies: ["AuthenticatorCore"], path: "Tests/TestSupport"),
        .testTarget(name: "AuthenticatorCoreTests", dependencies: ["AuthenticatorCore", "TestSupport"]),
        .testTarget(
            name: "AuthenticatorDeviceTests",
            dependencies: ["AuthenticatorDevice"]
        ),
        .testTarget(
            name: "AuthenticatorStoreTests",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorKeychain", "AuthenticatorStore", "TestSupport", .crypto,
                .grdb,
            ]
        ),
        .testTarget(
            name: "LegacyStoreTests",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorKeychain", "LegacyStore", "TestSupport", .crypto, .grdb,
            ]
        ),
        .testTarget(
            name: "CredentialMigrationTests",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorKeychain", "AuthenticatorStore", "LegacyStore",
                "CredentialMigration", "TestSupport",
            ]
        ),
        .testTarget(
            name: "PingAMSimulatorTests",
            dependencies: ["AuthenticatorCore", "PingAMSimulator", "TestSupport"]
        ),
        .testTarget(
            name: "AuthenticatorNetworkTests",
            dependencies: ["AuthenticatorCore", "AuthenticatorNetwork", "TestSupport"]
        ),
        .testTarget(
            name: "FRCoreTests",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorNetwork", "FRAuthenticator", "FRCore", "PingPush",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "AuthenticatorKeychainTests",
            dependencies: ["AuthenticatorCore", "AuthenticatorKeychain", "TestSupport"]
        ),
        .testTarget(
            name: "PingPushTests",
            dependencies: [
                "PingPush", "AuthenticatorCore", "AuthenticatorKeychain", "AuthenticatorStore",
                "CredentialMigration", "LegacyStore", "PingAMSimulator", "TestSupport", .crypto,
            ]
        ),
        .testTarget(
            name: "PingPushDocumentTests",
            dependencies: ["PingPush", "PingAMSimulator", "TestSupport"]
        ),
        .testTarget(
            name: "PingOathTests",
            dependencies: ["PingOath", "PingPush", "AuthenticatorCore", "AuthenticatorStore", "TestSupport"]
        ),
        .testTarget(
            name: "FRAuthenticatorTests",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorDevice", "AuthenticatorNetwork", "AuthenticatorStore",
                "CredentialMigration",
                "FRAuthenticator", "FRCore", "LegacyCallSites", "LegacyCallSitesSwift6", "LegacyStore",
                "PingAMSimulator", "PingPush", "TestSupport",
            ]
        ),
        .testTarget(
            name: "MigrationGuideTests",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorKeychain", "AuthenticatorStore", "CredentialMigration",
                "ExampleStep1", "ExampleStep2", "ExampleStep3", "FRAuthenticator", "LegacyStore",
                "PingAMSimulator", "PingOath", "PingPush", "PushParity", "TestSupport",
            ]
        ),
        .testTarget(
            name: "PushParityTests",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorNetwork", "PingAMSimulator", "PushParity", "TestSupport",
            ]
        ),
        .testTarget(
            name: "PushBridgeTests",
            dependencies: [
                "AuthenticatorCore", "AuthenticatorStore", "CredentialMigration", "PingAMSimulator",
                "pushbridge",
                "TestSupport", .grdb,
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
for target in package.targets where !target.name.hasPrefix("LegacyCallSites") {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
