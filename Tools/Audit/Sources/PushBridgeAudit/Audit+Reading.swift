import Foundation
public import PushBridgeCommandLine

extension Audit {
    /// The input of an audit.
    public struct Options: Sendable {
        /// An index store, or a folder that contains one; if this is `nil`, the audit searches for a store.
        public var index: String?
        /// The folder of the project; if this is `nil`, the audit uses the project to which the index belongs.
        public var project: String?
        /// The path of the library that reads indexes; if this is `nil`, the audit uses the toolchain's library.
        public var library: String?
        /// The modules to look for.
        public var modules: [String]
        /// The folders whose sources count; if empty, all sources in the index count, except dependencies and generated
        /// sources.
        public var sources: [String]

        /// The names of the SDK's modules, and the names that PushBridge's modules have in an app that also uses other
        /// packages with these module names.
        public static let defaultModules = [
            "FRAuthenticator", "FRCore", "PushBridgeFRAuthenticator", "PushBridgeFRCore",
        ]

        /// Creates options.
        public init(
            index: String? = nil,
            project: String? = nil,
            library: String? = nil,
            modules: [String] = defaultModules,
            sources: [String] = []
        ) {
            self.index = index
            self.project = project
            self.library = library
            self.modules = modules.isEmpty ? Self.defaultModules : modules
            self.sources = sources
        }
    }

    /// Reads an index, and the manifests and imports in the project.
    /// - Parameters:
    ///   - options: The locations and modules to search.
    ///   - show: Called with the number of records read so far and the total number.
    /// - Returns: The audit.
    /// - Throws: ``CommandFailure`` if there is no index or no library that reads it, or if the index is damaged or
    ///   belongs to other sources.
    public static func read(
        _ options: Options,
        show: (_ completed: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(CommandFailure) -> Audit {
        let location = try IndexLocation.find(options.index, project: options.project)
        let library = try IndexLibrary(at: options.library)
        let store = try IndexStore(at: location.store.path, with: library)
        defer { CrashSentence.forget() }

        let sources = try Sources(
            of: store,
            Dependencies(of: location, in: options.sources),
            without: options.modules
        )
        var finder = UseFinder(modules: options.modules)
        for (index, record) in sources.records.enumerated() {
            show(index, sources.records.count)
            try finder.read(record.name, of: record.file, in: store)
        }
        let witnesses = finder.witnessHashes
        for record in sources.records where !witnesses.isEmpty {
            try finder.readWitnesses(record.name, of: record.file, in: store, named: witnesses)
        }
        var dependencies: Set<String> = []
        for (name, file) in sources.dependencyRecords where try finder.mayUse(name, of: file, in: store) {
            dependencies.insert(file)
        }
        var audit = finder.finish()
        audit.index = location.store.path
        audit.library = library.path
        audit.project = location.project.path
        audit.indexTime = sources.newest
        audit.indexedFiles = sources.files.count
        audit.refreshCommand = location.refreshCommand
        audit.nameFiles()
        let text = ProjectText(of: location.project, modules: options.modules)
        audit.mentions = text.mentions
        audit.unindexed = text.importing.filter { !sources.contains($0) }
            .map { $0.relative(to: audit.project) }.sorted()
        audit.stale = sources.stale.map { $0.relative(to: audit.project) }.sorted()
        audit.dependencies = dependencies.map { $0.relative(to: audit.project) }.sorted()
        if options.modules != Options.defaultModules {
            let named = Set(audit.symbols.map(\.module)).union(text.modules)
            audit.unknownModules = options.modules.filter { !named.contains($0) }
        }
        return audit
    }

    /// Makes file paths relative to the project's folder, removes duplicates and files without uses, and sorts the
    /// uses.
    private mutating func nameFiles() {
        let named = files.map { $0.relative(to: project) }
        // A file may have several records, one per build configuration, but is listed once.
        let sorted = Set(named).sorted()
        let positions = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
        files = sorted
        var seen: Set<[UInt32]> = []
        uses = uses.compactMap { use in
            var use = use
            use.file = positions[named[use.file]] ?? 0
            return seen.insert([UInt32(use.file), use.line, use.column]).inserted ? use : nil
        }
        uses.sort { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
        let used = Set(uses.map(\.file))
        guard used.count < files.count else { return }
        let kept = files.indices.filter(used.contains)
        let moved = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
        files = kept.map { files[$0] }
        uses = uses.map { use in
            var use = use
            use.file = moved[use.file] ?? 0
            return use
        }
    }
}

/// The source files and the records of the index that the audit reads.
struct Sources {
    /// The records to read, each with its file.
    private(set) var records: [(name: String, file: String)] = []
    /// The records of dependencies and of generated sources, each with its file.
    private(set) var dependencyRecords: [(name: String, file: String)] = []
    /// The compiled source files in which the audit counts uses of the SDK.
    private(set) var files: Set<String> = []
    /// All compiled sources, including sources of the legacy modules.
    private var compiled: Set<String> = []
    /// Sources that changed after their last compilation.
    private(set) var stale: [String] = []
    /// The time of the newest compilation.
    private(set) var newest = Date.distantPast

    /// Selects the sources and records that the audit reads.
    /// - Throws: ``CommandFailure`` if the index contains no source to count, or only sources that are not on this
    ///   machine.
    init(
        of store: IndexStore,
        _ dependencies: Dependencies,
        without modules: [String]
    ) throws(CommandFailure) {
        let units = try store.units()
        let own = units.filter { !modules.contains($0.module) }
        var paths = PlainPaths()
        let byFile = Dictionary(grouping: own) { paths.of($0.mainFile) }
        // A compiled file that imports a module has a record. A unit without records may be damaged, so its file counts
        // as not compiled.
        compiled = Set(units.filter { !$0.records.isEmpty }.map { paths.of($0.mainFile) })
        var seen: Set<String> = []
        for (file, units) in byFile.sorted(by: { $0.key < $1.key }) {
            // The index also contains units of files that were deleted later.
            guard FileManager.default.fileExists(atPath: file) else { continue }
            guard dependencies.isInFolders(file) else { continue }
            let isDependency = dependencies.has(file)
            if !isDependency { files.insert(file) }
            let changed = URL(fileURLWithPath: file).modificationTime
            let last = units.map(\.time).max() ?? .distantPast
            newest = max(newest, last)
            if changed > last, !isDependency { stale.append(file) }
            // The newest unit of a file always counts. A unit of another build configuration counts only if it is newer
            // than the file's last change.
            for unit in units where unit.time == last || unit.time >= changed {
                for record in unit.records where !Self.isGenerated(record.file, modules) {
                    let record = (name: record.name, file: paths.of(record.file))
                    guard seen.insert("\(record.name) \(record.file)").inserted else { continue }
                    // In the index, the unit of an app's source also lists records of headers from dependencies.
                    if dependencies.has(record.file) {
                        dependencyRecords.append(record)
                    } else {
                        records.append(record)
                    }
                }
            }
        }
        guard !files.isEmpty else {
            if let folder = dependencies.folders.first {
                throw CommandFailure(
                    status: .unreadableInput,
                    sentence: "The index \(store.path) contains no source in \(folder): build the app first."
                )
            }
            let example = own.first.map { ", such as \($0.mainFile)" } ?? ""
            throw CommandFailure(
                status: .unreadableInput,
                sentence: own.isEmpty
                    ? "The index \(store.path) contains no source of an app: build the app first."
                    : "The index \(store.path) describes sources that are not on this machine\(example): build the app here."
            )
        }
    }

    /// Returns whether a file was compiled, regardless of how its path is written.
    func contains(_ file: String) -> Bool {
        compiled.contains(URL(fileURLWithPath: file).standardizedFileURL.path)
    }

    /// Returns whether a file is the header that the compiler generated for a module.
    private static func isGenerated(_ file: String, _ modules: [String]) -> Bool {
        modules.contains { file.hasSuffix("/\($0)-Swift.h") }
    }
}

/// Distinguishes the app's own sources from sources of packages and pods, and from generated sources.
struct Dependencies {
    /// The folders whose sources count; if empty, the sources in all folders count.
    let folders: [String]
    private let project: String
    /// The folders in which the build that wrote the index may keep the sources of packages.
    private let checkouts: [String]

    init(of location: IndexLocation, in folders: [String]) {
        self.folders = folders.map { "\(URL(fileURLWithPath: $0).standardizedFileURL.path)/" }
        project = "\(location.project.path)/"
        // Builds keep checkouts in a folder a few levels above the store. The search stops at the project, because
        // the project may itself be a checkout.
        checkouts = IndexLocation.parents(of: location.store).prefix(5)
            .prefix { $0.path != location.project.path }
            .flatMap { folder in
                ["checkouts", "SourcePackages/checkouts"].map { "\(folder.path)/\($0)/" }
            }
    }

    func isInFolders(_ file: String) -> Bool { folders.isEmpty || folders.contains(where: file.hasPrefix) }

    /// Returns whether a source belongs to a dependency, or is generated.
    ///
    /// Folder names such as `.build` count only below one of the ``folders`` or, if there are none, below the project.
    func has(_ file: String) -> Bool {
        let base = folders.first(where: file.hasPrefix) ?? (file.hasPrefix(project) ? project : "")
        if checkouts.contains(where: { file.hasPrefix($0) && !base.hasPrefix($0) }) { return true }
        let path = "/\(file.dropFirst(base.count))"
        return Self.places.contains(where: path.contains) || path.hasSuffix(".generated.swift")
            || isInPods(path, below: base)
    }

    /// The folders of package managers, builds and code generators.
    private static let places = [
        "/.build/", "/SourcePackages/", "/DerivedData/", "/Carthage/", "/node_modules/", "/Generated/",
    ]

    /// Returns whether a path contains a `Pods` folder of CocoaPods.
    ///
    /// A folder of the app may have the same name, so only a folder with a `Manifest.lock` counts.
    private func isInPods(_ path: String, below base: String) -> Bool {
        path.ranges(of: "/Pods/").contains { range in
            FileManager.default.fileExists(
                atPath: "\(base)\(path[..<range.upperBound].dropFirst())Manifest.lock"
            )
        }
    }
}

/// Removes components such as `..` from paths.
///
/// Links are not resolved, because a build treats a link and its target as separate files.
private struct PlainPaths {
    private var known: [String: String] = [:]

    mutating func of(_ path: String) -> String {
        if let plain = known[path] { return plain }
        let plain = URL(fileURLWithPath: path).standardizedFileURL.path
        known[path] = plain
        return plain
    }
}
