// swift-tools-version: 6.1
import PackageDescription

// Only Apple's platforms read the privacy manifest. On other platforms, the manifest would become a folder
// beside each executable.
#if canImport(Darwin)
let privacy = (exclude: [String](), resources: [Resource.copy("PrivacyInfo.xcprivacy")])
#else
let privacy = (exclude: ["PrivacyInfo.xcprivacy"], resources: [Resource]())
#endif

#if compiler(>=6.2)
let mainActorSettings: [SwiftSetting] = [
    .unsafeFlags(["-default-isolation", "MainActor"]),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
#else
let mainActorSettings: [SwiftSetting] = []
#endif

let package = Package(
    name: "PushBridge",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "FRAuthenticator", targets: ["FRAuthenticator"]),
        .library(name: "FRCore", targets: ["FRCore"]),
        .library(name: "PingPush", targets: ["PingPush"]),
        .library(name: "PingOath", targets: ["PingOath"]),
        .library(name: "PingLogger", targets: ["PingLogger"]),
        .library(name: "PingCommons", targets: ["PingCommons"]),
        .library(name: "PingTamperDetector", targets: ["PingTamperDetector"]),
        .library(name: "PingAuthMigration", targets: ["PingAuthMigration"]),
        .library(name: "PushBridgeNotifications", targets: ["PushBridgeNotifications"]),
        .library(name: "CredentialMigration", targets: ["CredentialMigration"]),
        .library(name: "LegacyFiles", targets: ["LegacyFiles"]),
        .library(name: "PingAMSimulator", targets: ["PingAMSimulator"]),
        // This product is for this repository's Tools and Benchmarks; an app does not need it.
        .library(
            name: "PushBridgeInternals",
            targets: [
                "PushBridgeInternals", "PushBridgeCore", "PushBridgePlatform", "PushBridgeFiles",
                "PushBridgeStore", "LegacyStore",
            ]
        ),
        // This product is for the tests of Tools; an app does not need it.
        .library(name: "PushBridgeTestSupport", targets: ["PushBridgeTestSupport"]),
    ],
    traits: [
        .trait(
            name: "MigrationFixIts",
            description: "Deprecates legacy properties that the async API only renames, and adds fix-its."
        )
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
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
        .target(name: "PushBridgeClients", dependencies: .floor),
        .target(name: "LegacyStore", dependencies: .floor + ["PushBridgeFiles", .crypto]),
        .target(
            name: "CredentialMigration",
            dependencies: .floor + ["PushBridgeFiles", "LegacyStore", .crypto]
        ),
        .target(
            name: "LegacyFiles",
            dependencies: .floor + ["PushBridgeFiles", "LegacyStore", "CredentialMigration", .grdb]
        ),
        .target(name: "PushBridgeNotifications", dependencies: .floor),
        .target(name: "PingLogger", dependencies: ["PushBridgeBase", .logging]),
        .target(name: "PingCommons", dependencies: .floor + ["PushBridgeClients", "PingLogger"]),
        .target(name: "PingTamperDetector", dependencies: ["PingCommons"]),
        .target(
            name: "PingPush",
            dependencies: .floor + [
                "PushBridgeClients", "PushBridgeNotifications", "PingLogger", "PingCommons",
            ]
        ),
        .target(
            name: "PingOath",
            dependencies: .floor + ["PushBridgeClients", "PingLogger", "PingCommons"]
        ),
        // Apart from the names of CredentialMigration, this module uses only names that PushBridge and the SDK both
        // declare. So a wrapper can build the module with the SDK's types.
        .target(
            name: "PingAuthMigration",
            dependencies: ["CredentialMigration", "PingCommons", "PingLogger", "PingOath", "PingPush"]
        ),
        .target(name: "FRCore", dependencies: .floor + [.crypto, .logging]),
        .target(
            name: "FRAuthenticator",
            dependencies: .floor + [
                "PushBridgeNotifications", "LegacyStore", "CredentialMigration", "FRCore", .logging,
            ]
        ),
        // This module contains the declarations that only this repository's Tools, Benchmarks and tests need.
        .target(
            name: "PushBridgeInternals",
            dependencies: .floor + [
                "PushBridgeFiles", "LegacyStore", "CredentialMigration", "FRAuthenticator", .crypto,
            ]
        ),
        .target(name: "PingAMSimulator", dependencies: ["PushBridgeCore", "PushBridgePlatform"]),

        .target(
            name: "PushBridgeTestSupport",
            dependencies: .floor,
            path: "Tests/PushBridgeTestSupport"
        ),
        .target(
            name: "PushBridgeTestPhone",
            dependencies: .floor + [
                "PushBridgeTestSupport", "FRAuthenticator", "PingPush", "PingAMSimulator",
            ],
            path: "Tests/PushBridgeTestPhone"
        ),
        .target(
            name: "PushBridgeLegacyCallSites",
            dependencies: ["FRAuthenticator", "FRCore"],
            path: "Tests/LegacyCallSites",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .target(
            name: "PushBridgeLegacyCallSitesSwift6",
            dependencies: ["FRAuthenticator", "FRCore"],
            path: "Tests/LegacyCallSitesSwift6"
        ),
        // These tests use the settings of Xcode 26's template for apps, in Swift 6 mode and in Swift 5 mode.
        .mainActorTests("MainActorCallSitesTests"),
        .mainActorTests("MainActorCallSitesTestsSwift5", [.swiftLanguageMode(.v5)]),
        .mainActorTests("LegacyCallSitesMainActor"),
        .mainActorTests("LegacyCallSitesMainActorSwift5", [.swiftLanguageMode(.v5)]),
        // This target simulates the life of an app and its records, with faults. A seed determines every step; see
        // Tests/Simulation.
        .target(
            name: "PushBridgeSimulation",
            dependencies: .floor + [
                "PushBridgeTestSupport", "FRAuthenticator", "LegacyStore", "CredentialMigration",
                "PingLogger", "PingOath", "PingPush", .crypto,
            ],
            path: "Tests/Simulation/Engine"
        ),
        .executableTarget(
            name: "simulate-lives",
            dependencies: ["PushBridgeSimulation"],
            path: "Tests/Simulation/Command"
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["PushBridgeSimulation", "PushBridgeTestSupport"],
            path: "Tests/Simulation/Tests"
        ),

        .tests("PushBridgeCoreTests"),
        .tests("PushBridgePlatformTests"),
        .tests("PushBridgeStoreTests", ["LegacyStore", .crypto, .grdb]),
        .tests(
            "LegacyStoreTests",
            ["LegacyStore", "LegacyFiles", "CredentialMigration", "PushBridgeFiles", .crypto, .grdb]
        ),
        .tests(
            "CredentialMigrationTests",
            ["LegacyStore", "LegacyFiles", "CredentialMigration", .grdb]
        ),
        .tests(
            "PingAMSimulatorTests",
            ["PingAMSimulator", "FRAuthenticator", "FRCore", "PushBridgeInternals"]
        ),
        .target(name: "OtherNetworking", path: "Tests/OtherNetworking"),
        .tests("FRCoreTests", ["FRAuthenticator", "FRCore", "PingPush", "OtherNetworking"]),
        .tests(
            "PingPushTests",
            [
                "LegacyStore", "LegacyFiles", "CredentialMigration", "PingLogger", "PingPush",
                "PingAMSimulator", "PushBridgeTestPhone", .crypto,
            ]
        ),
        .tests(
            "PushBridgeNotificationsTests",
            [
                "PushBridgeNotifications", "FRAuthenticator", "FRCore", "PingPush", "PingAMSimulator",
                "CredentialMigration", "PushBridgeTestPhone",
            ]
        ),
        .tests("PingPushDocumentTests", ["PingPush", "PingAMSimulator"]),
        .successorTests(
            "SuccessorAPITests",
            resources: [.copy("successor-2.0.txt"), .copy("successor-2.2.txt")]
        ),
        // This target compiles the files of SuccessorAPITests in Swift 5 mode. Only SuccessorAPITests itself compares
        // the lists of the SDK's declarations.
        .successorTests(
            "SuccessorAPITestsSwift5",
            exclude: ["InterfaceTests.swift", "successor-2.0.txt", "successor-2.2.txt"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .tests(
            "PingAuthMigrationTests",
            [
                "PingAuthMigration", "CredentialMigration", "LegacyFiles", "LegacyStore", "PingCommons",
                "PingOath", "PingPush",
            ]
        ),
        .tests("PingOathTests", ["PingOath", "PingPush"]),
        .tests(
            "FRAuthenticatorTests",
            [
                "PushBridgeInternals",
                "LegacyStore", "LegacyFiles", "CredentialMigration", "FRAuthenticator", "FRCore",
                "PingPush", "PingAMSimulator", "PushBridgeTestPhone", "PushBridgeLegacyCallSites",
                "PushBridgeLegacyCallSitesSwift6",
            ]
        ),
    ]
)

// These upcoming features are for the project's own code. They stay disabled in the targets whose code represents an
// app: the targets with settings of their own, and the call sites in Swift 6.
for target in package.targets
where (target.swiftSettings ?? []).isEmpty && target.name != "PushBridgeLegacyCallSitesSwift6" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

extension Target {
    static func tests(_ name: String, _ dependencies: [Dependency] = []) -> Target {
        testTarget(name: name, dependencies: .floor + ["PushBridgeTestSupport"] + dependencies)
    }

    static func mainActorTests(_ name: String, _ settings: [SwiftSetting] = []) -> Target {
        testTarget(
            name: name,
            dependencies: [
                "PushBridgeTestSupport", "FRAuthenticator", "FRCore", "CredentialMigration", "PingPush",
                "PingOath", "PingLogger",
            ],
            swiftSettings: mainActorSettings + settings
        )
    }

    static func successorTests(
        _ name: String,
        exclude: [String] = [],
        resources: [Resource] = [],
        swiftSettings: [SwiftSetting] = []
    ) -> Target {
        testTarget(
            name: name,
            dependencies: .floor + [
                "PushBridgeTestSupport", "PingPush", "PingOath", "PingCommons", "PingLogger",
                "PingTamperDetector", "PingAuthMigration",
            ],
            exclude: exclude,
            resources: resources,
            swiftSettings: swiftSettings
        )
    }
}

extension [Target.Dependency] {
    /// The modules on which both APIs are built.
    static let floor: Self = ["PushBridgeCore", "PushBridgePlatform", "PushBridgeStore"]
}

extension Target.Dependency {
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let logging = product(name: "Logging", package: "swift-log")
    static let sqlite = product(name: "GRDBSQLite", package: "GRDB.swift")
}
