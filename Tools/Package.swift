// swift-tools-version: 6.1
import PackageDescription

// The command line and what it needs beside the libraries; an app gets none of it.
let package = Package(
    name: "PushBridgeTools",
    platforms: [.macOS(.v13)],
    products: [
        .executable(name: "pushbridge", targets: ["pushbridge"]),
        .library(name: "PushParity", targets: ["PushParity"]),
        .library(name: "PingAMSimulatorServer", targets: ["PingAMSimulatorServer"]),
    ],
    dependencies: [
        .package(name: "PushBridge", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        // The stand-in for APNs and its clients: HTTP/2 (FlyingFox has HTTP/1 only) and TLS, the stand-in's own
        // certificate, and ES256, for which the root package has swift-crypto already.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(name: "PingAMSimulatorServer", dependencies: [.bridge("PingAMSimulator"), .flyingFox]),
        .target(name: "PushParity", dependencies: .bothAPIs),
        .target(
            name: "PushBridgeAPNs",
            dependencies: [
                .bridge("PingAMSimulator"), .crypto, .certificates, .nio, .nioSSL, .nioHTTP2,
            ]
        ),
        .executableTarget(
            name: "pushbridge",
            dependencies: .bothAPIs + [
                "PingAMSimulatorServer", "PushBridgeAPNs", "PushParity", .argumentParser,
                .bridge("PushBridgeNotifications"),
            ]
        ),

        // The files of the root's test support, under a name that no other package has; not those that see
        // what only the root's package sees.
        .target(
            name: "PushBridgeToolsTestSupport",
            dependencies: .bothAPIs,
            path: "Tests/TestSupport",
            exclude: ["Answering.swift", "FaultyStore.swift", "ProcessState.swift"]
        ),
        .tests("PingAMSimulatorServerTests", ["PingAMSimulatorServer"]),
        .tests("PushBridgeAPNsTests", ["PushBridgeAPNs"]),
        .tests("PushParityTests", ["PushParity"]),
        .tests("PushBridgeTests", ["PingAMSimulatorServer", "PushBridgeAPNs", "pushbridge", .grdb]),
        .tests("MigrationGuideTests", ["PingAMSimulatorServer", "PushParity"]),
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
        testTarget(name: name, dependencies: .bothAPIs + ["PushBridgeToolsTestSupport"] + dependencies)
    }
}

extension [Target.Dependency] {
    static let bothAPIs: Self = [
        .bridge("FRAuthenticator"), .bridge("FRCore"), .bridge("PingPush"), .bridge("PingOath"),
        .bridge("CredentialMigration"), .bridge("PingAMSimulator"),
    ]
}

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let certificates = product(name: "X509", package: "swift-certificates")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let flyingFox = product(name: "FlyingFox", package: "FlyingFox")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let nio = product(name: "NIOPosix", package: "swift-nio")
    static let nioHTTP2 = product(name: "NIOHTTP2", package: "swift-nio-http2")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")

    static func bridge(_ product: String) -> Target.Dependency {
        .product(name: product, package: "PushBridge")
    }
}
