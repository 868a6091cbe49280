// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "FirstMigration",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "../PushBridge")],
    targets: [
        .executableTarget(
            name: "FirstMigration",
            dependencies: [
                .product(name: "CredentialMigration", package: "PushBridge"),
                .product(name: "LegacyFiles", package: "PushBridge"),
            ]
        )
    ]
)
