import Foundation
import GRDB
@_spi(PushBridgeTools) import LegacyStore
@_spi(PushBridgeTools) import PushBridgeCore

/// Records such as the field has, as many as asked for: a quarter accounts, a quarter push, a sixth one-time
/// passwords, the rest notifications.
struct GeneratedStore {
    let records: Int

    /// Writes a keychain database.
    func write(to url: URL) throws {
        let database = try DatabaseQueue(path: url.path)
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE genp(rowid INTEGER PRIMARY KEY AUTOINCREMENT, agrp TEXT, svce TEXT, acct TEXT, data BLOB)
                    """
            )
            let insert = try db.makeStatement(
                sql: "INSERT INTO genp(agrp, svce, acct, data) VALUES (?, ?, ?, ?)"
            )
            for record in self {
                try insert.execute(
                    arguments: [
                        "TEAM.example", record.service.rawValue, record.identifier, record.keyedArchive,
                    ]
                )
            }
        }
        try database.close()
    }
}

extension GeneratedStore: Sequence {
    func makeIterator() -> some IteratorProtocol<LegacyRecord> {
        (0..<records).lazy.compactMap(record).makeIterator()
    }

    private func record(_ index: Int) -> LegacyRecord? {
        let owner = index / 12
        return switch index % 12 {
        case 0, 1, 2: .account(account(owner * 3 + index % 12))
        case 3, 4, 5: mechanism(owner * 3 + index % 12 - 3, factor: .push(push(owner)))
        case 6:
            mechanism(
                owner * 3,
                factor: .totp(LegacyOathParameters(algorithm: "sha256", digits: 6), period: 30)
            )
        case 7:
            mechanism(
                owner * 3 + 1,
                factor: .hotp(LegacyOathParameters(algorithm: "sha1", digits: 6), counter: owner)
            )
        default: .notification(notification(index, of: owner * 3))
        }
    }

    private func account(_ number: Int) -> LegacyAccount {
        var profile = AccountProfile(issuer: "Example Bank", accountName: "customer-\(number)@example.com")
        profile.customDisplayIssuer = "My bank"
        profile.imageURL = "https://bank.example.com/logo.png"
        profile.backgroundColor = "032b75"
        return LegacyAccount(profile: profile, timeAdded: Date(timeIntervalSince1970: 1_700_000_000.125))
    }

    private func mechanism(_ number: Int, factor: LegacyFactor) -> LegacyRecord? {
        let bytes = SharedSecret.random(count: 32)
        let secret = factor.isPush ? bytes.base64Spelling : bytes.base32Spelling
        var mechanism = LegacyMechanism(
            mechanismUUID: Self.identifier(number, isPush: factor.isPush),
            account: account(number).profile.key,
            secret: secret,
            timeAdded: Date(timeIntervalSince1970: 1_700_000_000.25),
            factor: factor
        )
        mechanism.version = 1
        mechanism.uid = "id=customer-\(number),ou=user,dc=openam"
        return .mechanism(mechanism)
    }

    private func push(_ number: Int) -> LegacyPushParameters {
        let base = "https://openam.example.com:8443/openam/json/realms/root/push/sns/message?_action="
        return LegacyPushParameters(
            registrationEndpoint: base + "register",
            authenticationEndpoint: base + "authenticate",
            registration: LegacyRegistration(
                messageId: "REGISTER:\(UUID().uuidString)1600000000000",
                challenge: SharedSecret.random(count: 32).base64Spelling,
                loadBalancer: "amlbcookie=01"
            )
        )
    }

    private static func identifier(_ number: Int, isPush: Bool) -> String {
        String(format: "56E88A22-52E6-4B13-%@-%012d", isPush ? "AAAA" : "BBBB", number)
    }

    private func notification(_ number: Int, of mechanism: Int) -> PushNotification {
        var notification = PushNotification(
            mechanismUUID: Self.identifier(mechanism, isPush: true),
            messageId: "AUTHENTICATE:\(UUID().uuidString)\(number)",
            challenge: SharedSecret.random(count: 32).withBase64 { $0 },
            ttl: 120,
            timeAdded: Date(timeIntervalSince1970: 1_700_000_100.5 + Double(number))
        )
        notification.messageText = "Login attempt from customer-\(mechanism) at Example Bank"
        notification.legacyPushType = "default"
        notification.pending = false
        notification.approved = true
        return notification
    }
}

extension LegacyFactor {
    fileprivate var isPush: Bool {
        if case .push = self { true } else { false }
    }
}
