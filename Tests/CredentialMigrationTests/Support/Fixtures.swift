import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// The expected results for the files of `LegacyFixtures`.
enum Fixtures {
    static func expectations(_ name: String) throws -> [Expectation] {
        try JSONDecoder().decode([Expectation].self, from: LegacyFixtures.data("\(name).expected.json"))
    }

    /// A record of a fixture, with the response, one-time passwords and update address of its migrated credential.
    struct Expectation: Decodable {
        let key: String
        let kind: LegacyRecordKind
        let json: String
        let probeChallenge: String?
        let probeResponse: String?
        let updateEndpoint: String?
        let codes: [String: String?]?
        let codeAtCounter: String?

        /// The mechanism's id in the legacy `toJson()` text.
        var mechanismUID: String {
            get throws { try JSONDecoder().decode(Mechanism.self, from: Data(json.utf8)).mechanismUID }
        }

        private struct Mechanism: Decodable {
            let mechanismUID: String
        }
    }
}
