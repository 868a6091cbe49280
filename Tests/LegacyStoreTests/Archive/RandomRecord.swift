import Foundation
import PushBridgeCore
import PushBridgeTestSupport

/// Makes records with random combinations of absent, empty, short, long and non-Latin strings.
struct RandomRecord {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> LegacyRecord {
        switch generator.below(4) {
        case 0: .account(account())
        case 1: .mechanism(mechanism())
        case 2: .notification(notification())
        default: .deviceToken(PushDeviceToken(tokenId: "A" + text(), createdAt: date()))
        }
    }

    private mutating func account() -> LegacyAccount {
        var profile = AccountProfile(issuer: text(), accountName: text())
        profile.customDisplayIssuer = optionalText()
        profile.customDisplayAccountName = optionalText()
        profile.imageURL = optionalText()
        profile.backgroundColor = optionalText()
        profile.policies = optionalText()
        profile.lockingPolicy = optionalText()
        profile.isLocked = Bool.random(using: &generator)
        return LegacyAccount(profile: profile, timeAdded: date())
    }

    private mutating func mechanism() -> LegacyMechanism {
        var mechanism = LegacyMechanism(
            mechanismUUID: "M" + text(),
            account: AccountKey(issuer: text(), accountName: text()),
            secret: secret(),
            timeAdded: date(),
            factor: factor()
        )
        mechanism.version = generator.below(3) == 0 ? 1 : integer()
        mechanism.uid = optionalText()
        mechanism.resourceId = optionalText()
        return mechanism
    }

    private mutating func factor() -> LegacyFactor {
        let oath = LegacyOathParameters(algorithm: text(), digits: integer())
        switch generator.below(3) {
        case 0: return .totp(oath, period: integer())
        case 1: return .hotp(oath, counter: integer())
        default:
            let registration = LegacyRegistration(
                messageId: optionalText(),
                challenge: generator.below(3) == 0 ? nil : secret(),
                loadBalancer: optionalText()
            )
            return .push(
                LegacyPushParameters(
                    registrationEndpoint: text(),
                    authenticationEndpoint: text(),
                    registration: registration
                )
            )
        }
    }

    private mutating func notification() -> PushNotification {
        var notification = PushNotification(
            message: PushMessage(id: text(), challenge: text()),
            mechanismUUID: text(),
            ttl: Double(generator.below(10_000)) / 8,
            timeAdded: date()
        )
        notification.pending = Bool.random(using: &generator)
        notification.approved = Bool.random(using: &generator)
        notification.loadBalancer = optionalText()
        notification.customPayload = optionalText()
        notification.messageText = optionalText()
        notification.legacyPushType = optionalText()
        notification.numbersChallenge = optionalText()
        notification.contextInfo = optionalText()
        return notification
    }

    private mutating func date() -> Date {
        Date(timeIntervalSince1970: 1_000_000_000 + Double(generator.below(4_000_000_000_000)) / 1000)
    }

    private mutating func integer() -> Int {
        Int(truncatingIfNeeded: Int64(bitPattern: generator.next()) >> generator.below(64))
    }

    private mutating func secret() -> SharedSecret {
        SharedSecret(utf8: "S" + text()) ?? .random()
    }

    private mutating func optionalText() -> String? {
        generator.below(3) == 0 ? nil : text()
    }

    private mutating func text() -> String {
        let samples = [
            "", "a", "fourteen bytes", "fifteen bytes !", "$null", "日本銀行", "👩‍🚀", "e\u{301}", "\u{0}", "مثال",
            String(repeating: "x", count: 300),
            String(repeating: "é", count: 70_000 / (1 + generator.below(2_000))),
        ]
        return samples[generator.below(samples.count)] + "\(generator.below(100))"
    }
}
