// swift-tools-version: 6.1
import PackageDescription

// The one framework that links PushBridge. An app has the address of PushBridge where this has its path.
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
