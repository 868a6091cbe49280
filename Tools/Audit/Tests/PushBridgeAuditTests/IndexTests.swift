import Foundation
import PushBridgeCommandLine
import PushBridgeCommandLineTestSupport
import PushBridgeTestSupport
import Testing

@testable import PushBridgeAudit

/// Indexes that are outdated or damaged, or that describe other sources.
@Suite struct IndexTests {
    private let compiler: Compiler
    private let source: URL

    /// Creates one file that uses a sample module with the SDK's name.
    init() throws {
        compiler = try Compiler()
        try compiler.module(
            "FRAuthenticator",
            [compiler.folder.file("SDK.swift", "public func start() {}\n")]
        )
        source = try compiler.folder.file("App.swift", "import FRAuthenticator\nfunc launch() { start() }\n")
        try compiler.app([source])
    }

    /// Returns the error of a failing audit.
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

    /// The audit ignores the unit of a deleted file, which remains in the index, for example after a rename.
    @Test func theAuditIgnoresDeletedFiles() throws {
        try compiler.app([compiler.folder.copy(source, as: "Renamed.swift")])
        #expect(try compiler.audit().uses.count == 2)
        try FileManager.default.removeItem(at: source)
        let audit = try compiler.audit()
        #expect(audit.files == ["Renamed.swift"])
    }

    /// The audit ignores a build of another configuration that is older than the file's last change.
    @Test func buildsOfEarlierFileContentsAreIgnored() throws {
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

    @Test func sourcesWithoutATargetAreListed() throws {
        try compiler.folder.file("Unbuilt.swift", "import FRAuthenticator\n")
        #expect(try compiler.audit().unindexed == ["Unbuilt.swift"])
    }

    @Test func aFolderWithoutAnIndexIsRefused() throws {
        let empty = try TemporaryFolder()
        let refused = try failure(Audit.Options(index: empty.url.path))
        #expect(refused.status == .unreadableInput)
        #expect(refused.sentence.hasPrefix("\(empty.url.path) contains no index: build the app first"))
        let missing = try failure(Audit.Options(index: "/nowhere"))
        #expect(missing.sentence == "There is no folder /nowhere.")
    }

    /// The audit lists sources of dependencies that use the SDK, but does not count their uses.
    ///
    /// For example, the vendor's own FRAuth uses FRCore, and the app's build compiles the sources of FRAuth.
    @Test(arguments: [
        ".build/checkouts/sdk", "DerivedData/App-x/SourcePackages/checkouts/sdk", "Pods/FRAuth",
        "Carthage/Checkouts/sdk", "Carthage/Build/sdk", "DerivedData/App-x/Build/sdk",
        ".build/plugins/outputs/sdk",
        "SourcePackages/sdk", "node_modules/sdk/ios", "App/Generated",
    ])
    func sourcesOfDependenciesAreListedButNotCounted(_ place: String) throws {
        let path = "\(place)/Login.swift"
        let folder = compiler.folder.url.appendingPathComponent(path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if place.hasPrefix("Pods") { try compiler.folder.file("Pods/Manifest.lock", "PODS:\n") }
        let dependency = try compiler.folder.copy(source, as: path)
        let silent = try compiler.folder.file("\(place)/Silent.swift", "func silent() {}\n")
        try compiler.app([source])
        try compiler.app([dependency, silent], named: "FRAuth", as: "auth")
        let audit = try compiler.audit()
        #expect(audit.files == ["App.swift"])
        #expect(audit.indexedFiles == 1)
        #expect(audit.dependencies == [path])
        let text = AuditReport(audit).text
        #expect(
            text.contains("Not counted: uses in dependencies and generated files (\(path)). To count ")
        )

        // If `--sources` names the folder, the uses in the folder count, whether or not the folder is the project.
        let store = compiler.store
        for options in [
            Audit.Options(index: store, project: compiler.folder.url.path, sources: [folder.path]),
            Audit.Options(index: store, project: folder.path, sources: [folder.path]),
        ] {
            let named = try Audit.read(options)
            #expect(named.uses.count == 1)
            #expect(named.dependencies == [])
        }
    }

    /// SARIF counts columns in units of UTF-16, but the index counts them in bytes of UTF-8.
    ///
    /// The file has carriage returns.
    @Test func theSARIFLogCountsColumnsInUTF16Units() throws {
        let lines = ["import FRAuthenticator", "func launch() { _ = \"\u{1F600}\u{E9}\"; start() }", ""]
        let other = try compiler.folder.file("Other.swift", lines.joined(separator: "\r\n"))
        try FileManager.default.removeItem(at: source)
        try compiler.app([other])
        let audit = try compiler.audit()
        #expect(audit.uses.map(\.column) == [31])
        var sarif = Data()
        try AuditReport(audit).writeSARIF { sarif += $0 }
        #expect(String(decoding: sarif, as: UTF8.self).contains("\"startColumn\":28,\"startLine\":2"))
    }

    /// An index contains 0 for an unknown line or column; SARIF counts from 1.
    @Test(arguments: [(0, 0), (1, 0), (0, 1), (9_999, 9_999)] as [(UInt32, UInt32)])
    func usesWithoutLineOrColumnAreListed(_ line: UInt32, _ column: UInt32) throws {
        try compiler.app([source])
        var audit = try compiler.audit()
        let use = try #require(audit.uses.first)
        audit.uses[0] = Audit.Use(
            symbol: use.symbol,
            file: use.file,
            line: line,
            column: column,
            role: use.role,
            enclosing: use.enclosing,
            alias: use.alias
        )
        var sarif = Data()
        try AuditReport(audit).writeSARIF { sarif += $0 }
        let text = String(decoding: sarif, as: UTF8.self)
        #expect(text.contains("\"startColumn\":\(max(column, 1)),\"startLine\":\(max(line, 1))"))
    }

    /// A podcast app may have its own folder `Pods`, which contains no dependencies.
    @Test func sourcesInAnAppFolderNamedPodsAreCounted() throws {
        let folder = compiler.folder.url.appendingPathComponent("Sources/Pods")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try compiler.app([compiler.folder.copy(source, as: "Sources/Pods/Player.swift")])
        #expect(try compiler.audit().files == ["App.swift", "Sources/Pods/Player.swift"])
    }

    /// A project may be in a folder of checkouts, and use packages in the same folder.
    @Test func aProjectInAFolderNamedCheckoutsCountsAsTheApp() throws {
        let folder = try TemporaryFolder()
        let app = folder.url.appendingPathComponent("checkouts/App")
        try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
        let (here, beside) = (app.appendingPathComponent("App.swift"), folder.path("checkouts/Beside.swift"))
        try FileManager.default.copyItem(at: source, to: here)
        try "import FRAuthenticator\nfunc again() { start() }\n".write(
            toFile: beside,
            atomically: true,
            encoding: .utf8
        )
        try compiler.app([here, URL(fileURLWithPath: beside)], as: "checkouts")
        let store = app.appendingPathComponent(".build/debug/index/store")
        try FileManager.default.createDirectory(
            at: store.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try FileManager.default.copyItem(atPath: compiler.store, toPath: store.path)
        let audit = try Audit.read(Audit.Options(index: app.path, sources: [folder.url.path]))
        #expect(audit.uses.count == 2)
        #expect(audit.dependencies == [])
    }

    /// With a damaged unit, the audit counts the use, names the file as not indexed, or reports the damage.
    ///
    /// The library reads some damaged units without an error, but without their main file or records.
    @Test func aDamagedUnitNeverHidesAUseWithoutAReport() throws {
        let units = compiler.folder.url.appendingPathComponent("index/store/v5/units")
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: units.path).first { $0.hasPrefix("App.o") }
        )
        let unit = units.appendingPathComponent(name)
        let whole = try Data(contentsOf: unit)
        let audit = try CommandLineTool()
        struct Document: Decodable {
            let totals: [String: Int]
            let unindexed: [String]
        }
        for start in stride(from: 0, to: whole.count, by: 64) {
            var damaged = whole
            for place in start..<min(start + 64, whole.count) { damaged[place] = 0 }
            try damaged.write(to: unit)
            let run = try audit.run(
                ["audit", compiler.store, "--project", compiler.folder.url.path, "--json"]
            )
            if run.status == 66 {
                #expect(run.sentences.count == 1)
            } else {
                let document = try run.json(Document.self)
                #expect(document.totals["uses"] == 1 || document.unindexed == ["App.swift"], "at \(start)")
            }
        }
    }

    @Test func aStoreOfAnotherVersionIsRefused() throws {
        let store = URL(fileURLWithPath: compiler.store)
        try FileManager.default.moveItem(
            at: store.appendingPathComponent("v5"),
            to: store.appendingPathComponent("v9")
        )
        let refused = try failure(Audit.Options(index: store.path))
        #expect(refused.status == .unreadableInput)
        #expect(refused.sentence.hasPrefix("The index \(store.path) has a different version from v5, which "))
    }

    @Test(arguments: ["v5", "v5/units"])
    func theStoreIsFoundFromItsOwnFolders(_ inner: String) throws {
        let audit = try Audit.read(Audit.Options(index: "\(compiler.store)/\(inner)"))
        #expect(audit.index == compiler.store)
    }

    /// If the module's name is misspelled, the audit must not look like the audit of an app without uses.
    @Test func unusedModuleNameIsReported() throws {
        #expect(try compiler.audit(modules: ["FRAuthenticator"]).unknownModules == [])
        let audit = try compiler.audit(modules: ["FRAuthenticatr"])
        #expect(audit.unknownModules == ["FRAuthenticatr"])
        #expect(AuditReport(audit).text.contains("No source imports a module FRAuthenticatr: "))
    }

    @Test func projectThatIsNotAFolderIsRefused() throws {
        for project in ["/nowhere", source.path] {
            let refused = try failure(Audit.Options(index: compiler.store, project: project))
            #expect(refused.status == .unreadableInput)
            #expect(refused.sentence == "There is no folder \(project).")
        }
    }

    /// A symbol that a wrapper module with another name declares must not appear as a symbol of the SDK.
    @Test func eachUseContainsTheModuleOfItsSymbol() throws {
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

    /// The sources of the audited modules import each other, but do not belong to the app.
    @Test func sourcesOfTheModulesAreNotReportedAsMissing() throws {
        let own = try compiler.folder.file("Own.swift", "import FRAuthenticator\n")
        try compiler.app([own], named: "FRCore", as: "core")
        #expect(try compiler.audit().unindexed == [])
    }

    @Test func anIndexOfSourcesElsewhereIsRefused() throws {
        try FileManager.default.removeItem(at: source)
        let refused = try failure(Audit.Options(index: compiler.store))
        #expect(refused.status == .unreadableInput)
        #expect(
            refused.sentence.contains(
                "describes sources that are not on this machine, such as \(source.path)"
            )
        )
    }

    @Test func anIndexWithoutSourcesIsRefused() throws {
        let folder = try TemporaryFolder()
        let units = folder.url.appendingPathComponent("v5/units")
        try FileManager.default.createDirectory(at: units, withIntermediateDirectories: true)
        let refused = try failure(Audit.Options(index: folder.url.path))
        #expect(refused.sentence.hasSuffix("contains no source of an app: build the app first."))
    }

    @Test func invalidLibraryIsRefused() throws {
        let refused = try failure(Audit.Options(index: compiler.store, library: source.path))
        #expect(refused.status == .unavailable)
        #expect(refused.sentence.hasPrefix("The index cannot be read: \(source.path) cannot be loaded"))
    }

    /// The `info.plist` in Xcode's build folder names the workspace of the index.
    @Test func theIndexInTheBuildFolderOfXcodeIsFound() throws {
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
