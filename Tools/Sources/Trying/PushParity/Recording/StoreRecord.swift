package import Foundation
import PingAMSimulator
package import PushBridgeCore
package import PushBridgeInternals

/// Records the content of a store in a form that can be compared.
///
/// The record contains no secret; for a push credential, it contains a digest of the secret.
///
/// A store may have hundreds of notifications, and every step records all of them, so the record of an unchanged
/// notification is used again.
package struct StoreRecorder {
    private var known: [String: (value: PushNotification, isClaimed: Bool, name: String, record: JSONValue)] =
        [:]

    package init() {}

    /// Records the content of a store.
    /// - Parameters:
    ///   - contents: The records of the store.
    ///   - now: The time on the device.
    ///   - named: Replaces ids with names. For notifications, the closure is called only if they are new or changed, in
    ///     the order of their message ids.
    /// - Returns: The recorded content.
    package mutating func record(
        _ contents: StoreContents,
        at now: Date,
        named: (JSONValue) -> JSONValue
    ) -> JSONValue {
        let token = named(contents.deviceToken?.record ?? .null)
        var still = known
        still.removeAll(keepingCapacity: true)
        var notifications: [String: JSONValue] = [:]
        for notification in contents.notifications.sorted(by: { $0.messageId < $1.messageId }) {
            let (id, isClaimed) = (notification.messageId, notification.isClaimed(at: now))
            var entry = (value: notification, isClaimed: isClaimed, name: "", record: JSONValue.null)
            if let known = known[id], known.value == notification, known.isClaimed == isClaimed {
                entry = known
            } else {
                entry.name = named(.string(id)).textOr(id)
                entry.record = named(notification.record(at: now))
            }
            still[id] = entry
            notifications[entry.name] = entry.record
        }
        known = still
        let rest = named([
            "oath": .keyed(contents.oathCredentials, by: \.id, \.record),
            "order": .array(contents.pushCredentials.map { .string($0.id) }),
            "push": .keyed(contents.pushCredentials, by: \.id, \.record),
        ])
        guard case .object(var members) = rest else { return rest }
        members["deviceToken"] = token
        members["notifications"] = .object(notifications)
        return .object(members)
    }
}

extension JSONValue {
    fileprivate static func keyed<Element>(
        _ elements: [Element],
        by key: (Element) -> String,
        _ record: (Element) -> JSONValue
    ) -> JSONValue {
        .object(Dictionary(elements.map { (key($0), record($0)) }) { first, _ in first })
    }

    /// Returns the text, or a default if the value is not text.
    fileprivate func textOr(_ other: String) -> String {
        if case .string(let text) = self { text } else { other }
    }

    static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    static func seconds(_ date: Date) -> JSONValue { .number(date.timeIntervalSince1970) }
}

extension AccountBound {
    fileprivate var accountMembers: [String: JSONValue] {
        [
            "issuer": .string(issuer),
            "accountName": .string(accountName),
            "customDisplayIssuer": .optional(account.customDisplayIssuer),
            "customDisplayAccountName": .optional(account.customDisplayAccountName),
            "imageURL": .optional(imageURL),
            "backgroundColor": .optional(backgroundColor),
            "policies": .optional(policies),
            "lockingPolicy": .optional(lockingPolicy),
            "isLocked": .bool(isLocked),
            "createdAt": .seconds(createdAt),
            "accountAddedAt": account.addedAt.map(JSONValue.seconds) ?? .null,
        ]
    }
}

extension PushCredential {
    fileprivate var record: JSONValue {
        var members = accountMembers
        members["userId"] = .optional(userId)
        members["deviceResourceId"] = .optional(deviceResourceId.flatMap { $0.isEmpty ? nil : $0 })
        members["registrationEndpoint"] = .string(registrationEndpoint)
        members["authenticationEndpoint"] = .string(authenticationEndpoint)
        members["secretProves"] = .string(sharedSecret.proof)
        members["legacy"] = legacyMembers { $0.proof } ?? .null
        return .object(members)
    }
}

extension OathCredential {
    fileprivate var record: JSONValue {
        var members = accountMembers
        members["type"] = .string(oathType.rawValue)
        members["algorithm"] = .string(oathAlgorithm.rawValue)
        members["digits"] = .integer(digits)
        members["counter"] = .integer(counter)
        members["period"] = .integer(period)
        members["legacy"] = legacyMembers { $0.proof } ?? .null
        return .object(members)
    }
}

extension PushNotification {
    fileprivate func record(at now: Date) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id),
            "credentialId": .string(credentialId),
            "ttl": .integer(ttl),
            "sentAt": sentAt.map(JSONValue.seconds) ?? .null,
            "createdAt": .seconds(createdAt),
            "pushType": .string(pushType.rawValue),
            "pending": .bool(pending),
            "approved": .bool(approved),
            "respondedAt": respondedAt.map(JSONValue.seconds) ?? .null,
            "isClaimed": .bool(isClaimed(at: now)),
            "legacyTimeToLive": legacyMembers.map { .number($0.timeToLive) } ?? .null,
            "legacyPushType": .optional(legacyMembers?.pushType),
        ]
        for (name, text) in optionalTexts { members[name] = .optional(text) }
        return .object(members)
    }
}

extension PushDeviceToken {
    fileprivate var record: JSONValue {
        [
            "tokenId": .string(tokenId),
            "createdAt": .seconds(createdAt),
            "owed": .object(Dictionary(uniqueKeysWithValues: unconfirmedCredentialIds.map { ($0, true) })),
        ]
    }
}

extension SharedSecret {
    /// A digest by which equal secrets can be recognised.
    fileprivate var proof: String {
        String(response(to: Data("parity".utf8)).prefix(12))
    }
}

extension Simulator {
    /// Returns the server's devices, and the states of the pushes with these message ids.
    func record(pushes: [String]) -> JSONValue {
        let devices = withService(\.devices).mapValues(\.json)
        let states = pushes.map { id in (id, JSONValue.optional(state(ofPush: id)?.rawValue)) }
        return [
            "devices": .object(devices),
            "pushes": .object(Dictionary(states) { first, _ in first }),
        ]
    }
}

extension JournalEntry {
    /// Returns the request in a form that can be compared, with its token decoded.
    ///
    /// Two things are omitted: the length, because it follows from the body, and the order of the body's
    /// members, because the order has no meaning.
    func record(signers: [String: SharedSecret]) -> JSONValue {
        var headers = headers
        headers["content-length"] = nil
        if let host = headers["host"], host.hasSuffix(".simulator.invalid") { headers["host"] = "server" }
        var record: [String: JSONValue] = [
            "method": .string(method),
            "url": .string("https://\(headers["host"] ?? "")\(target)"),
            "headers": .object(headers.mapValues(JSONValue.string)),
            "status": status.map(JSONValue.integer) ?? .null,
        ]
        guard case .object(var members) = body else {
            record["body"] = body
            return .object(record)
        }
        if case .string(let jwt)? = members.removeValue(forKey: "jwt") {
            record["token"] = [
                "header": Self.header(of: jwt),
                "claims": claims ?? .null,
                "signedBy": Self.signer(of: jwt, among: signers),
            ]
        }
        record["body"] = .object(members)
        return .object(record)
    }

    private static func header(of jwt: String) -> JSONValue {
        let header = jwt.prefix { $0 != "." }
        return Data(anyBase64: String(header)).map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
    }

    private static func signer(of jwt: String, among signers: [String: SharedSecret]) -> JSONValue {
        let signer = signers.sorted { $0.key < $1.key }.first { _, secret in secret.hasSigned(jwt) }
        return signer.map { .string($0.key) } ?? .null
    }
}
