// swift-tools-version: 5.9
import PackageDescription

// Has the names of the successor SDK's package, and nothing else of it.
let package = Package(
    name: "ping-ios-sdk",
    products: [
        .library(name: "PingPush", targets: ["PingPush"]),
        .library(name: "PingOath", targets: ["PingOath"]),
        .library(name: "PingLogger", targets: ["PingLogger"]),
        .library(name: "PingCommons", targets: ["PingCommons"]),
        .library(name: "PingTamperDetector", targets: ["PingTamperDetector"]),
        .library(name: "PingAuthMigration", targets: ["PingAuthMigration"]),
    ],
    targets: [
        .target(name: "PingLogger"),
        .target(name: "PingCommons"),
        .target(name: "PingTamperDetector"),
        .target(name: "PingAuthMigration", dependencies: ["PingOath", "PingPush"]),
        .target(name: "PingPush", dependencies: ["PingLogger"]),
        .target(name: "PingOath", dependencies: ["PingLogger"]),
    ]
)
