// swift-tools-version: 6.1
import PackageDescription

// This is an app that uses PushBridge's legacy API together with other SDKs. Some targets of these SDKs have
// the same names as targets of PushBridge. The environment variable BESIDE selects the other SDKs. Its values are
// `sdk` (the legacy SDK, as a dependency of FRAuth), `successor` and `both`; without a value, there is no other SDK.
// Scripts/checks/examples tests all four cases.
let beside = Context.environment["BESIDE"] ?? ""
let (hasSDK, hasSuccessor) = (["sdk", "both"].contains(beside), ["successor", "both"].contains(beside))

var dependencies: [Package.Dependency] = [.package(path: "Wrapper")]
var products: [Target.Dependency] = [.product(name: "LegacyAuthenticator", package: "Wrapper")]
var settings: [SwiftSetting] = []
if hasSDK {
    dependencies.append(.package(path: "StandIns/forgerock-ios-sdk"))
    products.append(.product(name: "FRAuth", package: "forgerock-ios-sdk"))
    settings.append(.define("BESIDE_SDK"))
}
if hasSuccessor {
    dependencies.append(.package(path: "StandIns/ping-ios-sdk"))
    products.append(.product(name: "PingPush", package: "ping-ios-sdk"))
    settings.append(.define("BESIDE_SUCCESSOR"))
}

let package = Package(
    name: "BesideOtherSDKs",
    platforms: [.iOS(.v16), .macOS(.v13)],
    dependencies: dependencies,
    targets: [.executableTarget(name: "App", dependencies: products, swiftSettings: settings)]
)
