import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeTestSupport

/// Makes legacy stores with random records of all kinds, including damaged and repeated records.
struct RandomLegacyStore {
    private var random: SeededGenerator
    private(set) var builder = LegacyStoreBuilder()
    private var ids: [String] = []

    init(seed: UInt64, records: Int = 40) {
        random = SeededGenerator(seed: seed)
        for _ in 0..<records { addRecord() }
    }

    /// The store as a source, with its records in random order.
    var source: MemoryLegacySource {
        var random = random
        return MemoryLegacySource(builder.items.shuffled(using: &random))
    }

    private mutating func addRecord() {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...4: builder.add(.account(account()))
        case 5...8: addMechanism(.push(push()))
        case 9...11:
            addMechanism(.totp(oath(), period: [15, 30, 45, 60].randomElement(using: &random) ?? 30))
        case 12...13: addMechanism(.hotp(oath(), counter: Int.random(in: 0...(1 << 40), using: &random)))
        case 14...16: builder.add(.notification(notification()))
        case 17: builder.add(.deviceToken(PushDeviceToken(tokenId: hex(32), createdAt: date())))
        case 18: builder.damaged(text())
        default: if let again = builder.items.randomElement(using: &random) { repeatItem(again) }
        }
    }

    private mutating func addMechanism(_ factor: LegacyFactor) {
        let isPush = if case .push = factor { true } else { false }
        let bytes = Data((0..<20).map { _ in UInt8.random(in: 0...255, using: &random) })
        let base64 = Bool.random(using: &random) ? bytes.base64EncodedString() : Base64.encodeURLSafe(bytes)
        let base32 = Base32.encode(bytes)
        let spelled = isPush ? base64 : Bool.random(using: &random) ? base32 : base32.lowercased()
        guard let secret = SharedSecret(utf8: spelled) else { return }
        let id = Int.random(in: 0..<8, using: &random) == 0 ? ids.randomElement(using: &random) : nil
        var mechanism = LegacyMechanism(
            mechanismUUID: id ?? hex(16),
            account: account().profile.key,
            secret: secret,
            timeAdded: date(),
            factor: factor
        )
        mechanism.version = Bool.random(using: &random) ? 1 : 2
        mechanism.uid = optionalText()
        mechanism.resourceId = optionalText()
        ids.append(mechanism.mechanismUUID)
        builder.add(.mechanism(mechanism))
    }

    private mutating func account() -> LegacyAccount {
        let names = ["alice", "B-C", "josé", "山田 太郎", "👩‍🚀", "o'neil \"q\" <b>", "%20:/"]
        let issuers = ["", "A", "A-B", "Société", "日本銀行"]
        var profile = AccountProfile(
            issuer: issuers.randomElement(using: &random) ?? "",
            accountName: names.randomElement(using: &random) ?? ""
        )
        profile.customDisplayIssuer = optionalText()
        profile.customDisplayAccountName = optionalText()
        profile.imageURL = optionalText()
        profile.backgroundColor = optionalText()
        profile.policies = optionalText()
        profile.lockingPolicy = optionalText()
        profile.isLocked = Bool.random(using: &random)
        return LegacyAccount(profile: profile, timeAdded: date())
    }

    private mutating func push() -> LegacyPushParameters {
        let host = hex(3)
        return LegacyPushParameters(
            registrationEndpoint: "https://\(host).example.com/m?realm=/a&_action=register",
            authenticationEndpoint: "https://\(hex(3)).example.com/m?_action=authenticate",
            registration: LegacyRegistration(
                messageId: optionalText(),
                challenge: optionalText().flatMap { SharedSecret(utf8: $0) },
                loadBalancer: optionalText()
            )
        )
    }

    private mutating func oath() -> LegacyOathParameters {
        LegacyOathParameters(
            algorithm: ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"].randomElement(using: &random)
                ?? "sha1",
            digits: [6, 8].randomElement(using: &random) ?? 6
        )
    }

    private mutating func notification() -> PushNotification {
        var notification = PushNotification(
            message: PushMessage(
                id: "AUTHENTICATE:\(hex(8))",
                challenge: Data(hex(8).utf8).base64EncodedString()
            ),
            mechanismUUID: ids.randomElement(using: &random) ?? "none",
            ttl: [0, 12.5, 60, 120].randomElement(using: &random) ?? 0,
            timeAdded: date()
        )
        notification.pending = Bool.random(using: &random)
        notification.approved = Bool.random(using: &random)
        notification.loadBalancer = optionalText()
        notification.customPayload = optionalText()
        notification.messageText = optionalText()
        notification.legacyPushType =
            ["default", "challenge", "biometric", nil].randomElement(using: &random) ?? nil
        notification.numbersChallenge = optionalText()
        notification.contextInfo = optionalText()
        return notification
    }

    private mutating func repeatItem(_ item: LegacyItem) {
        builder.add(item.payload, service: item.service, key: item.key)
    }

    private mutating func text() -> String { "t\(hex(3))é🙂" }
    private mutating func optionalText() -> String? { Bool.random(using: &random) ? text() : nil }

    private mutating func hex(_ bytes: Int) -> String {
        (0..<bytes).map { _ in String(UInt8.random(in: 16...255, using: &random), radix: 16) }.joined()
    }

    /// Returns a date in whole milliseconds, so that JSON can represent it exactly.
    private mutating func date() -> Date {
        Date(millisecondsSince1970: Int64.random(in: 1_500_000_000_000...1_800_000_000_000, using: &random))
    }
}
