// swift-tools-version: 5.9
import PackageDescription

// Has the names of the legacy SDK's package, and nothing else of it.
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
