import Foundation
import PushBridgePlatform

/// Where the legacy API calls an app back.
package enum CallbackThread {
    private static let isMainOnly = Lock(false)

    /// Whether every callback is called on the main queue.
    package static var isMain: Bool {
        get { isMainOnly.withValue { $0 } }
        set { isMainOnly.withValue { $0 = newValue } }
    }

    /// Calls `body` on this thread or, if every callback has to be on the main queue and this thread is another one, there.
    package static func run(_ body: @escaping @Sendable () -> Void) {
        guard isMain, !Thread.isMainThread else { return body() }
        DispatchQueue.main.async(execute: body)
    }
}
