#if canImport(UIKit)
import AuthenticatorCore
import Foundation
import UIKit

/// The device as the user named it.
enum Device {
    private static let remembered = Lock("iOS device")

    /// The name.
    ///
    /// UIKit tells it on the main thread only, so it is remembered there; waiting for that thread could wait
    /// forever.
    static var name: String {
        if Thread.isMainThread {
            let name = MainActor.assumeIsolated { UIDevice.current.name }
            remembered.withValue { $0 = name }
        }
        return remembered.withValue { $0 }
    }
}
#else
public import Foundation

/// The device, where it has no name to show.
enum Device {
    static let name = "iOS device"
}

/// Stands in for UIKit's application, so that the source of an app compiles where there is no UIKit.
public final class UIApplication: NSObject, Sendable {
    /// The only one.
    public static let shared = UIApplication()
}
#endif
