import Foundation
import PushBridgeCommandLine
import PushBridgeTestSupport
import Testing

@testable import PushBridgeAudit

/// The default index, selected among sample folders of SwiftPM and Xcode.
@Suite struct IndexLocationTests {
    private let folder: TemporaryFolder
    private var derivedData: URL { folder.url.appendingPathComponent("DerivedData") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Creates an index store whose units were written the given number of minutes ago.
    private func store(_ path: String, minutesAgo: Double) throws {
        let units = folder.url.appendingPathComponent("\(path)/v5/units")
        try FileManager.default.createDirectory(at: units, withIntermediateDirectories: true)
        let date = Date(timeIntervalSinceNow: -60 * minutesAgo)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: units.path)
    }

    /// Creates Xcode's folder for a workspace or project.
    private func build(_ name: String, of workspace: String, minutesAgo: Double) throws {
        try store("DerivedData/\(name)/Index.noindex/DataStore", minutesAgo: minutesAgo)
        let info = try PropertyListSerialization.data(
            fromPropertyList: ["WorkspacePath": folder.url.appendingPathComponent(workspace).path],
            format: .xml,
            options: 0
        )
        try info.write(to: derivedData.appendingPathComponent("\(name)/info.plist"))
    }

    private func find(from path: String, project: String? = nil) throws -> IndexLocation {
        let start = folder.url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: start, withIntermediateDirectories: true)
        return try IndexLocation.find(nil, project: project, from: start, derivedData: derivedData)
    }

    private func path(_ location: IndexLocation) -> String {
        location.store.path.relative(to: folder.url.path)
    }

    @Test(arguments: [
        (1, 2, "App/.build/debug/index/store"), (2, 1, "DerivedData/App-a/Index.noindex/DataStore"),
    ])
    func newestIndexOfPackageAndXcodeIsUsed(package: Double, xcode: Double, expected: String) throws {
        try store("App/.build/debug/index/store", minutesAgo: package)
        try build("App-a", of: "App/App.xcodeproj", minutesAgo: xcode)
        #expect(try path(find(from: "App")) == expected)
    }

    @Test func newestOfSeveralBuildsIsUsed() throws {
        try build("App-a", of: "App/App.xcworkspace", minutesAgo: 5)
        try build("App-b", of: "App/App.xcworkspace", minutesAgo: 1)
        try build("App-c", of: "App/App.xcworkspace", minutesAgo: 3)
        #expect(try path(find(from: "App")).hasPrefix("DerivedData/App-b/"))
    }

    /// The index is found from the sources below a project, and from the repository above the project.
    @Test(arguments: ["App/ios/Sources/Login", "App/ios", "App"])
    func theProjectIsFoundFromFoldersBelowAndAbove(_ start: String) throws {
        try build("App-a", of: "App/ios/App.xcodeproj", minutesAgo: 1)
        let found = try find(from: start)
        #expect(path(found).hasPrefix("DerivedData/App-a/"))
        #expect(found.project.path == folder.path("App/ios"))
        #expect(
            found.refreshCommand == "xcodebuild build-for-testing -project "
                + "\(folder.path("App/ios/App.xcodeproj")) -scheme SCHEME"
        )
    }

    @Test func thePackageIsFoundFromItsSources() throws {
        try store("App/.build/debug/index/store", minutesAgo: 1)
        let found = try find(from: "App/Sources/Login")
        #expect(found.project.path == folder.path("App"))
        #expect(found.refreshCommand == "swift build --build-tests --package-path \(folder.path("App"))")
        #expect(try find(from: "App").refreshCommand == "swift build --build-tests")
    }

    @Test func theRefreshCommandQuotesThePathForTheShell() throws {
        try store("Bank's App/.build/debug/index/store", minutesAgo: 1)
        let command = try find(from: "Bank's App/Sources").refreshCommand
        let package = folder.path(#"Bank'\''s App"#)
        #expect(command == "swift build --build-tests --package-path '\(package)'")
    }

    /// The refresh command builds the package of the index, even if file paths are relative to another folder.
    @Test func refreshCommandBuildsThePackageOfTheIndex() throws {
        try store("App/.build/debug/index/store", minutesAgo: 1)
        let sources = folder.path("App/Sources")
        try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
        let found = try find(from: ".", project: sources)
        #expect(found.project.path == sources)
        #expect(found.refreshCommand == "swift build --build-tests --package-path \(folder.path("App"))")
    }

    @Test func indexesOfOtherProjectsAreIgnored() throws {
        try build("Other-a", of: "Other/Other.xcodeproj", minutesAgo: 1)
        try store("Other/.build/debug/index/store", minutesAgo: 1)
        let refused = try #require(throws: CommandFailure.self) { try find(from: "App/Sources") }
        #expect(refused.status == .unreadableInput)
        #expect(
            refused.sentence.hasPrefix("No index was found, neither in .build of this folder or its parents")
        )
    }
}
