package import CredentialMigration
import FRAuthenticator
import Foundation
package import PushBridgeCore
package import PushBridgeStore

/// Decodes the legacy SDK's keychain items in the same way as the SDK's classes.
///
/// This decoder uses only Foundation's unarchiver and the SDK's names of services, classes and fields. It
/// shares no code with the readers and writers of this package, so it can verify them.
package enum SDKItems {
    /// Reads every item.
    /// - Parameter keychain: The unlocked keychain.
    /// - Returns: The fields of each item, by service and key. The fields have the same names as in the SDK's
    ///   JSON.
    /// - Throws: The unarchiver's error, or ``ParityError`` if an archived object has no class that the SDK expects in
    ///   the item's service, or if the SDK would look for the item under a different key.
    package static func decoded(_ keychain: InMemoryKeychain) throws -> JSONValue {
        var services: [String: JSONValue] = [:]
        for (suffix, classes) in ArchivedObject.classes {
            let service = "com.forgerock.ios.authenticator.keychainservice.local.\(suffix)"
            var items: [String: JSONValue] = [:]
            for item in try keychain.items(service: service, accessGroup: nil) {
                let object = try decoded(item.data, as: classes)
                guard let object, item.name.account == object.key else {
                    throw ParityError(
                        code: .notPlayable,
                        reason:
                            "The SDK would not find the item \(item.name.account) in the service \(suffix)."
                    )
                }
                items[item.name.account] = .object(object.fields)
            }
            services[suffix] = .object(items)
        }
        return .object(services)
    }

    private static func decoded(
        _ archive: Data,
        as classes: [(name: String, type: ArchivedObject.Type)]
    ) throws -> ArchivedObject? {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive)
        unarchiver.requiresSecureCoding = true
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        for (name, type) in classes { unarchiver.setClass(type, forClassName: "FRAuthenticator.\(name)") }
        defer { unarchiver.finishDecoding() }
        let object = unarchiver.decodeObject(of: classes.map(\.type), forKey: NSKeyedArchiveRootObjectKey)
        if let error = unarchiver.error { throw error }
        return object as? ArchivedObject
    }
}

/// An archived object of the SDK, with the fields of its class.
private class ArchivedObject: NSObject, NSSecureCoding {
    /// The form of a field in the archive.
    enum Form {
        case text, optionalText, integer, number, flag, milliseconds, seconds
    }

    class var form: [(archive: String, json: String, form: Form)] { [] }
    class var supportsSecureCoding: Bool { true }

    private(set) var fields: [String: JSONValue] = [:]

    /// The key with which the SDK finds the object; `nil` if the SDK would not find the object.
    var key: String? { nil }

    /// The SDK's classes, by the suffix of the service that contains their archives.
    static let classes: [String: [(name: String, type: ArchivedObject.Type)]] = [
        "account": [("Account", ArchivedAccount.self)],
        "mechanism": [
            ("PushMechanism", ArchivedPush.self), ("TOTPMechanism", ArchivedTOTP.self),
            ("HOTPMechanism", ArchivedHOTP.self),
        ],
        "notification": [("PushNotification", ArchivedNotification.self)],
        "pushDeviceToken": [("PushDeviceToken", ArchivedToken.self)],
    ]

    required init?(coder: NSCoder) {
        super.init()
        for (name, json, form) in Self.form {
            switch form {
            case .text:
                guard let text = coder.decodeObject(of: NSString.self, forKey: name) else { return nil }
                fields[json] = .string(text as String)
            case .optionalText:
                // Without this check, decoding a field that an older release did not write would cause an error on
                // Linux.
                let isThere = coder.containsValue(forKey: name)
                let text = isThere ? coder.decodeObject(of: NSString.self, forKey: name) : nil
                fields[json] = text.map { .string($0 as String) } ?? .null
            case .integer: fields[json] = .integer(coder.decodeInteger(forKey: name))
            case .number:
                let number = coder.decodeDouble(forKey: name)
                fields[json] = Int(exactly: number).map(JSONValue.integer) ?? .number(number)
            case .flag: fields[json] = .bool(coder.decodeBool(forKey: name))
            case .milliseconds: fields[json] = .integer(Int(coder.decodeDouble(forKey: name) * 1000))
            case .seconds: fields[json] = .integer(Int(coder.decodeDouble(forKey: name)))
            }
        }
    }

    func encode(with coder: NSCoder) {}

    func text(_ name: String) -> String {
        if case .string(let text)? = fields[name] { text } else { "" }
    }
}

private final class ArchivedAccount: ArchivedObject {
    override class var form: [(archive: String, json: String, form: Form)] {
        [
            ("issuer", "issuer", .text), ("accountName", "accountName", .text),
            ("displayIssuer", "displayIssuer", .optionalText),
            ("displayAccountName", "displayAccountName", .optionalText),
            ("imageUrl", "imageURL", .optionalText), ("backgroundColor", "backgroundColor", .optionalText),
            ("timeAdded", "timeAdded", .milliseconds), ("policies", "policies", .optionalText),
            ("lockingPolicy", "lockingPolicy", .optionalText), ("lock", "lock", .flag),
        ]
    }

    override var key: String? { "\(text("issuer"))-\(text("accountName"))" }
}

private class ArchivedMechanism: ArchivedObject {
    class var kind: String { "" }

    override class var form: [(archive: String, json: String, form: Form)] {
        [
            ("mechanismUUID", "mechanismUID", .text), ("issuer", "issuer", .text),
            ("accountName", "accountName", .text), ("secret", "secret", .text),
            ("uid", "uid", .optionalText), ("resourceId", "resourceId", .optionalText),
            ("timeAdded", "timeAdded", .milliseconds),
        ]
    }

    /// The field from which the SDK derives the key; not compared, because its values in the API's JSON are different.
    private let type: String
    /// The version of the archive, which must be 1; not compared, because the API's JSON does not contain it.
    private let version: Int

    required init?(coder: NSCoder) {
        type = coder.decodeObject(of: NSString.self, forKey: "type").map { $0 as String } ?? ""
        version = coder.decodeInteger(forKey: "version")
        super.init(coder: coder)
    }

    override var key: String? {
        guard type == Self.kind, version == 1 else { return nil }
        return "\(text("issuer"))-\(text("accountName"))-\(type)"
    }
}

private final class ArchivedPush: ArchivedMechanism {
    override class var kind: String { "push" }

    override class var form: [(archive: String, json: String, form: Form)] {
        super.form + [
            ("authEndpoint", "authenticationEndpoint", .text),
            ("regEndpoint", "registrationEndpoint", .text), ("messageId", "messageId", .text),
            ("challenge", "challenge", .text), ("loadBalancer", "loadBalancer", .optionalText),
        ]
    }
}

private final class ArchivedTOTP: ArchivedMechanism {
    override class var kind: String { "totp" }

    override class var form: [(archive: String, json: String, form: Form)] {
        super.form + [
            ("algorithm", "algorithm", .text), ("digits", "digits", .integer),
            ("period", "period", .integer),
        ]
    }
}

private final class ArchivedHOTP: ArchivedMechanism {
    override class var kind: String { "hotp" }

    override class var form: [(archive: String, json: String, form: Form)] {
        super.form + [
            ("algorithm", "algorithm", .text), ("digits", "digits", .integer),
            ("counter", "counter", .integer),
        ]
    }
}

private final class ArchivedNotification: ArchivedObject {
    override class var form: [(archive: String, json: String, form: Form)] {
        [
            ("messageId", "messageId", .text), ("challenge", "challenge", .text),
            ("loadBalanceKey", "amlbCookie", .optionalText), ("ttl", "ttl", .number),
            ("mechanismUUID", "mechanismUID", .text), ("timeAdded", "timeAdded", .milliseconds),
            ("pending", "pending", .flag), ("approved", "approved", .flag),
            ("customPayload", "customPayload", .optionalText), ("message", "message", .optionalText),
            ("pushType", "pushType", .optionalText), ("numbersChallenge", "numbersChallenge", .optionalText),
            ("contextInfo", "contextInfo", .optionalText),
        ]
    }

    override var key: String? {
        guard case .integer(let milliseconds)? = fields["timeAdded"] else { return nil }
        return "\(text("mechanismUID"))-\(milliseconds)"
    }
}

private final class ArchivedToken: ArchivedObject {
    override class var form: [(archive: String, json: String, form: Form)] {
        [("tokenId", "tokenId", .text), ("timeAdded", "timeAdded", .seconds)]
    }

    override var key: String? { "deviceToken" }
}

extension InMemoryKeychain {
    /// Stores the records of a legacy store in the places where the SDK stores them.
    /// - Parameter legacy: The store. Records that are not archives are skipped.
    /// - Throws: The errors of the store and of the keychain.
    package func install(_ legacy: any LegacySource) throws {
        for item in try legacy.items() {
            let item = try item.get()
            guard case .archive(let data) = item.payload else { continue }
            let name = KeychainItem.Name(service: item.service.rawValue, account: item.key)
            if try self.data(name) == nil {
                try add(KeychainItem(name, data: data))
            } else {
                try update(name, data: data)
            }
        }
    }
}

extension LegacySide {
    /// Returns every object of the API, in the form of ``SDKItems/decoded(_:)``.
    func objects(token: PushBridgeCore.PushDeviceToken?) throws -> JSONValue {
        // The first call evaluates the policies of all accounts, but only the second call returns the
        // resulting locks.
        _ = client.getAllAccounts()
        var accounts: [String: JSONValue] = [:]
        var mechanisms: [String: JSONValue] = [:]
        var notifications: [String: JSONValue] = [:]
        for account in client.getAllAccounts() {
            accounts[account.identifier] = try fields(account.toJson())
            for mechanism in account.mechanisms {
                mechanisms[mechanism.identifier] = try fields(mechanism.toJson())
            }
        }
        for notification in client.getAllNotifications() {
            notifications[notification.identifier] = try fields(notification.toJson())
        }
        var tokens: [String: JSONValue] = [:]
        if let token {
            tokens["deviceToken"] = [
                "tokenId": .optional(handler.deviceToken),
                "timeAdded": .integer(Int(token.createdAt.timeIntervalSince1970)),
            ]
        }
        return [
            "account": .object(accounts), "mechanism": .object(mechanisms),
            "notification": .object(notifications), "pushDeviceToken": .object(tokens),
        ]
    }

    /// Returns those fields of the API's JSON that archives also contain.
    private func fields(_ text: String?) throws -> JSONValue {
        guard let text, case .object(var members)? = JSONValue(json: Data(text.utf8)) else {
            throw ParityError(
                code: .notPlayable,
                reason: "An object of the legacy API cannot be converted to JSON."
            )
        }
        for name in ["id", "type", "oathType", "timeExpired"] { members[name] = nil }
        return .object(members)
    }
}
