import Foundation
import PushBridgeCore

@testable import LegacyStore

/// A keyed archive of one object, which is sound until a test changes it.
struct HandmadeArchive: Sendable {
    var archiver = PropertyListValue.string("NSKeyedArchiver")
    var version = PropertyListValue.integer(100_000)
    /// The value of `$top`; `nil` if the archive has no `$top`.
    var top: PropertyListValue? = .dictionary([("root", .uid(1))])
    /// The reference to the root's class.
    var classID = PropertyListValue.uid(2)
    var className: PropertyListValue
    /// The value of `$classes`; `nil` if the archive has no `$classes`.
    var ancestors: PropertyListValue?
    /// The fields, each with its value or the index of its object.
    ///
    /// The index of an object is its position in `objects` plus 3.
    var fields: [String: PropertyListValue]
    /// The objects that follow the null object, the root and the class.
    var objects: [PropertyListValue] = []

    static let firstObject = 3

    var bytes: Data {
        var description = [(key: "$classname", value: className)]
        if let ancestors { description.append(("$classes", ancestors)) }
        let root = [("$class", classID)] + fields.map { (key: $0.key, value: $0.value) }
        let all = [.string("$null"), .dictionary(root), .dictionary(description)] + objects
        var frame: [(key: String, value: PropertyListValue)] = [
            ("$archiver", archiver), ("$version", version), ("$objects", .array(all)),
        ]
        if let top { frame.append(("$top", top)) }
        return PropertyListWriter.bytes(of: .dictionary(frame))
    }
}

extension HandmadeArchive {
    static let account = HandmadeArchive(
        className: .string("FRAuthenticator.Account"),
        fields: ["issuer": .string("I"), "accountName": .string("A"), "timeAdded": .real(1_700_000_000)]
    )
    static let totp = HandmadeArchive(
        className: .string("FRAuthenticator.TOTPMechanism"),
        fields: [
            "issuer": .string("I"), "accountName": .string("A"), "timeAdded": .real(1_700_000_000),
            "mechanismUUID": .string("M"), "secret": .string("S"), "type": .string("totp"),
            "algorithm": .string("sha256"), "digits": .integer(6), "period": .integer(30),
        ]
    )
    static let hotp = HandmadeArchive(
        className: .string("FRAuthenticator.HOTPMechanism"),
        fields: [
            "issuer": .string("I"), "accountName": .string("A"), "timeAdded": .real(1_700_000_000),
            "mechanismUUID": .string("M"), "secret": .string("S"), "type": .string("hotp"),
            "algorithm": .string("sha256"), "digits": .integer(6), "counter": .integer(0),
        ]
    )
    static let push = HandmadeArchive(
        className: .string("FRAuthenticator.PushMechanism"),
        fields: [
            "issuer": .string("I"), "accountName": .string("A"), "timeAdded": .real(1_700_000_000),
            "mechanismUUID": .string("M"), "secret": .string("S"), "type": .string("push"),
            "authEndpoint": .string("https://a"), "regEndpoint": .string("https://r"),
        ]
    )
    static let notification = HandmadeArchive(
        className: .string("FRAuthenticator.PushNotification"),
        fields: [
            "messageId": .string("I"), "challenge": .string("C"), "mechanismUUID": .string("M"),
            "ttl": .real(120), "timeAdded": .real(1_700_000_000),
        ]
    )
    static let deviceToken = HandmadeArchive(
        className: .string("FRAuthenticator.PushDeviceToken"),
        fields: ["tokenId": .string("AB"), "timeAdded": .real(1_700_000_000)]
    )

    /// The archive for each class, with the service to which the archive belongs.
    static let all: [(archive: HandmadeArchive, service: LegacyService)] = [
        (account, .account), (totp, .mechanism), (hotp, .mechanism), (push, .mechanism),
        (notification, .notification), (deviceToken, .deviceToken),
    ]

    /// Returns the archive with one field changed; `nil` removes the field.
    func with(_ key: String, _ value: PropertyListValue?) -> HandmadeArchive {
        var archive = self
        archive.fields[key] = value
        return archive
    }

    /// Returns the archive with one field that refers to a new object.
    func with(_ key: String, object: PropertyListValue) -> HandmadeArchive {
        var archive = with(key, .uid(Self.firstObject + objects.count))
        archive.objects.append(object)
        return archive
    }

    func record(in service: LegacyService) throws(LegacyRecordError) -> LegacyRecord {
        try LegacyRecord(archive: bytes, service: service)
    }
}
