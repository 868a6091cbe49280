import Foundation
import PushBridgePlatform

/// Decides on which thread the legacy API calls an app's callbacks.
package enum CallbackThread {
    private static let isMainOnly = Lock(false)

    /// Whether every callback is called on the main queue.
    package static var isMain: Bool {
        get { isMainOnly.withValue { $0 } }
        set { isMainOnly.withValue { $0 = newValue } }
    }

    /// Calls `body` on this thread or, if `isMain` is `true` and this is not the main thread, on the main queue.
    package static func run(_ body: @escaping @Sendable () -> Void) {
        guard isMain, !Thread.isMainThread else { return body() }
        DispatchQueue.main.async(execute: body)
    }
}
