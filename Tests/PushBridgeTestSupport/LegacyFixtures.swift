public import Foundation

/// The files of the folder `LegacyFixtures`.
public enum LegacyFixtures {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("LegacyFixtures")

    /// A fixture, to be read only.
    public static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The bytes of a fixture.
    public static func data(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }
}
