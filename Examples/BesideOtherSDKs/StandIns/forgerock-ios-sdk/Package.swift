// swift-tools-version: 5.9
import PackageDescription

// This is a stand-in for the legacy SDK's package. It has only the package's names.
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
