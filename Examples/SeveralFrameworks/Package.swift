// swift-tools-version: 6.1
import PackageDescription

// This package contains an app and its extension. The app, its framework and its extension use PushBridge
// through one dynamic framework, AuthenticatorKit. Each framework is a separate package, because targets of
// one package are linked statically.
let package = Package(
    name: "SeveralFrameworks",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: [
        .package(path: "Kit"), .package(path: "Accounts"),
        // Only the target TwoCopies, the example of a mistake, needs these two dependencies.
        .package(path: "SecondCopy"), .package(name: "PushBridge", path: "../.."),
    ],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [
                .product(name: "AuthenticatorKit", package: "Kit"),
                .product(name: "Accounts", package: "Accounts"),
            ]
        ),
        // This target represents the extension, which is a separate process.
        .executableTarget(
            name: "NotificationService",
            dependencies: [.product(name: "AuthenticatorKit", package: "Kit")]
        ),
        // This target is an example of a mistake: the app and a framework both link products of PushBridge.
        .executableTarget(
            name: "TwoCopies",
            dependencies: [
                .product(name: "FRAuthenticator", package: "PushBridge"),
                .product(name: "FRCore", package: "PushBridge"),
                .product(name: "PushBridgeNotifications", package: "PushBridge"),
                .product(name: "SecondCopy", package: "SecondCopy"),
            ]
        ),
    ]
)
