// swift-tools-version: 6.1
import PackageDescription

// This package contains the part of the command line that uses HTTP/2 over TLS. This part takes longer to build than
// any other part, so it is built only on request. `pushbridge` runs `pushbridge-apns`, which is in the same folder.
let package = Package(
    name: "PushBridgeAPNs",
    platforms: [.macOS(.v13)],
    products: [.executable(name: "pushbridge-apns", targets: ["pushbridge-apns"])],
    dependencies: [
        .package(name: "PushBridge", path: "../.."),
        .package(name: "PushBridgeTools", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // The simulator uses FlyingFox, which supports HTTP/1 only. NIO supports HTTP/2 and TLS.
        // swift-certificates creates the certificate of the stand-in for APNs. swift-crypto, which the root package
        // also uses, signs with ES256.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(
            name: "PushBridgeAPNs",
            dependencies: [
                .internals, .commandLine, .certificates, .asn1, .crypto, .nio, .nioCore, .nioConcurrency,
                .nioTLS, .nioSSL, .nioHTTP1, .nioHTTP2, .nioHPACK,
            ]
        ),
        .executableTarget(
            name: "pushbridge-apns",
            dependencies: ["PushBridgeAPNs", .internals, .commandLine, .argumentParser]
        ),
        .testTarget(
            name: "PushBridgeAPNsTests",
            dependencies: [
                "PushBridgeAPNs", .internals, .nio, .nioCore, .nioConcurrency, .nioHPACK, .testSupport,
            ]
        ),
        .testTarget(
            name: "PushBridgeAPNsCommandTests",
            dependencies: [
                "PushBridgeAPNs", "pushbridge-apns", .internals, .pushbridge, .pushbridgeTry,
                .commandLineTestSupport,
                .testSupport,
            ]
        ),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let certificates = product(name: "X509", package: "swift-certificates")
    static let commandLine = product(name: "PushBridgeCommandLine", package: "PushBridgeTools")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let internals = product(name: "PushBridgeInternals", package: "PushBridge")
    static let nio = product(name: "NIOPosix", package: "swift-nio")
    static let nioConcurrency = product(name: "NIOConcurrencyHelpers", package: "swift-nio")
    static let nioCore = product(name: "NIOCore", package: "swift-nio")
    static let nioHPACK = product(name: "NIOHPACK", package: "swift-nio-http2")
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
    static let nioHTTP2 = product(name: "NIOHTTP2", package: "swift-nio-http2")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
    static let nioTLS = product(name: "NIOTLS", package: "swift-nio")
    static let commandLineTestSupport = product(
        name: "PushBridgeCommandLineTestSupport",
        package: "PushBridgeTools"
    )
    static let pushbridge = product(name: "pushbridge", package: "PushBridgeTools")
    static let pushbridgeTry = product(name: "pushbridge-try", package: "PushBridgeTools")
    static let testSupport = product(name: "PushBridgeTestSupport", package: "PushBridge")
}
