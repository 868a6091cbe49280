public import Foundation

/// The APNs channels; only the token of ``alert`` is sent to a PingAM server.
public enum PushChannel: String, CaseIterable, Sendable {
    /// Notifications, also silent ones.
    case alert
    /// Calls, by PushKit; a push that is not reported as a call ends the app, so logins are never sent this way.
    case voIP = "voip"
    /// Updates of a watch's face, by PushKit.
    case complication
    /// Changes of files, by PushKit.
    case fileProvider = "fileprovider"

    /// The largest payload in bytes.
    public var largestPayload: Int { self == .voIP ? 5120 : 4096 }

    /// The largest custom payload that PingAM sends, in bytes.
    public static let largestCustomPayload = 3072

    /// The topic of an app's pushes.
    /// - Parameter bundle: The app's bundle identifier.
    /// - Returns: The bundle identifier, with the channel's suffix if it has one.
    public func topic(bundle: String) -> String {
        switch self {
        case .alert: bundle
        case .voIP: "\(bundle).voip"
        case .complication: "\(bundle).complication"
        case .fileProvider: "\(bundle).pushkit.fileprovider"
        }
    }

    /// The app of a topic.
    /// - Parameter topic: The topic of any channel.
    /// - Returns: The bundle identifier.
    public static func bundle(topic: String) -> String {
        let suffixes = allCases.map { $0.topic(bundle: "") }.filter { !$0.isEmpty }
        let suffix = suffixes.first { topic.hasSuffix($0) }
        return String(topic.dropLast(suffix?.count ?? 0))
    }

    /// Whether a payload is small enough.
    ///
    /// Of a file for Apple's device simulator, which names its app in a member `Simulator Target Bundle`, that member
    /// does not count.
    /// - Parameter payload: The payload as it is sent.
    /// - Returns: Whether APNs delivers it.
    public func delivers(_ payload: Data) -> Bool {
        payload.count <= largestPayload || Self.payload(ofFile: payload).count <= largestPayload
    }

    /// The payload for APNs from a file for Apple's device simulator: everything except the member with the app's
    /// identifier.
    /// - Parameter file: The file, or a payload as it is sent.
    /// - Returns: The payload, with its other bytes unchanged.
    @_spi(PushBridgeTools) public static func payload(ofFile file: Data) -> Data {
        guard case .object(var members)? = JSONValue(json: file),
            members.removeValue(forKey: "Simulator Target Bundle") != nil
        else { return file }
        // Keeps the original bytes instead of encoding the JSON again.
        let text = String(decoding: file, as: UTF8.self)
        let member =
            /,\s*"Simulator Target Bundle"\s*:\s*"[^"]*"|"Simulator Target Bundle"\s*:\s*"[^"]*"(?:\s*,)?/
        for match in text.matches(of: member) {
            var rest = text
            rest.removeSubrange(match.range)
            let bytes = Data(rest.utf8)
            if JSONValue(json: bytes) == .object(members) { return bytes }
        }
        return JSONValue.object(members).data
    }
}

/// Which of Apple's services a token is for; an app's entitlement decides.
public enum APNsEnvironment: String, Codable, Sendable {
    /// That of apps that Xcode installed.
    case sandbox
    /// That of TestFlight and the App Store.
    case production
}

/// The names of an operator's push configurations, for apps with several bundles.
public struct PushProviders: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    private var names: [String: String]

    /// Creates names by bundle identifier or topic.
    /// - Parameter names: The name of the push configuration by bundle identifier or topic.
    public init(_ names: [String: String]) {
        self.names = names
    }

    /// Creates names by bundle identifier or topic; of a repeated one the last counts.
    public init(dictionaryLiteral elements: (String, String)...) {
        names = Dictionary(elements) { _, last in last }
    }

    /// The name for a topic.
    /// - Parameter topic: A topic, or a bundle identifier.
    /// - Returns: The topic's own name, or else its bundle's; `nil` if neither has one.
    public func name(forTopic topic: String) -> String? {
        names[topic] ?? names[PushChannel.bundle(topic: topic)]
    }
}

/// Why the system gave the app no device token.
public enum PushRegistrationFailure: Error, Equatable, Sendable {
    /// The app lacks the entitlement `aps-environment`.
    case noEntitlement
    /// A simulator that has no pushes.
    case simulator
    /// The device is offline, or Apple's service cannot be reached; the system tries again.
    case offline
    /// Anything else.
    case other(domain: String, code: Int)

    /// Reads the error from UIKit.
    /// - Parameter error: The error of `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
    public init(_ error: any Error) {
        let error = error as NSError
        switch (error.domain, error.code) {
        case (NSCocoaErrorDomain, 3000): self = .noEntitlement
        case (NSCocoaErrorDomain, 3010): self = .simulator
        case (NSURLErrorDomain, _), (NSPOSIXErrorDomain, _): self = .offline
        case (let domain, let code): self = .other(domain: domain, code: code)
        }
    }

    /// Whether a token that the app has may still be good.
    package var keepsToken: Bool { self != .noEntitlement && self != .simulator }
}
