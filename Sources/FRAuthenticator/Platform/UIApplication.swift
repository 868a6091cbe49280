#if !canImport(UIKit)
public import Foundation

/// Stands in for UIKit's application, so that the source of an app compiles where there is no UIKit.
public final class UIApplication: NSObject, Sendable {
    /// The only one.
    public static let shared = UIApplication()
}
#endif
