import AuthenticatorCore
import Foundation
import Testing

/// The files of `LegacyFixtures`.
enum Fixtures {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("LegacyFixtures")

    static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// A copy that a test may change.
    static func copy(_ name: String, in folder: TemporaryFolder) throws -> URL {
        let copy = folder.url(name)
        try FileManager.default.copyItem(at: url(name), to: copy)
        return copy
    }

    static func expectations(_ name: String) throws -> [Expectation] {
        try JSONDecoder().decode([Expectation].self, from: Data(contentsOf: url("\(name).expected.json")))
    }

    /// What a record of a fixture must still be able to do.
    struct Expectation: Decodable {
        let key: String
        let kind: LegacyRecordKind
        let json: String
        let probeChallenge: String?
        let probeResponse: String?
        let updateEndpoint: String?
        let codes: [String: String?]?
        let codeAtCounter: String?

        /// The legacy `toJson()` text, as far as these tests look at it.
        var mechanismUID: String {
            get throws { try JSONDecoder().decode(Mechanism.self, from: Data(json.utf8)).mechanismUID }
        }

        private struct Mechanism: Decodable {
            let mechanismUID: String
        }
    }
}

/// A folder that goes with the test.
final class TemporaryFolder {
    let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent(
            "pushbridge-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    func url(_ name: String) -> URL { root.appendingPathComponent(name) }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }
}
