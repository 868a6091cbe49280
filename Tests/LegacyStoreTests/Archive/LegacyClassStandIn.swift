import Foundation

/// A replacement for one of the legacy SDK's classes, which decodes archives with secure coding as the SDK does.
///
/// This class is registered under the legacy class's name, so that Foundation's own unarchiver reads
/// PushBridge's archives.
final class LegacyClassStandIn: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    /// The fields that are text.
    let texts: [String: String]
    /// The names of the fields that are present, including null fields.
    let present: Set<String>
    /// The fields that are numbers or flags, read as the types that the legacy SDK requests.
    let integers: [String: Int]
    let numbers: [String: Double]
    let flags: [String: Bool]

    static let textFields = [
        "issuer", "accountName", "displayIssuer", "displayAccountName", "imageUrl", "backgroundColor",
        "policies", "lockingPolicy", "mechanismUUID", "type", "secret", "uid", "resourceId", "algorithm",
        "authEndpoint", "regEndpoint", "messageId", "challenge", "loadBalancer", "loadBalanceKey",
        "customPayload", "message", "pushType", "numbersChallenge", "contextInfo", "tokenId",
    ]
    static let integerFields = ["version", "digits", "period", "counter"]
    static let numberFields = ["timeAdded", "ttl"]
    static let flagFields = ["lock", "pending", "approved"]

    init?(coder: NSCoder) {
        let present = (Self.textFields + Self.integerFields + Self.numberFields + Self.flagFields)
            .filter(coder.containsValue(forKey:))
        self.present = Set(present)
        texts = Self.textFields.filter(present.contains).reduce(into: [:]) {
            $0[$1] = coder.decodeObject(of: NSString.self, forKey: $1).map(String.init(describing:))
        }
        integers = Self.integerFields.filter(present.contains).reduce(into: [:]) {
            $0[$1] = coder.decodeInteger(forKey: $1)
        }
        numbers = Self.numberFields.filter(present.contains).reduce(into: [:]) {
            $0[$1] = coder.decodeDouble(forKey: $1)
        }
        flags = Self.flagFields.filter(present.contains).reduce(into: [:]) {
            $0[$1] = coder.decodeBool(forKey: $1)
        }
    }

    func encode(with coder: NSCoder) {}

    /// Decodes an archive of the legacy class `name` with secure coding.
    static func decode(_ archive: Data, as name: String) throws -> LegacyClassStandIn? {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive)
        unarchiver.requiresSecureCoding = true
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        unarchiver.setClass(LegacyClassStandIn.self, forClassName: name)
        defer { unarchiver.finishDecoding() }
        let object = unarchiver.decodeObject(of: LegacyClassStandIn.self, forKey: NSKeyedArchiveRootObjectKey)
        if let error = unarchiver.error { throw error }
        return object
    }
}
