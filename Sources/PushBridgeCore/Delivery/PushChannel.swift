public import Foundation

/// The APNs channels; only the token of ``alert`` is sent to a PingAM server.
public enum PushChannel: String, CaseIterable, Sendable {
    /// Notifications, including silent notifications.
    case alert
    /// Calls, which PushKit delivers.
    ///
    /// The system ends an app that does not report a push on this channel as a call, so logins are never sent
    /// on this channel.
    case voIP = "voip"
    /// Updates of a watch face, which PushKit delivers.
    case complication
    /// File changes, which PushKit delivers.
    case fileProvider = "fileprovider"

    /// The maximum size of a payload, in bytes.
    public var largestPayload: Int { self == .voIP ? 5120 : 4096 }

    /// The maximum size of the custom payload that PingAM sends, in bytes.
    public static let largestCustomPayload = 3072

    /// Returns the topic of an app's pushes.
    /// - Parameter bundle: The app's bundle identifier.
    /// - Returns: The bundle identifier, with the channel's suffix if the channel has one.
    public func topic(bundle: String) -> String {
        switch self {
        case .alert: bundle
        case .voIP: "\(bundle).voip"
        case .complication: "\(bundle).complication"
        case .fileProvider: "\(bundle).pushkit.fileprovider"
        }
    }

    /// Returns the bundle identifier of a topic's app.
    /// - Parameter topic: The topic of any channel.
    /// - Returns: The bundle identifier.
    public static func bundle(topic: String) -> String {
        let suffixes = allCases.map { $0.topic(bundle: "") }.filter { !$0.isEmpty }
        let suffix = suffixes.first { topic.hasSuffix($0) }
        return String(topic.dropLast(suffix?.count ?? 0))
    }

    /// Returns whether a payload is small enough for this channel.
    ///
    /// The member `Simulator Target Bundle`, which identifies the app in a file for Apple's device simulator, does not
    /// count towards the size.
    /// - Parameter payload: The payload as it is sent, or a file for the device simulator.
    /// - Returns: Whether APNs delivers the payload.
    public func delivers(_ payload: Data) -> Bool {
        payload.count <= largestPayload || Self.payload(ofFile: payload).count <= largestPayload
    }

    /// Returns the payload that a file for Apple's device simulator contains.
    ///
    /// The payload is the file without the member that identifies the app.
    /// - Parameter file: The file, or a payload as it is sent.
    /// - Returns: The payload. If possible, its bytes are those of the file; otherwise the JSON is encoded again.
    @_spi(PushBridgeTools) public static func payload(ofFile file: Data) -> Data {
        guard case .object(var members)? = JSONValue(json: file),
            members.removeValue(forKey: "Simulator Target Bundle") != nil
        else { return file }
        // The member is removed from the text. If the JSON were encoded again, other bytes could change too.
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

/// Apple's service that issued a token; the app's entitlement determines the service.
public enum APNsEnvironment: String, Codable, Sendable {
    /// The service for apps that Xcode installed.
    case sandbox
    /// The service for TestFlight and the App Store.
    case production
}

/// The names of a server's push configurations, for apps with several bundles.
public struct PushProviders: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    private var names: [String: String]

    /// Creates the names from a dictionary whose keys are bundle identifiers or topics.
    /// - Parameter names: The name of the push configuration for each bundle identifier or topic.
    public init(_ names: [String: String]) {
        self.names = names
    }

    /// Creates the names from a dictionary whose keys are bundle identifiers or topics.
    ///
    /// If a key is repeated, its last value counts.
    public init(dictionaryLiteral elements: (String, String)...) {
        names = Dictionary(elements) { _, last in last }
    }

    /// Returns the name of the push configuration for a topic.
    /// - Parameter topic: A topic, or a bundle identifier.
    /// - Returns: The name for the topic or, if there is none, the name for the bundle; `nil` if there is
    ///   neither.
    public func name(forTopic topic: String) -> String? {
        names[topic] ?? names[PushChannel.bundle(topic: topic)]
    }
}

/// The reason why the system gave the app no device token.
public enum PushRegistrationFailure: Error, Equatable, Sendable {
    /// The app lacks the entitlement `aps-environment`.
    case noEntitlement
    /// The app runs in a simulator that cannot receive pushes.
    case simulator
    /// The device is offline, or Apple's service cannot be reached; the system tries again.
    case offline
    /// Any other error.
    case other(domain: String, code: Int)

    /// Creates the failure from UIKit's error.
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

    /// Whether the app's existing token may still be valid.
    package var keepsToken: Bool { self != .noEntitlement && self != .simulator }
}
