import Foundation
import LegacyStore
import PushBridgeCore
import Testing

/// Builds a legacy store in memory, record by record, as archives of the legacy SDK.
struct LegacyStoreBuilder {
    private(set) var items: [LegacyItem] = []

    var source: MemoryLegacySource { MemoryLegacySource(items) }

    mutating func add(_ record: LegacyRecord) {
        add(.archive(record.archive), service: record.service, key: record.identifier)
    }

    mutating func add(_ payload: LegacyItem.Payload, service: LegacyService, key: String) {
        items.append(LegacyItem(position: .index(items.count), service: service, key: key, payload: payload))
    }

    mutating func account(_ name: String = "alice", issuer: String = "Bank", display: String? = nil) {
        var profile = AccountProfile(issuer: issuer, accountName: name)
        profile.customDisplayIssuer = display
        add(.account(LegacyAccount(profile: profile, timeAdded: Date(timeIntervalSince1970: 1_700_000_000))))
    }

    mutating func push(
        _ id: String = "push-1",
        name: String = "alice",
        secret: String = "c2VjcmV0LXNlY3JldC1f_w",
        host: String = "am.example.com"
    ) throws {
        let parameters = LegacyPushParameters(
            registrationEndpoint: "https://\(host)/push?_action=register",
            authenticationEndpoint: "https://\(host)/push?_action=authenticate",
            registration: LegacyRegistration(
                messageId: "REGISTER:\(id)",
                challenge: SharedSecret(utf8: "Y2hhbGxlbmdl"),
                loadBalancer: "amlbcookie=01"
            )
        )
        add(.mechanism(try mechanism(id, name: name, secret: secret, factor: .push(parameters))))
    }

    mutating func hotp(
        _ id: String = "hotp-1",
        name: String = "alice",
        counter: Int = 42,
        digits: Int = 6
    ) throws {
        let parameters = LegacyOathParameters(algorithm: "sha1", digits: digits)
        add(
            .mechanism(
                try mechanism(
                    id,
                    name: name,
                    secret: "JBSWY3DPEHPK3PXP",
                    factor: .hotp(parameters, counter: counter)
                )
            )
        )
    }

    mutating func totp(_ id: String = "totp-1", name: String = "alice", algorithm: String = "sha1") throws {
        let parameters = LegacyOathParameters(algorithm: algorithm, digits: 6)
        add(
            .mechanism(
                try mechanism(
                    id,
                    name: name,
                    secret: "JBSWY3DPEHPK3PXP",
                    factor: .totp(parameters, period: 30)
                )
            )
        )
    }

    mutating func notification(
        _ messageId: String = "AUTHENTICATE:1",
        of id: String = "push-1",
        approved: Bool? = nil
    ) {
        var notification = PushNotification(
            message: PushMessage(id: messageId, challenge: "Y2hhbGxlbmdl"),
            mechanismUUID: id,
            ttl: 120,
            timeAdded: Date(timeIntervalSince1970: 1_700_000_100.5)
        )
        notification.pending = approved == nil
        notification.approved = approved ?? false
        add(.notification(notification))
    }

    mutating func deviceToken(_ tokenId: String = "F79BB71B", at seconds: TimeInterval = 1_700_000_200) {
        add(.deviceToken(PushDeviceToken(tokenId: tokenId, createdAt: Date(timeIntervalSince1970: seconds))))
    }

    mutating func damaged(_ key: String = "Bank-alice-push") {
        add(.archive(Data("bplist00 and then nothing".utf8)), service: .mechanism, key: key)
    }

    private func mechanism(
        _ id: String,
        name: String,
        secret: String,
        factor: LegacyFactor
    ) throws -> LegacyMechanism {
        var mechanism = LegacyMechanism(
            mechanismUUID: id,
            account: AccountKey(issuer: "Bank", accountName: name),
            secret: try #require(SharedSecret(utf8: secret)),
            timeAdded: Date(timeIntervalSince1970: 1_700_000_001.25),
            factor: factor
        )
        mechanism.version = 1
        return mechanism
    }
}
