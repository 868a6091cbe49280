// swift-tools-version: 6.1
import PackageDescription

// This is a framework of the app. It uses the accounts through AuthenticatorKit.
let package = Package(
    name: "Accounts",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [.library(name: "Accounts", type: .dynamic, targets: ["Accounts"])],
    dependencies: [.package(path: "../Kit")],
    targets: [
        .target(name: "Accounts", dependencies: [.product(name: "AuthenticatorKit", package: "Kit")])
    ]
)
