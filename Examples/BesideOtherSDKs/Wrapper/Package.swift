// swift-tools-version: 6.1
import PackageDescription

// Copy this package into your app's folder. In the dependency, replace the path with the URL of PushBridge's
// repository. Set `bridge` to "PushBridge", which is the last part of the URL. Do not pass `name:` to the dependency,
// because aliases are then ignored. The package renames the targets whose names also exist in other SDKs; list every
// product that contains one of them.
let bridge = Context.packageDirectory.split(separator: "/").dropLast(3).last.map(String.init) ?? ""

let package = Package(
    name: "Wrapper",
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: [.library(name: "LegacyAuthenticator", targets: ["LegacyAuthenticator"])],
    dependencies: [.package(path: "../../..")],
    targets: [
        .target(
            name: "LegacyAuthenticator",
            dependencies: [
                .renamed("FRAuthenticator", with: "FRCore"),
                .renamed("PingPush", with: "PingLogger", "PingCommons"),
                .renamed("PingOath", with: "PingLogger", "PingCommons"),
                .renamed("PingTamperDetector", with: "PingLogger", "PingCommons"),
                .renamed("PingAuthMigration", with: "PingPush", "PingOath", "PingLogger", "PingCommons"),
            ]
        )
    ]
)

extension Target.Dependency {
    /// Returns a product of PushBridge whose own module, and the modules in `others`, get the prefix `PushBridge`.
    static func renamed(_ name: String, with others: String...) -> Target.Dependency {
        let names = [name] + others
        return .product(
            name: name,
            package: bridge,
            moduleAliases: Dictionary(uniqueKeysWithValues: names.map { ($0, "PushBridge\($0)") })
        )
    }
}
