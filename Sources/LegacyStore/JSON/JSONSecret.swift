import Foundation

/// A text that a document may have to do without: written as `null` where secrets are withheld.
struct JSONSecret: Codable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if encoder.withholdsSecrets {
            try container.encodeNil()
        } else {
            try container.encode(text)
        }
    }
}

extension Encoder {
    fileprivate var withholdsSecrets: Bool {
        CodingUserInfoKey.withholdsSecrets.map { userInfo[$0] != nil } ?? false
    }
}

extension JSONEncoder {
    /// Makes the encoder write `null` for every secret.
    func withholdSecrets() {
        guard let key = CodingUserInfoKey.withholdsSecrets else { return }
        userInfo[key] = true
    }
}

extension CodingUserInfoKey {
    fileprivate static let withholdsSecrets = CodingUserInfoKey(rawValue: "withholdsSecrets")
}
