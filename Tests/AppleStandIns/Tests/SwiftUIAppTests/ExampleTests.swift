#if SwiftUIApp
import Foundation
import Testing

@testable import SwiftUIApp

/// The app's Xcode project, property lists and entitlements.
///
/// This platform does not use these files, so the tests check that the files exist and agree with the code.
@Suite("SwiftUI example")
struct ExampleTests {
    private let project: Project

    init() throws {
        project = try Project("SwiftUIApp")
    }

    @Test func theTenLinesOfTheReadmeAreInTheApp() throws {
        let readme = try String(contentsOf: project.url("README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```swift\n")
        let block = try #require(blocks.dropFirst().first?.components(separatedBy: "```").first)
        let lines = block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.count == 10)
        var code: Set<String> = []
        for folder in ["App", "Shared", "Step3"] {
            for file in try FileManager.default.contentsOfDirectory(atPath: project.url(folder).path) {
                let text = try String(contentsOf: project.url("\(folder)/\(file)"), encoding: .utf8)
                code.formUnion(text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
            }
        }
        for line in lines { #expect(code.contains(line), "\(line)") }
    }

    @Test func theProjectContainsTheObjectOfEveryReference() {
        #expect(project.objects.count == 43)
        for (id, object) in project.objects {
            for reference in object.values.flatMap(Project.references) {
                #expect(project.objects[reference] != nil, "\(id) refers to \(reference)")
            }
        }
        #expect(project.object(project.root)?["isa"] as? String == "PBXProject")
    }

    @Test(arguments: [
        ("SwiftUIApp", ["App", "Shared", "Step3"], ["CredentialMigration", "PingPush"]),
        ("NotificationService", ["NotificationService", "Shared"], ["PushBridgeNotifications"]),
    ])
    func targetsHaveTheirSourcesAndProducts(
        _ name: String,
        _ groups: [String],
        _ products: [String]
    ) throws {
        let target = try #require(project.all("PBXNativeTarget").first { $0["name"] as? String == name })
        let folders = project.objects(target["fileSystemSynchronizedGroups"]).map { $0["path"] as? String }
        #expect(folders == groups)
        let linked = project.objects(target["packageProductDependencies"])
        #expect(linked.map { $0["productName"] as? String } == products)
        for group in groups {
            #expect(FileManager.default.fileExists(atPath: project.url(group).path), "\(group)")
        }
    }

    /// The project has the settings of Xcode 26's template for apps, and the deployment target iOS 17.0.
    ///
    /// `Tests/AppleStandIns/Package.swift` also compiles the example with the template's settings.
    @Test func theProjectHasTheSettingsOfTheTemplate() {
        let settings = project.all("XCBuildConfiguration").compactMap {
            $0["buildSettings"] as? [String: Any]
        }.filter { $0["SWIFT_VERSION"] != nil }
        #expect(settings.count == 2)
        for settings in settings {
            #expect(settings["SWIFT_DEFAULT_ACTOR_ISOLATION"] as? String == "MainActor")
            #expect(settings["SWIFT_APPROACHABLE_CONCURRENCY"] as? String == "YES")
            #expect(settings["IPHONEOS_DEPLOYMENT_TARGET"] as? String == "17.0")
        }
    }

    @Test func bothTargetsHaveTheGroupsOfTheCode() throws {
        for target in ["App", "NotificationService"] {
            let entitlements = "Support/\(target).entitlements"
            let apps = try project.groups(of: entitlements, "com.apple.security.application-groups")
            #expect(apps == [SharedStore.group])
            let keychain = try project.groups(of: entitlements, "keychain-access-groups")
            #expect(keychain == [SharedStore.keychainGroup])
            // In a build, Xcode replaces `$(AppIdentifierPrefix)` with the team's identifier, which the code reads.
            let info = try project.plist("Support/\(target)-Info.plist")
            #expect(info["AppIdentifierPrefix"] as? String == "$(AppIdentifierPrefix)")
        }
        let app = try project.plist("Support/App-Info.plist")
        #expect(app["UIBackgroundModes"] as? [String] == ["remote-notification"])
        // SwiftUI supplies the scene delegate, so the property list names no delegate.
        let manifest = try #require(app["UIApplicationSceneManifest"] as? [String: Any])
        #expect(manifest["UISceneConfigurations"] == nil)
    }
}
#endif
