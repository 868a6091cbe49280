// swift-tools-version: 6.1
import PackageDescription

// This package compiles PushBridge's sources on platforms without Apple's frameworks; `Real` is a link to these
// sources. The stand-ins are modules with the names of Apple's frameworks: they declare the symbols that the sources
// use, and behave as Apple's documentation describes. `Scripts/apple` runs the tests.
let package = Package(
    name: "AppleStandIns",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(name: "LocalAuthentication", path: "StandIns/LocalAuthentication"),
        .target(name: "PushKit", path: "StandIns/PushKit"),
        .target(name: "Security", path: "StandIns/Security"),
        .target(name: "CallKit", path: "StandIns/CallKit"),
        .target(name: "Network", path: "StandIns/Network"),
        .target(name: "UIKit", dependencies: ["UserNotifications"], path: "StandIns/UIKit"),
        .target(name: "SwiftUI", dependencies: ["UIKit"], path: "StandIns/SwiftUI"),
        .target(name: "UserNotifications", path: "StandIns/UserNotifications"),
        .real("PushBridgeCore", [.crypto]),
        .real("PushBridgeBase", []),
        .real("PushBridgePlatform", ["PushBridgeBase", "PushBridgeCore", "LocalAuthentication", "UIKit"]),
        .real("PushBridgeFiles", ["PushBridgePlatform", "Security"], exclude: ["PrivacyInfo.xcprivacy"]),
        .real(
            "PushBridgeStore",
            [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeFiles", "LocalAuthentication", "Security",
                .crypto, .grdb, .sqlite,
            ]
        ),
        .real(
            "PushBridgeClients",
            ["PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "Security"]
        ),
        .real(
            "PushBridgeNotifications",
            [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "PushKit", "Security", "UIKit",
                "UserNotifications",
            ]
        ),
        .real(
            "PingPush",
            [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "PushBridgeClients",
                "PushBridgeNotifications", "PingLogger", "PingCommons", "Security", "UserNotifications",
            ]
        ),
        .real(
            "PingOath",
            [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "PushBridgeClients", "PingLogger",
                "PingCommons", "Security",
            ]
        ),
        .real(
            "FRCore",
            ["PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "Security", .crypto, .logging]
        ),
        .real(
            "FRAuthenticator",
            [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "PushBridgeNotifications",
                "LegacyStore", "CredentialMigration", "FRCore", "Security", "UIKit", "UserNotifications",
                .logging,
            ]
        ),
        .real(
            "LegacyStore",
            [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeFiles", "PushBridgeStore", "Security",
                .crypto,
            ]
        ),
        .real(
            "LegacyFiles",
            [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeFiles", "PushBridgeStore", "LegacyStore",
                "CredentialMigration", "Security", .grdb,
            ]
        ),
        .real(
            "CredentialMigration",
            [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "LegacyStore", "Network",
                "Security",
                "UIKit", .crypto,
            ]
        ),
        .real("PingLogger", ["PushBridgeBase", .logging]),
        .real(
            "PingCommons",
            [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "PushBridgeClients", "PingLogger",
                "Security",
            ]
        ),
        .testTarget(name: "SecurityTests", dependencies: ["Security"]),
        .testTarget(
            name: "SystemKeychainTests",
            dependencies: ["PushBridgeCore", "PushBridgeStore", "Security"]
        ),
        .testTarget(
            name: "KeychainStoreTests",
            dependencies: ["PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "Security"]
        ),
        .testTarget(
            name: "SecureEnclaveItemKeyTests",
            dependencies: ["PushBridgeCore", "LegacyStore", "CredentialMigration", "Security"]
        ),
        .testTarget(
            name: "DeviceTests",
            dependencies: ["PushBridgeCore", "PushBridgePlatform", "LocalAuthentication", "UIKit"]
        ),
        .testTarget(
            name: "FRAuthenticatorTests",
            dependencies: [
                "PushBridgeCore", "PushBridgeStore", "PushBridgePlatform", "CredentialMigration",
                "FRAuthenticator", "FRCore", "LegacyFiles", "LegacyStore", "LocalAuthentication", "Network",
                "PingOath", "PingPush", "Security", "UIKit",
            ]
        ),
        .real("PingAMSimulator", ["PushBridgeCore", "PushBridgePlatform"]),
        .executableTarget(
            name: "DeliveryApp",
            dependencies: [
                "PingPush", "PushBridgeNotifications", "LocalAuthentication", "UIKit", "UserNotifications",
            ],
            path: "DeliveryApp",
            exclude: ["DeliveryApp.xcodeproj", "NotificationService", "README.md", "Support"],
            sources: ["App", "Shared"]
        ),
        .target(
            name: "DeliveryAppService",
            dependencies: ["PushBridgeNotifications", "UserNotifications"],
            path: "DeliveryAppService",
            exclude: ["App", "DeliveryApp.xcodeproj", "README.md", "Support"],
            sources: ["NotificationService", "Shared"]
        ),
        .testTarget(
            name: "DeliveryAppTests",
            dependencies: [
                "DeliveryApp", "DeliveryAppService", "PingAMSimulator", "PingPush", "PushBridgeCore",
                "PushBridgeNotifications", "LocalAuthentication", "Security", "UIKit", "UserNotifications",
            ]
        ),
        .target(
            name: "CallSites",
            dependencies: ["PushKit", "UIKit", "UserNotifications"],
            path: "CallSites",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "NotificationTests",
            dependencies: [
                "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "PushBridgeNotifications",
                "FRAuthenticator", "FRCore", "PingPush", "CallKit", "PushKit", "Security", "UIKit",
                "UserNotifications",
            ]
        ),
        .testTarget(name: "FRCoreTests", dependencies: ["FRCore", "PushBridgeStore", "Security"]),
        .testTarget(
            name: "PushKeychainStorageTests",
            dependencies: ["PushBridgeCore", "PushBridgeStore", "PingPush", "PingOath", "Security"]
        ),
    ]
)

extension Target {
    /// Returns a target that compiles the sources of the main package's target with the same name.
    static func real(
        _ name: String,
        _ dependencies: [Target.Dependency],
        exclude: [String] = []
    ) -> Target {
        target(name: name, dependencies: dependencies, path: "Real/\(name)", exclude: exclude)
    }
}

extension Target.Dependency {
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let logging = product(name: "Logging", package: "swift-log")
    static let sqlite = product(name: "GRDBSQLite", package: "GRDB.swift")
}

// The code of apps has to compile without these upcoming features of Swift, so the targets with such code do not
// enable them. All other targets above enable them.
let apps = ["CallSites", "DeliveryApp", "DeliveryAppService"]
for target in package.targets where !apps.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

#if compiler(>=6.2)
// These targets compile the example app as it is after each step of the guide, and the app's extension. They use the
// settings of Xcode 26, which Swift 6.1 does not support.
package.targets += [
    .swiftUIApp("SwiftUIAppStep1", ["App", "Step1"], ["FRAuthenticator"]),
    .swiftUIApp("SwiftUIAppStep2", ["App", "Shared", "Step2"], ["CredentialMigration", "FRAuthenticator"]),
    .swiftUIApp(
        "SwiftUIApp",
        ["App", "Shared", "Step3"],
        ["CredentialMigration", "LocalAuthentication", "PingPush"]
    ),
    .target(
        name: "SwiftUIAppService",
        dependencies: ["PushBridgeNotifications", "UserNotifications"],
        path: "SwiftUIAppService",
        exclude: ["App", "README.md", "Step1", "Step2", "Step3", "Support", "SwiftUIApp.xcodeproj"],
        sources: ["NotificationService", "Shared"],
        swiftSettings: .ofTodaysApps
    ),
    .swiftUIAppTests("SwiftUIAppStep1"),
    .swiftUIAppTests("SwiftUIAppStep2", ["CredentialMigration", "SwiftUIAppService"]),
    .swiftUIAppTests("SwiftUIApp", ["PingPush", "SwiftUIAppService"]),
]

extension [SwiftSetting] {
    /// The settings of Xcode 26's template for apps.
    static let ofTodaysApps: Self = [
        .unsafeFlags(["-default-isolation", "MainActor"]),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}

extension Target {
    /// Returns a target that compiles the app in Examples/SwiftUIApp as it is after one step of the guide.
    ///
    /// The target's folder is a symbolic link to the example.
    static func swiftUIApp(
        _ name: String,
        _ sources: [String],
        _ dependencies: [Target.Dependency]
    ) -> Target {
        let folders = ["App", "NotificationService", "Shared", "Step1", "Step2", "Step3"]
        return executableTarget(
            name: name,
            dependencies: dependencies + [
                "PushBridgeNotifications", "SwiftUI", "UIKit", "UserNotifications",
            ],
            path: name,
            exclude: folders.filter { !sources.contains($0) } + [
                "README.md", "Support", "SwiftUIApp.xcodeproj",
            ],
            sources: sources,
            swiftSettings: .ofTodaysApps
        )
    }

    /// Returns the target that tests the app after a step.
    ///
    /// All steps have the same test files.
    static func swiftUIAppTests(_ app: String, _ dependencies: [Target.Dependency] = []) -> Target {
        testTarget(
            name: "\(app)Tests",
            dependencies: [.target(name: app)] + dependencies + [
                "FRAuthenticator", "PingAMSimulator", "PushBridgeCore", "PushBridgeNotifications",
                "PushBridgePlatform", "LocalAuthentication", "Security", "SwiftUI", "UIKit",
                "UserNotifications",
            ],
            swiftSettings: [.define(app)]
        )
    }
}
#endif
