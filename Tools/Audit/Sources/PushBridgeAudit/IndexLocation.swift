import Foundation
import PushBridgeCommandLine

/// An index store, and the project that it describes.
struct IndexLocation {
    let store: URL
    /// The folder of the project.
    let project: URL
    /// The command that rebuilds the project and thus its index.
    let refreshCommand: String

    /// Finds a store.
    /// - Parameters:
    ///   - named: A store, or a folder that contains a store: the folder of a build or package, or a folder in
    ///     DerivedData. If this is `nil`, the search covers a built package in the start folder and its parents, and
    ///     Xcode's DerivedData for a project in these folders.
    ///   - project: The folder of the project, if the user named one; it is then the start folder.
    ///   - current: The start folder if the user named no project.
    ///   - derivedData: The folder of Xcode's builds.
    /// - Returns: The newest store.
    /// - Throws: ``CommandFailure`` if there is no store, or `project` is not a folder.
    static func find(
        _ named: String?,
        project: String?,
        from current: URL = URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
        derivedData: URL = FileManager.default.homeDirectoryForCurrentUser
            .appendingPathComponent("Library/Developer/Xcode/DerivedData")
    ) throws(CommandFailure) -> IndexLocation {
        if let project, !URL(fileURLWithPath: project).isFolder {
            throw CommandFailure(status: .unreadableInput, sentence: "There is no folder \(project).")
        }
        let project = project.map { URL(fileURLWithPath: $0).standardizedFileURL }
        if let named {
            var folder = URL(fileURLWithPath: named).standardizedFileURL
            guard folder.isFolder else {
                throw CommandFailure(status: .unreadableInput, sentence: "There is no folder \(named).")
            }
            guard FileManager.default.isReadableFile(atPath: folder.path) else {
                throw CommandFailure(
                    status: .unreadableInput,
                    sentence: "\(named) cannot be read: you do not have permission."
                )
            }
            // The user may also name the folder of a format's version, or its folder of units or records.
            let inner = Self.parents(of: folder).prefix(3).first { units(of: $0) != nil }
            if let inner { folder = inner.deletingLastPathComponent() }
            // A package's build is searched first, to avoid searching all its other folders.
            let found =
                newest(of: stores(in: folder.appendingPathComponent(".build")))
                ?? newest(of: stores(in: folder))
            guard let store = found else {
                throw CommandFailure(
                    status: .unreadableInput,
                    sentence:
                        "\(named) contains no index: build the app first (every debug build writes an "
                        + "index), and name the folder of the build or of the package."
                )
            }
            return IndexLocation(store, project, current)
        }
        let start = project ?? current.standardizedFileURL
        let ofPackages = parents(of: start).lazy
            .map { stores(in: $0.appendingPathComponent(".build")) }.first { !$0.isEmpty }
        let builds = contents(of: derivedData).filter { build in
            guard let workspace = workspace(of: build) else { return false }
            return isInside(workspace, start) || isInside(start, workspace.deletingLastPathComponent())
        }
        if let store = newest(of: (ofPackages ?? []) + builds.flatMap { stores(in: $0) }) {
            return IndexLocation(store, project, current)
        }
        throw CommandFailure(
            status: .unreadableInput,
            sentence:
                "No index was found, neither in .build of this folder or its parents, nor in Xcode's DerivedData for a project in these folders: "
                + "build the app first, or name the folder of its build."
        )
    }

    private init(_ store: URL, _ project: URL?, _ current: URL) {
        self.store = store
        let parts = store.pathComponents
        if let build = parts.firstIndex(of: ".build") {
            let package = URL(fileURLWithPath: parts[..<build].joined(separator: "/")).standardizedFileURL
            self.project = project ?? package
            let place = package.path == current.path ? "" : " --package-path \(package.path.inShell)"
            refreshCommand = "swift build --build-tests\(place)"
        } else if let workspace = Self.parents(of: store).lazy.compactMap(Self.workspace).first {
            self.project = project ?? workspace.deletingLastPathComponent()
            let kind = workspace.pathExtension == "xcworkspace" ? "workspace" : "project"
            refreshCommand = "xcodebuild build-for-testing -\(kind) \(workspace.path.inShell) -scheme SCHEME"
        } else {
            self.project = project ?? current
            refreshCommand = "the command that builds the app"
        }
    }

    /// Returns a folder and its parents.
    static func parents(of url: URL) -> [URL] {
        Array(sequence(first: url) { $0.path == "/" ? nil : $0.deletingLastPathComponent() })
    }

    /// Returns the project or workspace that a folder of DerivedData belongs to; `nil` if it is not known.
    private static func workspace(of build: URL) -> URL? {
        let file = build.appendingPathComponent("info.plist")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            struct Info: Decodable {
                let path: String
                enum CodingKeys: String, CodingKey {
                    case path = "WorkspacePath"
                }
            }
            let info = try PropertyListDecoder().decode(Info.self, from: Data(contentsOf: file))
            return URL(fileURLWithPath: info.path)
        } catch {
            return nil
        }
    }

    /// Returns whether `url` refers to `folder` or to something inside it.
    private static func isInside(_ url: URL, _ folder: URL) -> Bool {
        url.path == folder.path
            || url.path.hasPrefix(folder.path.hasSuffix("/") ? folder.path : "\(folder.path)/")
    }

    /// Returns the stores in a folder, up to a few levels deep, such as `.build/debug/index/store` or
    /// `Index.noindex/DataStore`.
    private static func stores(in folder: URL, depth: Int = 5) -> [URL] {
        let entries = contents(of: folder)
        if entries.contains(where: { units(of: $0) != nil }) { return [folder] }
        guard depth > 0 else { return [] }
        let passed: Set = [
            "checkouts", "repositories", "artifacts", "ModuleCache", "Modules", "Products", "Sources",
        ]
        return entries.filter { entry in
            let name = entry.lastPathComponent
            return !passed.contains(name) && !name.hasSuffix(".build") && !name.hasSuffix(".noindex")
                || name.hasPrefix("Index")
        }
        .flatMap { stores(in: $0, depth: depth - 1) }
    }

    /// Returns the folder of units in the folder of a format's version.
    ///
    /// Returns `nil` if `version` is not the folder of a format's version, or has no folder of units.
    private static func units(of version: URL) -> URL? {
        guard version.lastPathComponent.wholeMatch(of: #/v\d+/#) != nil else { return nil }
        let units = version.appendingPathComponent("units")
        return FileManager.default.fileExists(atPath: units.path) ? units : nil
    }

    /// Returns the store with the newest units; `nil` if there is no store.
    private static func newest(of stores: [URL]) -> URL? {
        stores.map { store in
            let time = contents(of: store).compactMap(units).map(\.modificationTime).max() ?? .distantPast
            return (store, time)
        }
        .max { $0.1 < $1.1 }?.0
    }

    private static func contents(of folder: URL) -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                .map { folder.appendingPathComponent($0) }
        } catch {
            return []
        }
    }
}

extension String {
    /// The text quoted as one word for a shell.
    fileprivate var inShell: String {
        wholeMatch(of: #/[\w\/.@%+=:,-]+/#) != nil ? self : "'\(replacing("'", with: #"'\''"#))'"
    }
}

extension URL {
    var isFolder: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The file's modification time; the distant past if the time cannot be read.
    var modificationTime: Date {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return attributes[.modificationDate] as? Date ?? .distantPast
        } catch {
            return .distantPast
        }
    }
}
