public import PushBridgeCore

#if canImport(UIKit)
public import UIKit
#else
/// Replaces UIKit's result, so that the source of an app compiles on platforms without UIKit.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// There is something new.
    case newData
    /// There is nothing new.
    case noData
    /// The result could not be determined.
    case failed
}
#endif

extension PushBackgroundResult {
    /// The equivalent value of UIKit.
    public var fetchResult: UIBackgroundFetchResult {
        switch self {
        case .newData: .newData
        case .noData: .noData
        case .failed: .failed
        }
    }
}
