// swift-tools-version: 5.9
import PackageDescription

// This is a stand-in for the legacy SDK's package, with three of that package's products and a few of their
// declarations.
let package = Package(
    name: "forgerock-ios-sdk",
    products: [
        .library(name: "FRAuth", targets: ["FRAuth"]),
        .library(name: "FRAuthenticator", targets: ["FRAuthenticator"]),
        .library(name: "FRCore", targets: ["FRCore"]),
    ],
    targets: [
        .target(name: "FRCore"),
        .target(name: "FRAuth", dependencies: ["FRCore"]),
        .target(name: "FRAuthenticator", dependencies: ["FRCore"]),
    ]
)
