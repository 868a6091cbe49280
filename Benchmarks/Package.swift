// swift-tools-version: 6.1
import PackageDescription

// This package contains the benchmarks for the project's promises about speed. `Scripts/benchmarks` runs it.
let package = Package(
    name: "PushBridgeBenchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "PushBridge", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                .product(name: "CredentialMigration", package: "PushBridge"),
                .product(name: "FRAuthenticator", package: "PushBridge"),
                .product(name: "PingOath", package: "PushBridge"),
                .product(name: "PingPush", package: "PushBridge"),
                .product(name: "PushBridgeInternals", package: "PushBridge"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        )
    ]
)
