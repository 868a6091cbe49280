import Foundation

/// The facts about a project that the audit reads without an index: imports, and manifests that name the legacy SDK.
struct ProjectText {
    private(set) var mentions: [Audit.Mention] = []
    /// The full paths of the sources that import one of the modules.
    private(set) var importing: [String] = []
    /// The wanted modules that at least one source imports.
    private(set) var modules: Set<String> = []
    private let root: URL
    private let wanted: [String]

    /// The names of skipped folders, which contain third-party code, build products or the data of tools.
    private static let passed: Set = [
        ".build", ".git", ".swiftpm", "Pods", "Carthage", "DerivedData", "SourcePackages", "node_modules",
        "build",
        "checkouts", "xcuserdata",
    ]

    init(of root: URL, modules: [String]) {
        self.root = root
        wanted = modules
        visit(root, depth: 12)
        mentions.sort {
            ($0.kind == .manifest ? 0 : 1, $0.file, $0.line) < (
                $1.kind == .manifest ? 0 : 1, $1.file, $1.line
            )
        }
    }

    private mutating func visit(_ folder: URL, depth: Int) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        } catch {
            return
        }
        for name in names where !Self.passed.contains(name) {
            let url = folder.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { continue }
            if isFolder.boolValue {
                // Links are skipped, because a link to a parent folder would repeat the search of all its
                // folders.
                let isLink = url.isLink
                if depth > 0, !isLink { visit(url, depth: depth - 1) }
            } else if let manifest = Manifest(fileName: name) {
                read(url, manifest)
            } else if ["swift", "m", "mm", "h", "pch"].contains(url.pathExtension) {
                readImports(of: url)
            }
        }
    }

    /// The manifests that may name the legacy SDK, by file name.
    private enum Manifest: String {
        case package = "Package.swift"
        case podfile = "Podfile"
        case podspec = ".podspec"
        case cartfile = "Cartfile"
        case project = "project.pbxproj"
        case cordova = "plugin.xml"
        case xcodeGen = "project.yml"

        init?(fileName: String) {
            if fileName.hasSuffix(Manifest.podspec.rawValue) {
                self = .podspec
            } else if fileName.hasPrefix("Package@swift-"), fileName.hasSuffix(".swift") {
                self = .package
            } else {
                self.init(rawValue: fileName)
            }
        }

        /// The characters that start a comment in the manifest; `nil` if comments are not recognised.
        var comment: String? {
            switch self {
            case .package: "//"
            case .podfile, .podspec, .cartfile, .xcodeGen: "#"
            case .project, .cordova: nil
            }
        }
    }

    private mutating func read(_ file: URL, _ manifest: Manifest) {
        let words = wanted + ["forgerock-ios-sdk"]
        for (number, line) in lines(of: file) where words.contains(where: line.contains) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if let comment = manifest.comment, text.hasPrefix(comment) { continue }
            guard words.contains(where: { text.hasWord($0) }) else { continue }
            mentions.append(.init(kind: .manifest, file: name(of: file), line: number, text: text))
        }
    }

    private mutating func readImports(of file: URL) {
        var isImporting = false
        for (number, line) in lines(of: file)
        where line.contains("import") && wanted.contains(where: line.contains) {
            let text = line.trimmingCharacters(in: .whitespaces)
            let head = text.components(separatedBy: "import").first ?? ""
            let tail = text.dropFirst(head.count + "import".count).drop { " <\"".contains($0) }
            let words = tail.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            let kinds: Set<Substring> = [
                "class", "struct", "enum", "protocol", "func", "typealias", "var", "let",
            ]
            let module = words.first { !kinds.contains($0) }.map(String.init) ?? ""
            let isHead = head.split(separator: " ").allSatisfy {
                $0.hasPrefix("@") || $0.hasPrefix("#") || Self.levels.contains($0)
            }
            guard isHead, wanted.contains(module) else { continue }
            isImporting = true
            modules.insert(module)
            mentions.append(.init(kind: .import, file: name(of: file), line: number, text: text))
        }
        if isImporting, !["h", "pch"].contains(file.pathExtension) { importing.append(file.path) }
    }

    private static let levels: Set<Substring> = ["public", "internal", "package", "private", "fileprivate"]

    private func lines(of file: URL) -> [(Int, String)] {
        do {
            let text = try Data(contentsOf: file)
            let found = wanted + ["forgerock-ios-sdk"]
            guard found.contains(where: { text.range(of: Data($0.utf8)) != nil }) else { return [] }
            return String(decoding: text, as: UTF8.self)
                .split(omittingEmptySubsequences: false) { $0.isNewline }
                .enumerated().map { ($0.offset + 1, String($0.element)) }
        } catch {
            return []
        }
    }

    private func name(of file: URL) -> String { file.path.relative(to: root.path) }
}

extension String {
    /// Returns the path relative to a folder; a path outside the folder is returned unchanged.
    func relative(to folder: String) -> String {
        let folder = folder.hasSuffix("/") ? folder : "\(folder)/"
        return hasPrefix(folder) ? String(dropFirst(folder.count)) : self
    }

    /// Returns whether the text contains a word, other than as part of a longer word.
    fileprivate func hasWord(_ word: String) -> Bool {
        var rest = self[...]
        while let range = rest.firstRange(of: word) {
            let before = rest[..<range.lowerBound].last ?? self[..<range.lowerBound].last
            let after = self[range.upperBound...].first
            let isPart = { (character: Character?) in
                character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
            }
            if !isPart(before), !isPart(after) { return true }
            rest = rest[range.upperBound...]
        }
        return false
    }
}

extension URL {
    /// Whether the URL is a symbolic link.
    fileprivate var isLink: Bool {
        do {
            return try resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink ?? false
        } catch {
            return false
        }
    }
}
