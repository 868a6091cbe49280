import Foundation
import PushBridgeCore

/// The legacy SDK's own description of one of its records: the text of `toJson()`.
struct ExpectedRecord: Decodable {
    let key: String
    let kind: LegacyRecordKind
    private let json: String

    /// Returns the expectations for a fixture store.
    static func all(for store: String) throws -> [ExpectedRecord] {
        try JSONDecoder().decode([ExpectedRecord].self, from: ArchiveFixture.file("\(store).expected.json"))
    }

    /// Returns the record that the text describes; `nil` unless it is an account, a mechanism or a notification.
    ///
    /// The text omits the version of a mechanism, which is always 1.
    func record() throws -> LegacyRecord? {
        let fields = try JSONDecoder().decode(ExpectedFields.self, from: Data(json.utf8))
        switch kind {
        case .account: return fields.account.map(LegacyRecord.account)
        case .push, .totp, .hotp: return fields.mechanism(kind).map(LegacyRecord.mechanism)
        case .notification: return fields.notification.map(LegacyRecord.notification)
        case .deviceToken, .unknown: return nil
        }
    }
}

private struct ExpectedFields: Decodable {
    var issuer, accountName, displayIssuer, displayAccountName, imageURL, backgroundColor: String?
    var policies, lockingPolicy, mechanismUID, secret, uid, resourceId, algorithm: String?
    var registrationEndpoint, authenticationEndpoint, messageId, challenge, loadBalancer: String?
    var amlbCookie, customPayload, message, pushType, numbersChallenge, contextInfo: String?
    var lock, pending, approved: Bool?
    var digits, period, counter: Int?
    var ttl: Double?
    var timeAdded: Int64

    private var date: Date { Date(millisecondsSince1970: timeAdded) }

    var account: LegacyAccount? {
        guard let issuer, let accountName, let lock else { return nil }
        var profile = AccountProfile(issuer: issuer, accountName: accountName)
        profile.customDisplayIssuer = displayIssuer
        profile.customDisplayAccountName = displayAccountName
        profile.imageURL = imageURL
        profile.backgroundColor = backgroundColor
        profile.policies = policies
        profile.lockingPolicy = lockingPolicy
        profile.isLocked = lock
        return LegacyAccount(profile: profile, timeAdded: date)
    }

    func mechanism(_ kind: LegacyRecordKind) -> LegacyMechanism? {
        guard let issuer, let accountName, let mechanismUID, let factor = factor(kind) else { return nil }
        guard let secret = secret.flatMap(SharedSecret.init(utf8:)) else { return nil }
        var mechanism = LegacyMechanism(
            mechanismUUID: mechanismUID,
            account: AccountKey(issuer: issuer, accountName: accountName),
            secret: secret,
            timeAdded: date,
            factor: factor
        )
        mechanism.version = 1
        mechanism.uid = uid
        mechanism.resourceId = resourceId
        return mechanism
    }

    private func factor(_ kind: LegacyRecordKind) -> LegacyFactor? {
        let oath = algorithm.flatMap { name in
            digits.map { LegacyOathParameters(algorithm: name, digits: $0) }
        }
        switch kind {
        case .push: return push.map(LegacyFactor.push)
        case .totp: return oath.flatMap { oath in period.map { .totp(oath, period: $0) } }
        case .hotp: return oath.flatMap { oath in counter.map { .hotp(oath, counter: $0) } }
        case .account, .notification, .deviceToken, .unknown: return nil
        }
    }

    private var push: LegacyPushParameters? {
        guard let registrationEndpoint, let authenticationEndpoint else { return nil }
        return LegacyPushParameters(
            registrationEndpoint: registrationEndpoint,
            authenticationEndpoint: authenticationEndpoint,
            registration: LegacyRegistration(
                messageId: messageId,
                challenge: challenge.flatMap(SharedSecret.init(utf8:)),
                loadBalancer: loadBalancer
            )
        )
    }

    var notification: PushNotification? {
        guard let messageId, let challenge, let mechanismUID, let ttl, let pending, let approved else {
            return nil
        }
        var notification = PushNotification(
            message: PushMessage(id: messageId, challenge: challenge),
            mechanismUUID: mechanismUID,
            ttl: ttl,
            timeAdded: date
        )
        notification.pending = pending
        notification.approved = approved
        notification.loadBalancer = amlbCookie
        notification.customPayload = customPayload
        notification.messageText = message
        notification.legacyPushType = pushType
        notification.numbersChallenge = numbersChallenge
        notification.contextInfo = contextInfo
        return notification
    }
}
