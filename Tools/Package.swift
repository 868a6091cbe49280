// swift-tools-version: 6.1
import PackageDescription

// The command-line tools and their dependencies. An app that uses the libraries does not build this package.
let package = Package(
    name: "PushBridgeTools",
    platforms: [.macOS(.v13)],
    products: [
        .executable(name: "pushbridge", targets: ["pushbridge"]),
        .executable(name: "pushbridge-try", targets: ["pushbridge-try"]),
        .executable(name: "pushbridge-fleet", targets: ["pushbridge-fleet"]),
        .library(name: "PushParity", targets: ["PushParity"]),
        .library(name: "PingAMSimulatorServer", targets: ["PingAMSimulatorServer"]),
        // The packages of separate executables, such as APNs and Audit, and their tests use these products.
        .library(name: "PushBridgeSymbols", targets: ["PushBridgeSymbols"]),
        .library(name: "PushBridgeCommandLine", targets: ["PushBridgeCommandLine"]),
        .library(name: "PushBridgeCommandLineTestSupport", targets: ["PushBridgeCommandLineTestSupport"]),
    ],
    dependencies: [
        .package(name: "PushBridge", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // The code that the executables share: for options, reports and pages, and for starting companion executables.
        .target(
            name: "PushBridgeCommandLine",
            dependencies: [.internals, .argumentParser, .mustache],
            path: "Sources/Shared/PushBridgeCommandLine",
            // The resources are embedded in the executable, so that it can be moved.
            resources: [.embedInCode("Resources")]
        ),

        // Migrating: the executable `pushbridge`, which runs the executables of the other parts, and the module for all
        // commands that open a store.
        .target(
            name: "PushBridgeMigrating",
            dependencies: .migration + ["PushBridgeCommandLine", .argumentParser],
            path: "Sources/Migrating/PushBridgeMigrating"
        ),
        .executableTarget(
            name: "pushbridge",
            dependencies: .migration + [
                "PushBridgeCommandLine", "PushBridgeMigrating", .argumentParser,
            ],
            path: "Sources/Migrating/pushbridge"
        ),

        // The commands that try PushBridge out: simulate, phone, parity, lab, rehearse and conform.
        .target(
            name: "PingAMSimulatorServer",
            dependencies: [.bridge("PingAMSimulator"), .internals, .flyingFox, .flyingSocks],
            path: "Sources/Trying/PingAMSimulatorServer"
        ),
        .target(
            name: "PushParity",
            dependencies: .bothAPIs + ["PushBridgeCommandLine", "PushBridgeSymbols"],
            path: "Sources/Trying/PushParity"
        ),
        .target(
            name: "PushBridgeLab",
            dependencies: .bothAPIs + [
                "PingAMSimulatorServer", "PushBridgeCommandLine", "PushParity", .flyingFox, .flyingSocks,
            ],
            path: "Sources/Trying/PushBridgeLab",
            resources: [.embedInCode("Resources")]
        ),
        .executableTarget(
            name: "pushbridge-try",
            dependencies: .bothAPIs + [
                "PingAMSimulatorServer", "PushBridgeCommandLine", "PushBridgeLab", "PushBridgeMigrating",
                "PushParity", .argumentParser, .bridge("PushBridgeNotifications"),
            ],
            path: "Sources/Trying/pushbridge-try"
        ),

        // Operating: the command `fleet`. The commands `audit` and `apns` are separate packages.
        // `PushBridgeSymbols` contains the table with the replacement of each legacy symbol, and the registers of
        // divergences, which PushParity also uses.
        .target(name: "PushBridgeSymbols", path: "Sources/Operating/PushBridgeSymbols"),
        // The events of a fleet: their SQL, the verdict, and the simulated roll-out.
        .target(
            name: "PushBridgeFleet",
            dependencies: [
                .bridge("CredentialMigration"), .internals, .grdb, "PushBridgeCommandLine",
            ],
            path: "Sources/Operating/PushBridgeFleet",
            resources: [.embedInCode("Resources")]
        ),
        .executableTarget(
            name: "pushbridge-fleet",
            dependencies: [
                .bridge("CredentialMigration"), .internals, "PushBridgeCommandLine", "PushBridgeFleet",
                "PushBridgeMigrating", .argumentParser,
            ],
            path: "Sources/Operating/pushbridge-fleet"
        ),

        .target(
            name: "PushBridgeCommandLineTestSupport",
            dependencies: [.internals, .bridge("PushBridgeTestSupport")],
            path: "Tests/CommandLineTestSupport"
        ),
        .tests("PingAMSimulatorServerTests", ["PingAMSimulatorServer", .flyingFox]),
        .tests("PushParityTests", ["PushBridgeCommandLine", "PushParity"]),
        .tests(
            "PushBridgeLabTests",
            ["PushBridgeLab", "PushParity", "PushBridgeCommandLineTestSupport"]
        ),
        .tests(
            "PushBridgeTests",
            [
                "PingAMSimulatorServer", "PushBridgeCommandLine", "PushBridgeCommandLineTestSupport",
                "PushBridgeMigrating", "pushbridge", "pushbridge-fleet", "pushbridge-try", .grdb,
            ]
        ),
        .tests("PushBridgeFleetTests", ["PushBridgeCommandLine", "PushBridgeFleet"]),
        .tests("MigrationGuideTests", ["PingAMSimulatorServer", "PushBridgeSymbols", "PushParity"]),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

extension Target {
    static func tests(_ name: String, _ dependencies: [Dependency]) -> Target {
        testTarget(name: name, dependencies: .bothAPIs + [.bridge("PushBridgeTestSupport")] + dependencies)
    }
}

extension [Target.Dependency] {
    static let migration: Self = [.bridge("CredentialMigration"), .bridge("LegacyFiles"), .internals]
    static let bothAPIs: Self =
        migration + [
            .bridge("FRAuthenticator"), .bridge("FRCore"), .bridge("PingPush"), .bridge("PingOath"),
            .bridge("PingAMSimulator"),
        ]
}

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let flyingFox = product(name: "FlyingFox", package: "FlyingFox")
    static let flyingSocks = product(name: "FlyingSocks", package: "FlyingFox")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let mustache = product(name: "Mustache", package: "swift-mustache")

    /// The modules below the APIs, including declarations that only the tools can access.
    static let internals = bridge("PushBridgeInternals")

    static func bridge(_ product: String) -> Target.Dependency {
        .product(name: product, package: "PushBridge")
    }
}
