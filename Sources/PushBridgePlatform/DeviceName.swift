#if canImport(UIKit)
import PushBridgeCore
import Foundation
import UIKit

package enum DeviceName {
    private static let remembered = Lock("iOS device")

    /// The device's name, if it is known; otherwise `iOS device`.
    ///
    /// UIKit provides the name only on the main thread, which caches the name. Another thread gets the cached name,
    /// because a wait for the main thread could last forever; the main thread then updates the cache for the next
    /// call.
    package static var current: String {
        if Thread.isMainThread { MainActor.assumeIsolated { cacheName() } }
        defer {
            if !Thread.isMainThread { Task { @MainActor in cacheName() } }
        }
        return remembered.withValue { $0 }
    }

    package static func read() async -> String {
        await cacheName()
        return remembered.withValue { $0 }
    }

    @MainActor private static func cacheName() {
        let name = UIDevice.current.name
        remembered.withValue { $0 = name }
    }
}
#else
/// The constant name of the device on platforms without UIKit.
package enum DeviceName {
    package static let current = "iOS device"

    package static func read() async -> String { current }
}
#endif
