public import PushBridgeCore

#if canImport(UIKit)
public import UIKit
#else
/// Replaces UIKit's type on platforms without UIKit, so that an app's source compiles there.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// There is new data.
    case newData
    /// There is no new data.
    case noData
    /// The result could not be determined.
    case failed
}
#endif

extension PushBackgroundResult {
    /// The value of UIKit's type with the same meaning.
    public var fetchResult: UIBackgroundFetchResult {
        switch self {
        case .newData: .newData
        case .noData: .noData
        case .failed: .failed
        }
    }
}
