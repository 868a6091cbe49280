package import Foundation
import NIOHPACK
@_spi(PushBridgeTools) package import PushBridgeCore

/// The configuration of the stand-in.
package struct APNsSettings: Sendable {
    /// The key that signs provider tokens.
    package var key: ProviderKey
    /// The bundle identifiers to which the key may send.
    package var topics: [String]
    /// The certificates that the service accepts instead of a provider token, as if Apple had issued them.
    package var certificates: [PushCertificate] = []
    /// The simulated environment.
    package var environment = APNsEnvironment.sandbox
    /// Whether renewals of the provider token are counted for each key instead of for each connection.
    package var countsRenewalsByKey = false

    /// Creates settings for the sandbox.
    package init(key: ProviderKey, topics: [String]) {
        self.key = key
        self.topics = topics
    }
}

/// A fault that replaces or delays the stand-in's normal answer to pushes.
package struct APNsFault: Equatable, Sendable {
    /// The reason for the refusal; if this is `nil`, the fault only delays the answer.
    package var reason: APNsReason?
    /// The delay of the answer in seconds.
    package var seconds = 0.0
    /// The number of pushes that the fault affects.
    package var times = 1
    /// The device token that the fault affects; `nil` if the fault affects every token.
    package var token: String?

    /// Creates a fault for the next push.
    package init(_ reason: APNsReason?) {
        self.reason = reason
    }
}

/// Simulates Apple's push service as a provider sees it.
///
/// The service maps requests to answers, without a socket.
///
/// A device token of 64 hexadecimal digits is registered for every topic, until a control request or a connecting
/// device sets the state of the token.
package struct APNsService: Sendable {
    /// The suffixes of topics, by the value of `apns-push-type`.
    ///
    /// The topic of a push is the app's bundle identifier, followed by the suffix for the push's type.
    package static let topicSuffixes = [
        "alert": "", "background": "", "complication": ".complication", "controls": ".push-type.controls",
        "fileprovider": ".pushkit.fileprovider", "liveactivity": ".push-type.liveactivity",
        "location": ".location-query", "mdm": "", "pushtotalk": ".voip-ptt", "voip": ".voip",
        "widgets": ".push-type.widgets",
    ]
    static let longestCollapseId = 64

    /// The state of a device token.
    package enum DeviceTokenState: Equatable, Sendable {
        /// An app registered the token for this topic.
        case registered(topic: String, APNsEnvironment)
        /// The app was removed at this date.
        case unregistered(since: Date)
        /// The token expired at this date.
        case expired(since: Date)
    }

    /// The configuration of this service.
    package var settings: APNsSettings
    /// The known states of device tokens, by the lower-case digits of the token.
    package var tokens: [String: DeviceTokenState] = [:]
    /// The pending faults; the first fault that matches a push applies.
    package var faults: [APNsFault] = []
    private var providerTokens: [Int: (token: String, issued: Date, since: Date)] = [:]
    private var waiting: [String: [APNsPush]] = [:]

    /// Creates a service that has received no pushes.
    package init(_ settings: APNsSettings) {
        self.settings = settings
    }

    /// The result of a request.
    package struct Decision: Equatable, Sendable {
        /// The answer to the request.
        package let answer: APNsAnswer
        /// The push for its device; `nil` if the answer is a refusal.
        package var push: APNsPush?
        /// The delay of the answer in seconds.
        package var delay = 0.0
    }

    /// Returns the answer to a request, and the push that the request contains.
    package mutating func decide(_ request: APNsRequest, at now: Date) -> Decision {
        let given = request.headers.first(name: "apns-id").flatMap { UUID(uuidString: $0) == nil ? nil : $0 }
        let id = given ?? UUID().uuidString
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1] == "3", parts[2] == "device", parts.count <= 4 else {
            return Decision(answer: APNsAnswer(id: id, .badPath))
        }
        let token = parts.count == 4 ? parts[3].lowercased() : ""
        if let fault = strike(token) {
            guard let reason = fault.reason else {
                var decision = decide(request, token, id, at: now)
                decision.delay = fault.seconds
                return decision
            }
            let time = reason.status == 410 ? now : nil
            return Decision(answer: APNsAnswer(id: id, reason, since: time), delay: fault.seconds)
        }
        return decide(request, token, id, at: now)
    }

    private mutating func decide(
        _ request: APNsRequest,
        _ token: String,
        _ id: String,
        at now: Date
    ) -> Decision {
        let refusal =
            Self.refusalOfForm(request, token)
            ?? refusalOfProvider(request, at: now)
            ?? refusalOfHeaders(request)
            ?? Self.refusalOfPayload(request)
        if let refusal { return Decision(answer: APNsAnswer(id: id, refusal)) }
        let topic = topic(of: request) ?? ""
        let headers = request.headers
        switch tokens[token] {
        case .unregistered(let since):
            return Decision(answer: APNsAnswer(id: id, .unregistered, since: since))
        case .expired(let since):
            return Decision(answer: APNsAnswer(id: id, .expiredToken, since: since))
        case .registered(_, let environment) where environment != settings.environment:
            return Decision(answer: APNsAnswer(id: id, .badDeviceToken))
        case .registered(let registered, _) where registered != topic:
            return Decision(answer: APNsAnswer(id: id, .deviceTokenNotForTopic))
        case .registered, nil: break
        }
        var push = APNsPush(to: token, topic: topic, payload: request.body)
        push.type = headers.first(name: "apns-push-type") ?? "alert"
        push.priority = headers.first(name: "apns-priority")
        push.expiration = headers.first(name: "apns-expiration")
        push.collapseId = headers.first(name: "apns-collapse-id")
        push.id = id
        return Decision(answer: APNsAnswer(id: id), push: push)
    }
}

extension APNsService {
    /// Stores a push whose device is not connected, in place of a stored push with the same collapse id.
    ///
    /// If the expiration is 0, the push is not stored, because only one attempt is allowed.
    package mutating func keep(_ push: APNsPush) {
        guard push.expiration != "0" else { return }
        let others = (waiting[push.token] ?? []).filter { other in
            other.collapseId == nil || other.collapseId != push.collapseId
        }
        waiting[push.token] = others + [push]
    }

    /// Registers a device, and removes its stored pushes for this topic.
    ///
    /// Returns the removed pushes that have not expired.
    package mutating func connect(
        _ token: String,
        topic: String,
        _ environment: APNsEnvironment,
        at now: Date
    ) -> [APNsPush] {
        tokens[token] = .registered(topic: topic, environment)
        let pushes = waiting[token] ?? []
        waiting[token] = pushes.filter { $0.topic != topic }
        return pushes.filter { push in
            guard push.topic == topic else { return false }
            return push.expiration.flatMap(TimeInterval.init).map { $0 > now.timeIntervalSince1970 } ?? true
        }
    }

    private mutating func strike(_ token: String) -> APNsFault? {
        let index = faults.firstIndex { $0.times > 0 && ($0.token == nil || $0.token == token) }
        guard let index else { return nil }
        faults[index].times -= 1
        return faults[index]
    }
}

extension APNsService {
    /// Returns the topic for an app's pushes of a type; the bundle identifier if the type is unknown.
    package static func topic(ofType type: String, bundle: String) -> String {
        bundle + (topicSuffixes[type] ?? "")
    }

    /// Returns the bundle identifier in a topic.
    package static func bundle(ofTopic topic: String) -> String {
        String(topic.dropLast(suffix(of: topic).count))
    }

    private static func suffix(of topic: String) -> String {
        topicSuffixes.values.first { !$0.isEmpty && topic.hasSuffix($0) } ?? ""
    }

    /// Returns whether a text has the form of a device token: 64 hexadecimal digits.
    package static func isDeviceToken(_ text: String) -> Bool {
        // The test for ASCII excludes the digits of other scripts.
        text.utf8.count == 64 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    private static func refusalOfForm(_ request: APNsRequest, _ token: String) -> APNsReason? {
        let names = request.headers.map(\.name).filter { $0.hasPrefix("apns-") || $0 == "authorization" }
        if request.headers.first(name: ":method") != "POST" { return .methodNotAllowed }
        if Set(names).count < names.count { return .duplicateHeaders }
        if token.isEmpty { return .missingDeviceToken }
        return isDeviceToken(token) ? nil : .badDeviceToken
    }

    private mutating func refusalOfProvider(_ request: APNsRequest, at now: Date) -> APNsReason? {
        // If a connection has a certificate, provider tokens are ignored.
        if request.certificate != nil {
            guard let certificate = certificate(of: request), certificate.start <= now, now < certificate.end
            else { return .badCertificate }
            let isHere = certificate.environments.contains(settings.environment)
            return isHere ? nil : .badCertificateEnvironment
        }
        guard let authorization = request.headers.first(name: "authorization") else {
            return .missingProviderToken
        }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return .missingProviderToken }
        let token = String(parts[1])
        let user = settings.countsRenewalsByKey ? 0 : request.connection
        let last = providerTokens[user]
        let isKnown = last?.token == token
        let issued = isKnown ? last?.issued : settings.key.issueDate(of: token)
        if let refusal = ProviderKey.refusal(issuedAt: issued, at: now) { return refusal }
        guard !isKnown, let issued else { return nil }
        if let last, now.timeIntervalSince(last.since) < ProviderKey.shortestRenewal {
            return .tooManyProviderTokenUpdates
        }
        providerTokens[user] = (token, issued, now)
        return nil
    }

    /// Returns the accepted certificate of a request's connection; `nil` if the connection has none.
    private func certificate(of request: APNsRequest) -> PushCertificate? {
        settings.certificates.first { $0.bytes == request.certificate }
    }

    /// Returns the topic of a request; `nil` if the request must name a topic but does not.
    ///
    /// If the certificate has a single topic, the request may omit the topic.
    private func topic(of request: APNsRequest) -> String? {
        if let topic = request.headers.first(name: "apns-topic"), !topic.isEmpty { return topic }
        guard let certificate = certificate(of: request), !certificate.listsTopics else { return nil }
        return certificate.topics.first
    }

    /// Removes the state of a closed connection.
    mutating func disconnect(_ connection: Int) {
        if !settings.countsRenewalsByKey { providerTokens[connection] = nil }
    }

    private func refusalOfHeaders(_ request: APNsRequest) -> APNsReason? {
        func value(_ name: String) -> String? { request.headers.first(name: name) }
        guard let topic = topic(of: request) else { return .missingTopic }
        guard topic.utf8.allSatisfy(\.isAllowedInTopic) else { return .badTopic }
        let isAllowed =
            certificate(of: request)?.topics.contains(topic)
            ?? settings.topics.contains(Self.bundle(ofTopic: topic))
        guard isAllowed else { return .topicDisallowed }
        let type = value("apns-push-type") ?? "alert"
        guard let suffix = Self.topicSuffixes[type] else { return .invalidPushType }
        guard suffix == Self.suffix(of: topic) else { return .badTopic }
        if let priority = value("apns-priority") {
            let allowed = type == "background" ? ["5", "1"] : ["10", "5", "1"]
            guard allowed.contains(priority) else { return .badPriority }
        }
        if let expiration = value("apns-expiration") {
            guard let time = Int(expiration), time >= 0 else { return .badExpirationDate }
        }
        if let id = value("apns-collapse-id") {
            guard id.utf8.count <= Self.longestCollapseId else { return .badCollapseId }
        }
        if let id = value("apns-id"), UUID(uuidString: id) == nil { return .badMessageId }
        return nil
    }

    private static func refusalOfPayload(_ request: APNsRequest) -> APNsReason? {
        let isCall = request.headers.first(name: "apns-push-type") == PushChannel.voIP.rawValue
        let channel = isCall ? PushChannel.voIP : .alert
        guard request.body.count <= channel.largestPayload else { return .payloadTooLarge }
        guard let payload = JSONValue(json: request.body), case .object = payload else {
            return .payloadEmpty
        }
        // A push of the type `background` must have a silent payload.
        let isBackground = request.headers.first(name: "apns-push-type") == "background"
        return isBackground && !payload.isSilent ? .invalidPushType : nil
    }
}

extension JSONValue {
    /// Whether the payload has `content-available`, and no alert, badge or sound.
    fileprivate var isSilent: Bool {
        let aps = self["aps"]
        return ["alert", "badge", "sound"].allSatisfy { aps?[$0] == nil } && isContentAvailable
    }
}

extension UInt8 {
    fileprivate var isAllowedInTopic: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
