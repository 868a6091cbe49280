// swift-tools-version: 6.1
import PackageDescription

// This package passes the events of a migration to OpenTelemetry and to swift-metrics. If you copy the
// package, replace the path of PushBridge with the URL of its repository. OpenTelemetry requires no package.
let package = Package(
    name: "Telemetry",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [
        .package(name: "PushBridge", path: "../.."),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    ],
    targets: [
        .target(
            name: "Telemetry",
            dependencies: [
                .product(name: "CredentialMigration", package: "PushBridge"),
                .product(name: "Metrics", package: "swift-metrics"),
            ]
        ),
        .testTarget(
            name: "TelemetryTests",
            dependencies: ["Telemetry", .product(name: "MetricsTestKit", package: "swift-metrics")]
        ),
    ]
)
