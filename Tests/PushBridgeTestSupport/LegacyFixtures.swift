public import Foundation

/// The files of the folder `LegacyFixtures`.
public enum LegacyFixtures {
    // Looked for upwards: a package within this one has this file too.
    private static let folder: URL = {
        var place = URL(fileURLWithPath: #filePath)
        repeat {
            place.deleteLastPathComponent()
            let folder = place.appendingPathComponent("LegacyFixtures")
            if FileManager.default.fileExists(atPath: folder.path) { return folder }
        } while place.path != "/"
        return place
    }()

    /// A fixture, to be read only.
    public static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The bytes of a fixture.
    public static func data(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }
}
