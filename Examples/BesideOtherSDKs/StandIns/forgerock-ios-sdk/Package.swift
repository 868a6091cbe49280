// swift-tools-version: 5.9
import PackageDescription

// This stand-in for the legacy SDK's package has the names of three of that package's products and targets, and only a
// few of their declarations.
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
