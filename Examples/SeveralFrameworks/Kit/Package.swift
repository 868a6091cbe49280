// swift-tools-version: 6.1
import PackageDescription

// This is the only framework that links PushBridge. If you copy this package, replace the path of PushBridge
// with the URL of its repository.
let package = Package(
    name: "Kit",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [.library(name: "AuthenticatorKit", type: .dynamic, targets: ["AuthenticatorKit"])],
    dependencies: [.package(name: "PushBridge", path: "../../..")],
    targets: [
        .target(
            name: "AuthenticatorKit",
            dependencies: [
                .product(name: "FRAuthenticator", package: "PushBridge"),
                .product(name: "FRCore", package: "PushBridge"),
                .product(name: "PushBridgeNotifications", package: "PushBridge"),
            ]
        )
    ]
)
