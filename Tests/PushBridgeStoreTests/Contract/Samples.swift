import Foundation
import PushBridgeCore
import Testing

/// Texts that some stores are known to change.
let awkwardTexts = [
    "", " ", "\r\n", "a\0b", "\0", "'; DROP TABLE ledger; --", "%_?:@$", "e\u{301}", "\u{FEFF}mark",
    "\u{FFFF}", "👩‍👩‍👧‍👦🇦🇶", "اختبار", String(repeating: "长", count: 2000),
]

/// Dates that lose precision if they are stored as seconds since 1970, as milliseconds, or as text.
let awkwardDates = [
    Date(timeIntervalSinceReferenceDate: 712_345_678.123_456_7),
    Date(timeIntervalSinceReferenceDate: 0.1 + 0.2),
    Date(timeIntervalSinceReferenceDate: .leastNonzeroMagnitude),
    Date(timeIntervalSinceReferenceDate: -978_307_200),
    Date(timeIntervalSince1970: 1_629_261_902.463),
    Date(timeIntervalSince1970: 1_700_000_000),
    .distantPast,
    .distantFuture,
]

extension PushCredential {
    /// Returns a credential with the required fields only.
    static func sample(
        _ id: String = "push",
        account: AccountKey = .sample,
        secret: String = "a push secret",
        createdAt: Date = Date(timeIntervalSince1970: 1_700_000_000)
    ) throws -> PushCredential {
        let endpoints = PushEndpoints(
            registration: "https://am.example.com/json/push/sns/message?_action=register",
            authentication: "https://am.example.com/json/push/sns/message?_action=authenticate"
        )
        return PushCredential(
            id: id,
            account: AccountProfile(issuer: account.issuer, accountName: account.accountName),
            endpoints: try #require(endpoints),
            sharedSecret: try #require(SharedSecret(utf8: secret)),
            createdAt: createdAt
        )
    }

    /// Returns a copy in which the account's data, the user's id, the profile's id and the legacy details are set.
    func filled(text: String = "text", date: Date = Date(timeIntervalSince1970: 1.5)) -> PushCredential {
        var credential = self
        credential.account.fill(text: text, date: date)
        credential.userId = text
        credential.deviceResourceId = text
        credential.legacy = .filled(text: text)
        return credential
    }
}

extension OathCredential {
    /// Returns a credential with the required fields only.
    static func sample(
        _ id: String = "oath",
        account: AccountKey = .sample,
        movingFactor: OathMovingFactor = .time(period: 30),
        createdAt: Date = Date(timeIntervalSince1970: 1_700_000_000)
    ) throws -> OathCredential {
        let secret = try #require(SharedSecret(utf8: "an oath secret"))
        return OathCredential(
            id: id,
            account: AccountProfile(issuer: account.issuer, accountName: account.accountName),
            password: try OneTimePassword(secret: secret),
            movingFactor: movingFactor,
            createdAt: createdAt
        )
    }

    /// Returns a copy in which the account's data, the user's id, the profile's id and the legacy details are set.
    func filled(text: String = "text", date: Date = Date(timeIntervalSince1970: 1.5)) -> OathCredential {
        var credential = self
        credential.account.fill(text: text, date: date)
        credential.userId = text
        credential.resourceId = text
        credential.legacy = .filled(text: text)
        return credential
    }
}

extension PushNotification {
    /// Returns a notification with the required fields only; by default, the notification is pending.
    static func sample(
        _ id: String = "notification",
        of credentialId: String = "push",
        messageId: String = "message",
        sentAt: Date = Date(timeIntervalSince1970: 1_700_000_000),
        pending: Bool = true
    ) -> PushNotification {
        var notification = PushNotification(
            id: id,
            credentialId: credentialId,
            message: PushMessage(id: messageId, challenge: "Y2hhbGxlbmdl"),
            ttl: 120,
            sentAt: sentAt,
            createdAt: Date(timeIntervalSince1970: 1_700_000_001)
        )
        notification.pending = pending
        return notification
    }

    /// Returns a copy in which every optional field is set, except the app's own data.
    func filled(text: String = "text", date: Date = Date(timeIntervalSince1970: 1.5)) -> PushNotification {
        var notification = self
        notification.pushType = .challenge
        notification.messageText = text
        notification.customPayload = text
        notification.numbersChallenge = text
        notification.contextInfo = text
        notification.loadBalancer = text
        notification.approved = true
        notification.respondedAt = date
        notification.legacy = LegacyNotificationDetails(timeToLive: 119.5, pushType: text)
        notification.answerClaim = AnswerClaim(id: text, from: date, lasting: 60)
        notification.customHandler = text
        return notification
    }
}

extension AccountKey {
    static let sample = AccountKey(issuer: "ForgeRock", accountName: "demo")
    static let other = AccountKey(issuer: "Another issuer", accountName: "demo")
}

extension AccountProfile {
    mutating func fill(text: String, date: Date) {
        addedAt = date
        customDisplayIssuer = text
        customDisplayAccountName = text
        imageURL = text
        backgroundColor = text
        policies = text
        lockingPolicy = text
        isLocked = true
    }
}

extension LegacyDetails {
    static func filled(text: String) -> LegacyDetails {
        LegacyDetails(
            version: 1,
            secretSpelling: SharedSecret(utf8: "a spelling"),
            registration: LegacyRegistration(
                messageId: text,
                challenge: SharedSecret(utf8: "a challenge"),
                loadBalancer: text
            )
        )
    }
}

extension LedgerEntry {
    static func sample(
        _ key: String,
        _ outcome: MigrationOutcome = .migrated,
        reason: String? = nil,
        verbatim: VerbatimRecord? = nil
    ) -> LedgerEntry {
        LedgerEntry(
            record: .sample(key),
            kind: .push,
            key: key,
            result: MigrationResult(outcome, credentialId: "push", reason: reason, isVerified: reason == nil),
            recordedAt: Date(timeIntervalSince1970: 1_700_000_000.25),
            verbatim: verbatim
        )
    }
}

extension ImportMark {
    static func sample(_ source: String = "keychain", _ digest: String = "digest") -> ImportMark {
        ImportMark(
            source: source,
            digest: .sample(digest),
            recordedAt: Date(timeIntervalSince1970: 1_700_000_000.25)
        )
    }
}

extension VerbatimRecord {
    static func sample(_ payload: Data = Data([0, 1, 255])) -> VerbatimRecord {
        VerbatimRecord(format: .archive, payload: payload)
    }
}

extension RecordFingerprint {
    static func sample(_ name: String) -> RecordFingerprint {
        RecordFingerprint(parts: ["sample", name], payload: Data(), occurrence: 0)
    }
}
