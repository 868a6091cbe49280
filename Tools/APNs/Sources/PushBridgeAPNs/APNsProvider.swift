package import Foundation
import NIOConcurrencyHelpers
import PushBridgeCore

/// The clock of a provider.
package struct APNsClock: Sendable {
    /// Returns the current time.
    package var now: @Sendable () -> Date = { Date() }
    /// Waits for a duration.
    ///
    /// Throws `CancellationError` if the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// The system's clock.
    package init() {}
}

/// The result of sending a push.
package struct APNsOutcome: Equatable, Sendable {
    /// The answer to the last attempt.
    package let answer: APNsAnswer
    /// The number of times that the push was sent.
    package let attempts: Int

    /// Creates an outcome.
    package init(answer: APNsAnswer, attempts: Int) {
        self.answer = answer
        self.attempts = attempts
    }

    /// The result as a text for people.
    package var words: String {
        guard let advice = answer.advice else {
            return "\(answer.status), accepted by APNs, which does not report whether the push is delivered"
        }
        return "\(answer.status) \(answer.reasonText ?? "without a reason"): \(advice.rawValue)"
    }

    /// The lines that explain a refusal; empty if there is neither an explanation nor a timestamp.
    package var explanation: [String] {
        var lines = answer.explanation?.lines ?? []
        if let time = answer.time {
            lines.append(("since", ISO8601DateFormatter().string(from: time)))
        }
        return lines.map { "    \($0.name.padding(toLength: 7, withPad: " ", startingAt: 0))\($0.text)" }
    }
}

/// Sends pushes to some topics, either with one key or on a connection with a certificate.
///
/// The provider uses a provider token for 55 minutes, and never renews it within 20 minutes. Other processes of the
/// same user share the token if they store their tokens in the same folder and do not start at the same moment.
///
/// The provider sends the push again, at growing intervals, after a status of 500 or more and after status 429, unless
/// the reason is `TooManyProviderTokenUpdates`. It also sends the push again, once, after it has renewed an expired
/// provider token.
///
/// The provider is safe to use from any thread.
package final class APNsProvider: Sendable {
    /// The number of attempts after which the provider gives up instead of waiting for another attempt.
    package static let mostAttempts = 5

    /// The folder of the user's provider tokens.
    ///
    /// The folder is in `XDG_CACHE_HOME` or in the platform's folder for caches; `nil` if neither exists.
    static var tokenFolder: URL? {
        let named = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].map { URL(fileURLWithPath: $0) }
        let folder = named ?? FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        return folder?.appendingPathComponent("pushbridge/provider-tokens")
    }

    /// The provider's name; for example, the name in the app's push configuration.
    package let name: String
    /// The default topic of pushes.
    package let topic: String
    private let transport: any APNsTransport
    private let clock: APNsClock
    private let tokens: NIOLockedValueBox<ProviderTokenCache?>

    /// Creates a provider.
    ///
    /// If there is no key, the transport authenticates with a certificate.
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

    /// Whether the last provider token is stored for the user's next process.
    ///
    /// The value is also `true` if there is no key or no folder for tokens, because then no token has to be stored.
    package var keepsToken: Bool { tokens.withLockedValue { $0?.isKept ?? true } }

    /// Sends a push, and sends it again after refusals that a retry can resolve.
    /// - Returns: The last answer and the number of attempts.
    /// - Throws: ``APNsError`` if the push cannot be sent or there is no answer, and `CancellationError`.
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

    /// Returns the pause before the next attempt.
    ///
    /// The first pause is one second, and each later pause is twice as long as the previous one.
    static func pause(after attempt: Int) -> Duration { .seconds(1 << (attempt - 1)) }
}
