// swift-tools-version: 6.1
import PackageDescription

// The part of the command line that reads the index of an app's build. `pushbridge` runs `pushbridge-audit`, which is
// in the same folder. The audit is a separate package, so that it is built only on request and not with `Tools`. It
// requires an installed toolchain, because it loads the toolchain's library that reads an index.
let package = Package(
    name: "PushBridgeAudit",
    platforms: [.macOS(.v13)],
    products: [.executable(name: "pushbridge-audit", targets: ["pushbridge-audit"])],
    dependencies: [
        .package(name: "PushBridge", path: "../.."),
        .package(name: "PushBridgeTools", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .systemLibrary(name: "CIndexStore"),
        .target(
            name: "PushBridgeAudit",
            dependencies: ["CIndexStore", .internals, .commandLine, .symbols]
        ),
        .executableTarget(
            name: "pushbridge-audit",
            dependencies: ["PushBridgeAudit", .internals, .commandLine, .symbols, .argumentParser]
        ),
        .testTarget(
            name: "PushBridgeAuditTests",
            dependencies: [
                "PushBridgeAudit", "pushbridge-audit", .internals, .commandLine, .symbols, .pushbridge,
                .commandLineTestSupport, .testSupport,
            ],
            exclude: ["Packages"]
        ),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let commandLine = product(name: "PushBridgeCommandLine", package: "PushBridgeTools")
    static let commandLineTestSupport = product(
        name: "PushBridgeCommandLineTestSupport",
        package: "PushBridgeTools"
    )
    static let internals = product(name: "PushBridgeInternals", package: "PushBridge")
    static let pushbridge = product(name: "pushbridge", package: "PushBridgeTools")
    static let symbols = product(name: "PushBridgeSymbols", package: "PushBridgeTools")
    static let testSupport = product(name: "PushBridgeTestSupport", package: "PushBridge")
}
