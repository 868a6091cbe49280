#if canImport(UIKit)
import PushBridgeCore
import Foundation
import UIKit

package enum DeviceName {
    private static let remembered = Lock("iOS device")

    /// The name, as far as it is known.
    ///
    /// UIKit tells it on the main thread only, so it is remembered there. Another thread does not wait for that one,
    /// which could be forever: it is told what was heard last, and the main thread hears the name for the next time.
    package static var current: String {
        if Thread.isMainThread { MainActor.assumeIsolated { learn() } }
        defer {
            if !Thread.isMainThread { Task { @MainActor in learn() } }
        }
        return remembered.withValue { $0 }
    }

    package static func told() async -> String {
        await learn()
        return remembered.withValue { $0 }
    }

    @MainActor private static func learn() {
        let name = UIDevice.current.name
        remembered.withValue { $0 = name }
    }
}
#else
/// The device, where it has no name to show.
package enum DeviceName {
    package static let current = "iOS device"

    package static func told() async -> String { current }
}
#endif
