// swift-tools-version: 5.9
import PackageDescription

// This is a stand-in for the successor SDK's package, with some of that package's products and the declarations that
// the SDK's migrator uses, as in release 2.2. The stand-in's storages keep their items in StandInKeychain, which the
// SDK does not have.
let package = Package(
    name: "ping-ios-sdk",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [
        .library(name: "PingPush", targets: ["PingPush"]),
        .library(name: "PingOath", targets: ["PingOath"]),
        .library(name: "PingLogger", targets: ["PingLogger"]),
        .library(name: "PingCommons", targets: ["PingCommons"]),
        .library(name: "PingTamperDetector", targets: ["PingTamperDetector"]),
        .library(name: "PingAuthMigration", targets: ["PingAuthMigration"]),
        .library(name: "StandInKeychain", targets: ["StandInKeychain"]),
    ],
    targets: [
        .target(name: "StandInKeychain"),
        .target(name: "PingLogger"),
        .target(name: "PingCommons"),
        .target(name: "PingTamperDetector"),
        .target(name: "PingAuthMigration", dependencies: ["PingOath", "PingPush"]),
        .target(name: "PingPush", dependencies: ["PingLogger", "StandInKeychain"]),
        .target(name: "PingOath", dependencies: ["PingLogger", "StandInKeychain"]),
    ]
)
