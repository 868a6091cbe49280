import Dispatch
public import Foundation
public import PushBridgeCore
import PushBridgePlatform

/// Verifies and stores pushes in a notification service extension, and replaces the content that the system shows.
///
/// The server must be PingAM 7.3 or later, because earlier versions do not mark pushes as `mutable-content`. The
/// app must share its store with the extension through an app group. The service sends no requests, and can be used
/// from any thread.
public final class PushContentService: Sendable {
    private let store: @Sendable () throws -> any CredentialStore
    private let texts: PushTexts
    private let now: @Sendable () -> Date
    /// One closure for each push that has not been shown yet.
    ///
    /// The closure shows the push when the extension's time is over.
    private let waiting = Lock<[UUID: () -> Void]>([:])

    private let milestones = Lock<(@Sendable (PushMilestone) -> Void)?>(nil)

    /// Receives the arrival of each push, unless the store already contains the push; `nil` by default.
    ///
    /// The closure is called before the push's content is shown. It may be called on any thread.
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
    ///   - store: Opens the store. It is called for each push, because the store cannot be opened before the
    ///     first unlock.
    public init(
        texts: PushTexts = PushTexts(),
        now: @escaping @Sendable () -> Date = { Date() },
        store: @escaping @Sendable () throws -> any CredentialStore
    ) {
        self.store = store
        self.texts = texts
        self.now = now
    }

    /// Verifies and stores a push, and passes the content to show to a handler.
    ///
    /// A push that fails verification is shown as suspicious. A push that cannot be verified yet is shown
    /// with a neutral text, and the app processes the push later with `receive(delivered:)`.
    /// - Parameters:
    ///   - userInfo: The payload.
    ///   - handler: Receives the content to show, or `nil` for a push that is not PingAM's; such a push stays
    ///     unchanged. The handler is called once: on a background queue, by ``willExpire()`` or, for a push that is
    ///     not PingAM's, on the calling thread.
    public func didReceive(_ userInfo: [AnyHashable: Any], _ handler: @escaping (PushContent?) -> Void) {
        guard let push = PushPayload(.payload(userInfo))?.incoming else { return handler(nil) }
        let verified = once(orExpired: PushContent(.postponed, texts), handler)
        DispatchQueue.global().async { [self] in verified(content(of: push)) }
    }

    /// Shows all unfinished pushes, because the extension's time is over.
    ///
    /// A push that has not been verified yet is shown with a neutral text. Any other push is shown without the
    /// picture that is still loading.
    public func willExpire() {
        let late = waiting.withValue { waiting in
            defer { waiting = [:] }
            return waiting.values
        }
        for end in late { end() }
    }

    /// Returns a closure that passes a value to a handler.
    ///
    /// The handler is called once. If the extension's time ends before the closure is called, the handler
    /// receives `late`.
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
            // The error is not reported here, because the app processes the push later. If the app cannot open the
            // store either, the app reports the error.
            return PushContent(.postponed, texts)
        }
    }
}
