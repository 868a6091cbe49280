public import Foundation

/// The files of the folder `LegacyFixtures`.
public enum LegacyFixtures {
    // The search goes upwards from this file, because a package inside this package also contains the file.
    private static let folder: URL = {
        var place = URL(fileURLWithPath: #filePath)
        repeat {
            place.deleteLastPathComponent()
            let folder = place.appendingPathComponent("LegacyFixtures")
            if FileManager.default.fileExists(atPath: folder.path) { return folder }
        } while place.path != "/"
        return place
    }()

    /// Returns the URL of a fixture.
    ///
    /// Tests must not change the fixture.
    public static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Returns the bytes of a fixture.
    public static func data(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }
}
