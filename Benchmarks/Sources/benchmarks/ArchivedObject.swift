import Foundation

/// A record of the legacy SDK, decoded by `NSKeyedUnarchiver`; each subclass names the fields of one kind of record.
///
/// The fields are those that the SDK's own classes decode.
class ArchivedObject: NSObject, NSSecureCoding {
    class var supportsSecureCoding: Bool { true }

    /// The keys of the class's fields in an archive, grouped by the type of the value.
    class var fields: (texts: [String], integers: [String], reals: [String], booleans: [String]) {
        ([], [], [], [])
    }

    private var texts: [NSString?] = []
    private var integers: [Int] = []
    private var reals: [Double] = []
    private var booleans: [Bool] = []

    required init?(coder: NSCoder) {
        let fields = Self.fields
        texts = fields.texts.map { coder.decodeObject(of: NSString.self, forKey: $0) }
        integers = fields.integers.map { coder.decodeInteger(forKey: $0) }
        reals = fields.reals.map { coder.decodeDouble(forKey: $0) }
        booleans = fields.booleans.map { coder.decodeBool(forKey: $0) }
    }

    func encode(with coder: NSCoder) {}

    /// Decodes an archive; the decoder requires secure coding.
    static func unarchive(_ archive: Data) throws {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive)
        unarchiver.requiresSecureCoding = true
        for (name, type) in classes { unarchiver.setClass(type, forClassName: "FRAuthenticator.\(name)") }
        let object = unarchiver.decodeObject(of: classes.map(\.type), forKey: NSKeyedArchiveRootObjectKey)
        guard object is ArchivedObject else {
            throw ChildProcess.Failure(description: "An archive cannot be decoded.")
        }
        unarchiver.finishDecoding()
    }

    private static let classes: [(name: String, type: ArchivedObject.Type)] = [
        ("Account", ArchivedAccount.self), ("PushMechanism", ArchivedPush.self),
        ("TOTPMechanism", ArchivedTOTP.self),
        ("HOTPMechanism", ArchivedHOTP.self), ("PushNotification", ArchivedNotification.self),
    ]
}

private let mechanismTexts = [
    "mechanismUUID", "type", "secret", "issuer", "accountName", "uid", "resourceId",
]

private final class ArchivedAccount: ArchivedObject {
    override class var fields: (texts: [String], integers: [String], reals: [String], booleans: [String]) {
        (
            [
                "issuer", "accountName", "displayIssuer", "displayAccountName", "imageUrl", "backgroundColor",
                "policies", "lockingPolicy",
            ],
            [], ["timeAdded"], ["lock"]
        )
    }
}

private final class ArchivedPush: ArchivedObject {
    override class var fields: (texts: [String], integers: [String], reals: [String], booleans: [String]) {
        (
            mechanismTexts + ["authEndpoint", "regEndpoint", "messageId", "challenge", "loadBalancer"],
            ["version"], ["timeAdded"], []
        )
    }
}

private final class ArchivedTOTP: ArchivedObject {
    override class var fields: (texts: [String], integers: [String], reals: [String], booleans: [String]) {
        (mechanismTexts + ["algorithm"], ["version", "digits", "period"], ["timeAdded"], [])
    }
}

private final class ArchivedHOTP: ArchivedObject {
    override class var fields: (texts: [String], integers: [String], reals: [String], booleans: [String]) {
        (mechanismTexts + ["algorithm"], ["version", "digits", "counter"], ["timeAdded"], [])
    }
}

private final class ArchivedNotification: ArchivedObject {
    override class var fields: (texts: [String], integers: [String], reals: [String], booleans: [String]) {
        (
            [
                "messageId", "challenge", "loadBalanceKey", "mechanismUUID", "customPayload", "message",
                "pushType",
                "numbersChallenge", "contextInfo",
            ],
            [], ["ttl", "timeAdded"], ["pending", "approved"]
        )
    }
}
