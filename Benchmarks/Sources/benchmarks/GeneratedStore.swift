import Foundation
import GRDB
import LegacyStore
import PushBridgeCore
import PushBridgeInternals

/// Archives of the legacy SDK, in the proportions of real apps.
///
/// A quarter of the records are accounts, a quarter are push mechanisms, a sixth are mechanisms for one-time
/// passwords, and the rest are notifications.
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
            for archive in self {
                try insert.execute(
                    arguments: ["TEAM.example", archive.service.rawValue, archive.key, archive.data]
                )
            }
        }
        try database.close()
    }
}

extension GeneratedStore: Sequence {
    func makeIterator() -> some IteratorProtocol<LegacyArchive> {
        (0..<records).lazy.map(archive).makeIterator()
    }

    private func archive(_ index: Int) -> LegacyArchive {
        let owner = index / 12
        return switch index % 12 {
        case 0, 1, 2: LegacyArchive(account(owner * 3 + index % 12), timeAdded: Self.start)
        case 3, 4, 5: push(owner * 3 + index % 12 - 3)
        case 6:
            LegacyArchive(
                oath: mechanism(owner * 3, isPush: false),
                algorithm: "sha256",
                movingFactor: .time(period: 30)
            )
        case 7:
            LegacyArchive(
                oath: mechanism(owner * 3 + 1, isPush: false),
                algorithm: "sha1",
                movingFactor: .counter(owner)
            )
        default: LegacyArchive(notification(index, of: owner * 3))
        }
    }

    private func account(_ number: Int) -> AccountProfile {
        var profile = AccountProfile(issuer: "Example Bank", accountName: "customer-\(number)@example.com")
        profile.customDisplayIssuer = "My bank"
        profile.imageURL = "https://bank.example.com/logo.png"
        profile.backgroundColor = "032b75"
        return profile
    }

    private func mechanism(_ number: Int, isPush: Bool) -> LegacyArchive.Mechanism {
        let bytes = SharedSecret.random(count: 32)
        var mechanism = LegacyArchive.Mechanism(
            id: Self.identifier(number, isPush: isPush),
            account: account(number).key,
            secret: isPush ? bytes.base64Spelling : bytes.base32Spelling,
            timeAdded: Self.start
        )
        mechanism.uid = "id=customer-\(number),ou=user,dc=openam"
        return mechanism
    }

    private func push(_ number: Int) -> LegacyArchive {
        LegacyArchive(
            push: mechanism(number, isPush: true),
            service: "https://openam.example.com:8443/openam/json/realms/root/push/sns/message",
            challenge: SharedSecret.random(count: 32).base64Spelling
        )
    }

    private static let start = Date(timeIntervalSince1970: 1_700_000_000.125)

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
