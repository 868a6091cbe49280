import Foundation
import PushBridgeCommandLine
import PushBridgeTestSupport
import Testing

@testable import PushBridgeAudit

/// Indexes that are old, of something else, or damaged.
@Suite struct IndexTests {
    private let compiler: Compiler
    private let source: URL

    /// One file that uses a stand-in of the SDK.
    init() throws {
        compiler = try Compiler()
        try compiler.module(
            "FRAuthenticator",
            [compiler.folder.file("SDK.swift", "public func start() {}\n")]
        )
        source = try compiler.folder.file("App.swift", "import FRAuthenticator\nfunc launch() { start() }\n")
        try compiler.app([source])
    }

    /// The sentence and the status with which an audit fails.
    private func failure(_ options: Audit.Options) throws -> CommandFailure {
        try #require(throws: CommandFailure.self) { try Audit.read(options) }
    }

    private func touch(_ file: URL, after seconds: TimeInterval) throws {
        let date = Date().addingTimeInterval(seconds)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }

    @Test func aSourceThatIsNewerThanItsUnitIsStale() throws {
        #expect(try compiler.audit().stale == [])
        try touch(source, after: 60)
        let audit = try compiler.audit()
        #expect(audit.stale == ["App.swift"])
        #expect(audit.uses.count == 1)
        let text = AuditReport(audit).text
        #expect(text.contains("App.swift changed after the index was written: build again with "))
    }

    /// A rename leaves the unit of the old name in the index.
    @Test func filesThatAreGoneDoNotCount() throws {
        try compiler.app([compiler.folder.copy(source, as: "Renamed.swift")])
        #expect(try compiler.audit().uses.count == 2)
        try FileManager.default.removeItem(at: source)
        let audit = try compiler.audit()
        #expect(audit.files == ["Renamed.swift"])
    }

    /// An older build of another configuration is not of the file as it is.
    @Test func onlyBuildsOfTheFileAsItIsCount() throws {
        try touch(source, after: -60)
        try "import FRAuthenticator\n\nfunc launch() { start() }\n".write(
            to: source,
            atomically: true,
            encoding: .utf8
        )
        try touch(source, after: 1)
        try compiler.app([source], as: "release")
        let units = compiler.folder.url.appendingPathComponent("index/store/v5/units")
        for unit in try FileManager.default.contentsOfDirectory(atPath: units.path)
        where unit.hasPrefix("App.o") {
            let file = units.appendingPathComponent(unit)
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            try touch(file, after: text.contains("release") ? 2 : 0)
        }
        #expect(try compiler.audit().uses.map(\.line) == [3])
    }

    @Test func sourcesThatNoTargetHasAreNamed() throws {
        try compiler.folder.file("Unbuilt.swift", "import FRAuthenticator\n")
        #expect(try compiler.audit().unindexed == ["Unbuilt.swift"])
    }

    @Test func aFolderWithoutAnIndexIsRefused() throws {
        let empty = try TemporaryFolder()
        let refused = try failure(Audit.Options(index: empty.url.path))
        #expect(refused.status == .unreadableInput)
        #expect(refused.sentence.hasPrefix("\(empty.url.path) holds no index: build the app first"))
        let missing = try failure(Audit.Options(index: "/nowhere"))
        #expect(missing.sentence == "There is no folder /nowhere.")
    }

    @Test func aProjectThatIsNoFolderIsRefused() throws {
        for project in ["/nowhere", source.path] {
            let refused = try failure(Audit.Options(index: compiler.store, project: project))
            #expect(refused.status == .unreadableInput)
            #expect(refused.sentence == "There is no folder \(project).")
        }
    }

    /// Symbols that a module of another name declares, as in an app with a wrapper, are not those of the SDK's.
    @Test func usesTellWhichModuleDeclaresTheirSymbol() throws {
        try compiler.module(
            "PushBridgeFRAuthenticator",
            [compiler.folder.file("Wrapped.swift", "public func start() {}\n")]
        )
        let wrapped = try compiler.folder.file(
            "Wrapper.swift",
            "import PushBridgeFRAuthenticator\nfunc launchWrapped() { start() }\n"
        )
        try compiler.app([source, wrapped])
        let audit = try compiler.audit()
        struct Document: Decodable {
            struct Use: Decodable {
                let file: String
                let symbol: String
                let module: String
            }
            let uses: [Use]
        }
        var json = Data()
        try AuditReport(audit).writeJSON { json += $0 }
        let uses = try JSONDecoder().decode(Document.self, from: json).uses
        #expect(
            uses.map { "\($0.file) \($0.module).\($0.symbol)" } == [
                "App.swift FRAuthenticator.start()", "Wrapper.swift PushBridgeFRAuthenticator.start()",
            ]
        )
    }

    /// The modules' own sources import each other.
    @Test func sourcesOfTheModulesThemselvesAreNotMissing() throws {
        let own = try compiler.folder.file("Own.swift", "import FRAuthenticator\n")
        try compiler.app([own], named: "FRCore", as: "core")
        #expect(try compiler.audit().unindexed == [])
    }

    @Test func anIndexOfSourcesElsewhereIsRefused() throws {
        try FileManager.default.removeItem(at: source)
        let refused = try failure(Audit.Options(index: compiler.store))
        #expect(refused.status == .unreadableInput)
        #expect(
            refused.sentence.contains("is of sources that are not on this machine, such as \(source.path)")
        )
    }

    @Test func anIndexWithoutSourcesIsRefused() throws {
        let folder = try TemporaryFolder()
        let units = folder.url.appendingPathComponent("v5/units")
        try FileManager.default.createDirectory(at: units, withIntermediateDirectories: true)
        let refused = try failure(Audit.Options(index: folder.url.path))
        #expect(refused.sentence.hasSuffix("knows no source of an app: build the app first."))
    }

    @Test func aLibraryThatIsNoneIsRefused() throws {
        let refused = try failure(Audit.Options(index: compiler.store, library: source.path))
        #expect(refused.status == .unavailable)
        #expect(refused.sentence.hasPrefix("The index cannot be read: \(source.path) cannot be loaded"))
    }

    /// Xcode's folder of a project: found from the project's folder by the path in its `info.plist`.
    @Test func theStoreInAFolderOfABuildIsFound() throws {
        let build = try TemporaryFolder()
        let store = build.url.appendingPathComponent("App-abc/Index.noindex/DataStore")
        try FileManager.default.createDirectory(
            at: store.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try FileManager.default.copyItem(atPath: compiler.store, toPath: store.path)
        let workspace = compiler.folder.url.appendingPathComponent("App.xcworkspace").path
        let info = try PropertyListSerialization.data(
            fromPropertyList: ["WorkspacePath": workspace],
            format: .xml,
            options: 0
        )
        try info.write(to: build.url.appendingPathComponent("App-abc/info.plist"))
        let audit = try Audit.read(Audit.Options(index: build.url.path))
        #expect(audit.index == store.path)
        #expect(audit.files == ["App.swift"])
        #expect(audit.refreshCommand == "xcodebuild build-for-testing -workspace \(workspace) -scheme SCHEME")
    }
}
