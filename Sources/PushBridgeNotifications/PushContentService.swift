import Dispatch
public import Foundation
public import PushBridgeCore
import PushBridgePlatform

/// Verifies and stores pushes in a notification service extension, and replaces the content that the system shows.
///
/// It requires servers since 7.3, which mark pushes as `mutable-content`, and a store that the app shares with the
/// extension through an app group. It sends no requests. Safe to use from any thread.
public final class PushContentService: Sendable {
    private let store: @Sendable () throws -> any CredentialStore
    private let texts: PushTexts
    private let now: @Sendable () -> Date
    /// For each push that is not shown yet, the closure that shows it when the extension's time is over.
    private let waiting = Lock<[UUID: () -> Void]>([:])

    private let milestones = Lock<(@Sendable (PushMilestone) -> Void)?>(nil)

    /// Receives the arrival of each push, on any thread, before its content is shown; `nil` by default.
    ///
    /// In an extension, `MigrationRollout.record(_:)` reports the arrival immediately and stores nothing.
    public var onMilestone: (@Sendable (PushMilestone) -> Void)? {
        get { milestones.withValue(\.self) }
        set { milestones.withValue { $0 = newValue } }
    }

    /// Creates a service.
    /// - Parameters:
    ///   - texts: The texts to show if the server's texts are missing or not trustworthy.
    ///   - now: The clock.
    ///   - store: Opens the store; called for each push, because the store cannot be opened before the first unlock.
    public init(
        texts: PushTexts = PushTexts(),
        now: @escaping @Sendable () -> Date = { Date() },
        store: @escaping @Sendable () throws -> any CredentialStore
    ) {
        self.store = store
        self.texts = texts
        self.now = now
    }

    /// Verifies and stores a push, and returns the content to show.
    ///
    /// A push that fails verification is shown as suspicious. A push that cannot be verified yet is shown with a
    /// neutral text; the app processes it later with `receive(delivered:)`.
    /// - Parameters:
    ///   - userInfo: The payload.
    ///   - handler: Called once, on a background queue or by ``willExpire()``, with the content to show; with `nil` for
    ///     a foreign push, which stays unchanged.
    public func didReceive(_ userInfo: [AnyHashable: Any], _ handler: @escaping (PushContent?) -> Void) {
        guard let push = PushPayload(.payload(userInfo))?.incoming else { return handler(nil) }
        let verified = once(orExpired: PushContent(.postponed, texts), handler)
        DispatchQueue.global().async { [self] in verified(content(of: push)) }
    }

    /// Shows all unfinished pushes, because the extension's time is over.
    ///
    /// Unverified pushes have a neutral text; other pushes lack the picture that is still loading.
    public func willExpire() {
        let late = waiting.withValue { waiting in
            defer { waiting = [:] }
            return waiting.values
        }
        for end in late { end() }
    }

    /// Calls a handler once: with the value, or with `late` if the extension's time ends before.
    func once<Value: Sendable>(
        orExpired late: Value,
        _ handler: @escaping (Value) -> Void
    ) -> @Sendable (Value) -> Void {
        let (id, once) = (UUID(), Once(handler))
        waiting.withValue { $0[id] = { once(late) } }
        return { [waiting] value in
            waiting.withValue { $0[id] = nil }
            once(value)
        }
    }

    private func content(of push: Swift.Result<UnverifiedPush, PushReceptionError>) -> PushContent {
        do {
            return try store().content(of: push, texts, at: now()) { onMilestone?($0) }
        } catch {
            onMilestone?(PushMilestone(.arrival, .postponed))
            // The app processes the push later, and reports the error if it cannot open the store either.
            return PushContent(.postponed, texts)
        }
    }
}
