import Foundation

/// A folder of its own for one test; gone when released.
final class ScratchFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    func file(_ name: String, _ text: String) throws -> URL { try file(name, Data(text.utf8)) }

    func file(_ name: String, _ bytes: Data) throws -> URL {
        try bytes.write(to: file(name))
        return file(name)
    }

    func copy(_ original: URL, as name: String? = nil) throws -> URL {
        let copy = file(name ?? original.lastPathComponent)
        try FileManager.default.copyItem(at: original, to: copy)
        return copy
    }
}
