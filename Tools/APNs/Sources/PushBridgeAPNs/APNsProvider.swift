package import Foundation
import NIOConcurrencyHelpers
import PushBridgeCore

/// Where a provider's time comes from.
package struct APNsClock: Sendable {
    /// The present.
    package var now: @Sendable () -> Date = { Date() }
    /// Waits; throws `CancellationError` if the task was cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// The system's clock.
    package init() {}
}

/// What became of a push.
package struct APNsOutcome: Equatable, Sendable {
    /// The last answer.
    package let answer: APNsAnswer
    /// How many times the push was sent.
    package let attempts: Int

    /// Creates an outcome.
    package init(answer: APNsAnswer, attempts: Int) {
        self.answer = answer
        self.attempts = attempts
    }

    /// What happened, for a person.
    package var words: String {
        guard let advice = answer.advice else {
            return "\(answer.status), accepted by APNs, which does not say whether it is delivered"
        }
        return "\(answer.status) \(answer.reasonText ?? "without a reason"): \(advice.rawValue)"
    }

    /// What is behind a refusal, a line for each part; none if the push was accepted.
    package var explanation: [String] {
        var lines = answer.explanation?.lines ?? []
        if let time = answer.time {
            lines.append(("since", ISO8601DateFormatter().string(from: time)))
        }
        return lines.map { "    \($0.name.padding(toLength: 7, withPad: " ", startingAt: 0))\($0.text)" }
    }
}

/// Sends the pushes of some topics, with one key, or on a connection with a certificate.
///
/// A provider token is used for 55 minutes and never renewed within 20, by other processes of the user neither if they
/// keep their tokens in the same folder and do not begin at the same moment. A push is sent again after 429, 500 and
/// 503, later each time, and after its provider token was renewed; never after another refusal. Safe to use from any
/// thread.
package final class APNsProvider: Sendable {
    /// The most times that a push is sent.
    package static let mostAttempts = 5

    /// Where the provider tokens of a user are kept: in `XDG_CACHE_HOME` or the platform's folder for caches; `nil` if
    /// the user has none.
    static var tokenFolder: URL? {
        let named = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].map { URL(fileURLWithPath: $0) }
        let folder = named ?? FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return folder?.appendingPathComponent("pushbridge/provider-tokens")
    }

    /// The provider's name, such as that of the app's push configuration.
    package let name: String
    /// The topic of pushes that name none.
    package let topic: String
    private let transport: any APNsTransport
    private let clock: APNsClock
    private let tokens: NIOLockedValueBox<ProviderTokenCache?>

    /// Creates a provider; without a key its transport has a certificate.
    package init(
        name: String,
        topic: String,
        key: ProviderKey?,
        transport: any APNsTransport,
        clock: APNsClock = APNsClock(),
        keepingTokensIn folder: URL? = nil
    ) {
        self.name = name
        self.topic = topic
        self.transport = transport
        self.clock = clock
        tokens = NIOLockedValueBox(key.map { ProviderTokenCache($0, in: folder) })
    }

    /// Whether the next process of the user has the last provider token, if there is a folder for it.
    package var keepsToken: Bool { tokens.withLockedValue { $0?.isKept ?? true } }

    /// Sends a push, and follows the advice that a machine can follow.
    /// - Returns: What became of it.
    /// - Throws: ``APNsError`` if the push cannot be sent or no answer came, and `CancellationError`.
    package func send(_ push: APNsPush) async throws -> APNsOutcome {
        try push.check()
        var isRenewed = false
        var attempt = 0
        while true {
            attempt += 1
            let token = try tokens.withLockedValue { try $0?.token(at: clock.now()) }
            let answer = try await transport.send(APNsRequest(push, providerToken: token))
            switch answer.advice {
            case .renewProviderToken where !isRenewed:
                isRenewed = try tokens.withLockedValue { tokens in
                    try token.flatMap { try tokens?.renew($0, at: clock.now()) } ?? false
                }
                if isRenewed { continue }
            case .waitAndTryAgain where attempt < Self.mostAttempts:
                try await clock.sleep(Self.pause(after: attempt))
                continue
            default: break
            }
            return APNsOutcome(answer: answer, attempts: attempt)
        }
    }

    /// One second, and twice as long each time.
    static func pause(after attempt: Int) -> Duration { .seconds(1 << (attempt - 1)) }
}
