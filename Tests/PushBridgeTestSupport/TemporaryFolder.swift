public import Foundation

/// A folder that is deleted when the last reference to this object is released.
public final class TemporaryFolder: Sendable {
    /// The location of the folder.
    public let url: URL

    /// Makes an empty folder.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("pushbridge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Returns the URL of a file in the folder.
    public func url(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Returns the path of a file in the folder.
    public func path(_ name: String) -> String { url(name).path }

    /// Writes a file.
    @discardableResult
    public func file(_ name: String, _ bytes: Data) throws -> URL {
        try bytes.write(to: url(name))
        return url(name)
    }

    /// Writes a file.
    @discardableResult
    public func file(_ name: String, _ text: String) throws -> URL {
        try file(name, Data(text.utf8))
    }

    /// Copies a file into the folder.
    public func copy(_ original: URL, as name: String? = nil) throws -> URL {
        let copy = url(name ?? original.lastPathComponent)
        try FileManager.default.copyItem(at: original, to: copy)
        return copy
    }

    /// Returns the names of all files, sorted.
    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    /// Returns the bytes of all files by name.
    ///
    /// A subfolder has an empty value.
    public func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try names() {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path(name), isDirectory: &isFolder)
            contents[name] = isFolder.boolValue ? Data() : try Data(contentsOf: url(name))
        }
        return contents
    }

    /// Returns the permission bits of a file.
    public func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }
}
