public import Foundation

/// A login push as it is stored on the device.
public struct PushNotification: Codable, Equatable, Identifiable, Sendable {
    /// The notification's id.
    public package(set) var id: String
    /// The id of the credential that answers the notification.
    public let credentialId: String
    /// The server's id of the message, for which the server accepts one answer.
    public let messageId: String
    /// The challenge in base64, as the server spelled it; `nil` for a push without a challenge.
    public package(set) var challenge: String?
    /// The time in whole seconds for which the server waits for an answer.
    public package(set) var ttl: Int
    /// The date when the server sent the push, if known.
    public package(set) var sentAt: Date?
    /// The date when the device stored the push.
    public package(set) var createdAt: Date

    /// The action with which the user approves the push.
    public var pushType: PushType = .default
    /// The message to display, if the push contains one.
    public var messageText: String?
    /// The administrator's own payload as JSON text, if the push contains one.
    public var customPayload: String?
    /// The numbers that the user chooses from, as the server spelled them; only for challenge pushes.
    public var numbersChallenge: String?
    /// The origin of the login as JSON text, if the push contains it.
    public var contextInfo: String?
    /// The load balancer's cookie pair `name=value`, if the push contains it.
    public var loadBalancer: String?
    /// Whether the user has not answered yet.
    public var pending = true
    /// Whether the user approved.
    ///
    /// The value is independent of ``pending``, because legacy stores contain every combination.
    public var approved = false
    /// The date when the user answered, if known.
    public var respondedAt: Date?
    /// The app's own data, as JSON of any shape.
    package var additional: JSONValue?
    /// The app's own data as the app set it in this process, including values that JSON cannot express.
    package var unstored = UnstoredValues()
    /// The name of the app's own handler that parsed the push and answers it; `nil` if no handler parsed the push.
    public var customHandler: String?
    /// The claim of the process that is sending an answer; `nil` if there is none.
    package var answerClaim: AnswerClaim?
    /// The details that only the legacy model has, if the push was read or created in its legacy form.
    package var legacy: LegacyNotificationDetails?

    /// Creates a pending notification from the required values; set the optional properties afterwards.
    package init(
        id: String,
        credentialId: String,
        message: PushMessage,
        ttl: Int,
        sentAt: Date,
        createdAt: Date
    ) {
        self.id = id
        self.credentialId = credentialId
        messageId = message.id
        challenge = message.challenge
        self.ttl = ttl
        self.sentAt = sentAt
        self.createdAt = createdAt
    }

    /// The date when the server stops waiting for an answer.
    public var expiresAt: Date { orderedAt.addingTimeInterval(timeToLive) }

    /// The date by which notifications are sorted: the date when the server sent the push or, if that date is
    /// unknown, the date when the device stored the push.
    package var orderedAt: Date { sentAt ?? createdAt }
}

/// The server's values in a push: the message id and the challenge.
package struct PushMessage: Equatable, Sendable {
    /// The server's id of the message, for which the server accepts one answer.
    package let id: String
    /// The challenge in base64, as the server spelled it.
    package let challenge: String

    /// Creates a message from the server's values, without decoding the challenge.
    package init(id: String, challenge: String) {
        self.id = id
        self.challenge = challenge
    }
}

// To add a type, extend each `switch` over the types; the compiler finds them, because none has a default. Also change
// the comparisons with single types in `VerifiedPush.init` and `PushActions`, which the compiler does not find, and add
// the approval of the new type to `AnsweringTests.aPushAcceptsOneApprovalAndTheDenial`.

/// The action with which the user approves a push.
public enum PushType: String, CaseIterable, Codable, Sendable {
    /// The user taps a button.
    case `default`
    /// The user chooses the number that the login page shows.
    case challenge
    /// The user authenticates biometrically.
    case biometric

    /// Creates a type from a server's spelling, in upper or lower case; an unknown or absent spelling becomes
    /// ``default``.
    /// - Parameter name: The spelling in the push's claim `k`.
    public init(name: String?) {
        self = name.flatMap { PushType(rawValue: $0.lowercased()) } ?? .default
    }
}

extension PushNotification {
    /// Whether the user answered.
    public var responded: Bool { !pending }
    /// Whether the user denied.
    public var isDenied: Bool { !pending && !approved }

    /// Returns whether the server has stopped waiting for an answer.
    ///
    /// A client can still send an answer; the server then decides whether it accepts the answer.
    ///
    /// - Parameter now: The current time.
    /// - Returns: Whether `now` is ``expiresAt`` or later.
    public func isExpired(at now: Date) -> Bool { now >= expiresAt }

    /// Returns whether a process is sending an answer.
    /// - Parameter now: The current time; a claim expires after some time.
    /// - Returns: Whether there is a claim that has not expired.
    public func isClaimed(at now: Date) -> Bool { answerClaim?.isLive(at: now) ?? false }

    /// The numbers that the user chooses from; other parts of the server's text are left out.
    public var numbers: [Int] { Self.numbers(in: numbersChallenge ?? "") }

    /// Returns the whole numbers in a server's comma-separated text.
    package static func numbers(in text: String) -> [Int] {
        text.split(separator: ",").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }

    /// Returns the push with the claim of an answer.
    ///
    /// - Throws: ``PushAnswerError`` if the user has already answered the push, if a process is sending an answer, or
    ///   if `answer` is of the wrong kind.
    package func claimed(
        by claim: AnswerClaim,
        for answer: PushAnswer,
        now: Date
    ) throws(PushAnswerError) -> PushNotification {
        guard pending, !isClaimed(at: now) else { throw .notPending }
        guard answer.suits(pushType) else { throw .wrongKind(pushType) }
        var notification = self
        notification.answerClaim = claim
        return notification
    }

    /// Returns the push as it is after the server has accepted an answer.
    package func answered(_ answer: PushAnswer, at now: Date) -> PushNotification {
        var notification = self
        notification.pending = false
        notification.approved = answer.isApproval
        notification.respondedAt = now
        notification.answerClaim = nil
        return notification
    }

    /// Returns the push without the claim of an answer that failed; the claim of another answer stays.
    package func released(from claim: AnswerClaim) -> PushNotification {
        guard answerClaim?.id == claim.id else { return self }
        var notification = self
        notification.answerClaim = nil
        return notification
    }
}

extension PushNotification: CustomStringConvertible, Concealed {
    /// The notification's ids, type and state, without the contents of the push.
    public var description: String {
        let state = pending ? "pending" : approved ? "approved" : "denied"
        return "PushNotification(id: \(id), credentialId: \(credentialId), \(pushType.rawValue), \(state))"
    }
}

// MARK: - Stored form

extension PushNotification: StoredRecord {
    package static var recordKind: RecordKind { .notification }
    package var recordIndex: RecordIndex {
        RecordIndex(id: id, owner: credentialId, alias: messageId, date: orderedAt, isOpen: pending)
    }

    /// Decodes the stored form: the successor SDK's JSON, with this package's own values under one additional key.
    ///
    /// - Throws: `DecodingError` if a required member is missing, or if a member is invalid.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let extras = try members.decodeIfPresent(Extras.self, forKey: .pushBridge)
        let createdAt = try members.decode(StoredDate.self, forKey: .createdAt).date(with: extras?.createdAt)
        let sentAt = try members.decodeIfPresent(StoredDate.self, forKey: .sentAt)
        self.init(
            id: try members.decode(String.self, forKey: .id),
            credentialId: try members.decode(String.self, forKey: .credentialId),
            message: PushMessage(id: try members.decode(String.self, forKey: .messageId), challenge: ""),
            ttl: try members.decode(Int.self, forKey: .ttl),
            sentAt: createdAt,
            createdAt: createdAt
        )
        challenge = try members.decodeIfPresent(String.self, forKey: .challenge)
        self.sentAt = sentAt?.date(with: extras?.sentAt)
        pushType = PushType(name: try members.decodeIfPresent(String.self, forKey: .pushType))
        messageText = try members.decodeIfPresent(String.self, forKey: .messageText)
        customPayload = try members.decodeIfPresent(String.self, forKey: .customPayload)
        numbersChallenge = try members.decodeIfPresent(String.self, forKey: .numbersChallenge)
        contextInfo = try members.decodeIfPresent(String.self, forKey: .contextInfo)
        loadBalancer = try members.decodeIfPresent(String.self, forKey: .loadBalancer)
        pending = try members.decodeIfPresent(Bool.self, forKey: .pending) ?? false
        approved = try members.decodeIfPresent(Bool.self, forKey: .approved) ?? false
        respondedAt = try members.decodeIfPresent(StoredDate.self, forKey: .respondedAt)?
            .date(with: extras?.respondedAt)
        additional = try members.decodeIfPresent(JSONMember.self, forKey: .additionalData)?.value
        answerClaim = extras?.claim
        customHandler = extras?.customHandler
        legacy = extras?.legacy
    }

    /// Encodes the stored form.
    ///
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        let created = StoredDate(createdAt)
        let (sent, responded) = (sentAt.map(StoredDate.init), respondedAt.map(StoredDate.init))
        try members.encode(id, forKey: .id)
        try members.encode(credentialId, forKey: .credentialId)
        try members.encode(ttl, forKey: .ttl)
        try members.encode(messageId, forKey: .messageId)
        try members.encodeIfPresent(messageText, forKey: .messageText)
        try members.encodeIfPresent(customPayload, forKey: .customPayload)
        try members.encodeIfPresent(challenge, forKey: .challenge)
        try members.encodeIfPresent(numbersChallenge, forKey: .numbersChallenge)
        try members.encodeIfPresent(loadBalancer, forKey: .loadBalancer)
        try members.encodeIfPresent(contextInfo, forKey: .contextInfo)
        try members.encode(pushType.rawValue, forKey: .pushType)
        try members.encode(created, forKey: .createdAt)
        try members.encodeIfPresent(sent, forKey: .sentAt)
        try members.encodeIfPresent(responded, forKey: .respondedAt)
        try members.encode(pending, forKey: .pending)
        try members.encode(approved, forKey: .approved)
        try members.encodeIfPresent(additional.map(JSONMember.init), forKey: .additionalData)
        let isExact = encoder.isStoresOwn
        let extras = Extras(
            createdAt: isExact ? nil : created.remainder,
            sentAt: isExact ? nil : sent?.remainder,
            respondedAt: isExact ? nil : responded?.remainder,
            claim: answerClaim,
            customHandler: customHandler,
            legacy: legacy
        )
        if !extras.isEmpty { try members.encode(extras, forKey: .pushBridge) }
    }

    /// The members of the stored form; names and numbers must not change.
    package enum CodingKeys: Int, CodingKey, CaseIterable {
        case id = 1
        case credentialId, ttl, messageId, messageText, customPayload, challenge, numbersChallenge
        case loadBalancer, contextInfo, pushType, createdAt, sentAt, respondedAt, pending, approved
        case pushBridge, additionalData
    }

    /// The optional string members that an app's own handler may set.
    package static let texts: [Text] = [
        Text(.messageText, \.messageText),
        Text(.customPayload, \.customPayload, isJSON: true),
        Text(.challenge, \.challenge),
        Text(.numbersChallenge, \.numbersChallenge),
        Text(.contextInfo, \.contextInfo, isJSON: true),
        Text(.loadBalancer, \.loadBalancer),
    ]

    /// An optional text of a notification.
    package struct Text: Sendable {
        /// The name in the stored form.
        package let name: String
        /// The property of the notification.
        package let property: any WritableKeyPath<PushNotification, String?> & Sendable
        /// Whether the text is JSON, which a handler may also return as a dictionary.
        package let isJSON: Bool

        init(
            _ member: CodingKeys,
            _ property: any WritableKeyPath<PushNotification, String?> & Sendable,
            isJSON: Bool = false
        ) {
            (name, self.property, self.isJSON) = (member.stringValue, property, isJSON)
        }
    }

    private struct Extras: Codable {
        let createdAt: Double?
        let sentAt: Double?
        let respondedAt: Double?
        let claim: AnswerClaim?
        let customHandler: String?
        let legacy: LegacyNotificationDetails?

        var isEmpty: Bool {
            createdAt == nil && sentAt == nil && respondedAt == nil && claim == nil && customHandler == nil
                && legacy == nil
        }

        private enum CodingKeys: Int, CodingKey {
            case createdAt = 1
            case sentAt, respondedAt, claim, customHandler, legacy
        }
    }
}
