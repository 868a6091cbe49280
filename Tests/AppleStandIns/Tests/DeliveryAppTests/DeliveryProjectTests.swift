import Foundation
import Testing

@testable import DeliveryApp

/// The app's Xcode project, property lists and entitlements.
///
/// This platform does not use these files. So the tests check that every referenced file exists, and that the values
/// in the files agree with each other and with the code.
@Suite("Delivery project")
struct DeliveryProjectTests {
    private let project: Project

    init() throws {
        project = try Project()
    }

    @Test func theProjectContainsTheObjectOfEveryReference() {
        #expect(project.objects.count == 40)
        for (id, object) in project.objects {
            for value in object.values {
                for reference in Project.references(in: value) {
                    #expect(project.objects[reference] != nil, "\(id) refers to \(reference)")
                }
            }
        }
        #expect(project.object(project.root)?["isa"] as? String == "PBXProject")
    }

    @Test func everyFileOfTheProjectExists() throws {
        let groups = project.all("PBXFileSystemSynchronizedRootGroup").compactMap { $0["path"] as? String }
        #expect(groups.sorted() == ["App", "NotificationService", "Shared"])
        let settings = project.all("XCBuildConfiguration").compactMap {
            $0["buildSettings"] as? [String: Any]
        }
        let files = settings.flatMap { settings in
            ["INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"].compactMap { settings[$0] as? String }
        }
        #expect(Set(files).count == 4)
        let package = project.all("XCLocalSwiftPackageReference").compactMap { $0["relativePath"] as? String }
        #expect(package == ["../.."])
        for path in groups + files + ["../../Package.swift"] {
            #expect(FileManager.default.fileExists(atPath: project.url(path).path), "\(path)")
        }
    }

    /// Each target has its own sources and links one product.
    ///
    /// Of PushBridge's modules, the sources import only this product's module and `PushBridgeNotifications`.
    @Test(arguments: [
        ("DeliveryApp", ["App", "Shared"], "PingPush"),
        ("NotificationService", ["NotificationService", "Shared"], "PushBridgeNotifications"),
    ])
    func targetsHaveTheirSourcesAndProducts(_ name: String, _ groups: [String], _ product: String) throws {
        let target = try #require(project.all("PBXNativeTarget").first { $0["name"] as? String == name })
        #expect(
            project.objects(target["fileSystemSynchronizedGroups"]).map { $0["path"] as? String } == groups
        )
        let products = project.objects(target["packageProductDependencies"]).map {
            $0["productName"] as? String
        }
        #expect(products == [product])
        let manifest = try String(contentsOf: project.url("../../Package.swift"), encoding: .utf8)
        #expect(manifest.contains(#".library(name: "\#(product)""#))
        for group in groups {
            for file in try FileManager.default.contentsOfDirectory(atPath: project.url(group).path) {
                let code = try String(contentsOf: project.url("\(group)/\(file)"), encoding: .utf8)
                let imports = code.split(separator: "\n").filter { $0.hasPrefix("import P") }.map(String.init)
                #expect(
                    imports.allSatisfy {
                        ["import \(product)", "import PushBridgeNotifications"].contains($0)
                    }
                )
            }
        }
    }

    @Test func bothTargetsHaveTheGroupsOfTheCode() throws {
        for target in ["App", "NotificationService"] {
            let entitlements = "Support/\(target).entitlements"
            #expect(
                try project.groups(of: entitlements, "com.apple.security.application-groups")
                    == [SharedStore.group]
            )
            #expect(
                try project.groups(of: entitlements, "keychain-access-groups") == [SharedStore.keychainGroup]
            )
            // In a build, Xcode replaces `$(AppIdentifierPrefix)` with the team's identifier, which the code reads.
            let info = try project.plist("Support/\(target)-Info.plist")
            #expect(info["AppIdentifierPrefix"] as? String == "$(AppIdentifierPrefix)")
            #expect(info["CFBundleLocalizations"] as? [String] == ["en", "de", "fr", "es"])
        }
        #expect(try project.plist("Support/App.entitlements")["aps-environment"] as? String == "development")
    }

    @Test func theSystemFindsTheClassesThatThePlistsName() throws {
        let app = try project.plist("Support/App-Info.plist")
        #expect(app["UIBackgroundModes"] as? [String] == ["remote-notification"])
        let manifest = try #require(app["UIApplicationSceneManifest"] as? [String: Any])
        let scenes = try #require(manifest["UISceneConfigurations"] as? [String: [[String: String]]])
        let scene = scenes["UIWindowSceneSessionRoleApplication"]?.first?["UISceneDelegateClassName"]
        #expect(scene == "$(PRODUCT_MODULE_NAME).SceneDelegate")
        let service = try project.plist("Support/NotificationService-Info.plist")
        let entry = try #require(service["NSExtension"] as? [String: String])
        #expect(entry["NSExtensionPointIdentifier"] == "com.apple.usernotifications.service")
        #expect(entry["NSExtensionPrincipalClass"] == "$(PRODUCT_MODULE_NAME).NotificationService")
    }
}
