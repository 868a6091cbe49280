// swift-tools-version: 6.1
import PackageDescription

// This framework is an example of a mistake: both this framework and the app that contains it link PushBridge.
let package = Package(
    name: "SecondCopy",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [.library(name: "SecondCopy", type: .dynamic, targets: ["SecondCopy"])],
    dependencies: [.package(name: "PushBridge", path: "../../..")],
    targets: [
        .target(
            name: "SecondCopy",
            dependencies: [
                .product(name: "FRAuthenticator", package: "PushBridge"),
                .product(name: "PushBridgeNotifications", package: "PushBridge"),
            ]
        )
    ]
)
