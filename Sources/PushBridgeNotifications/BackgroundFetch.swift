public import PushBridgeCore

#if canImport(UIKit)
public import UIKit
#else
/// Stands in for UIKit's result, so that the source of an app compiles where there is no UIKit.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// There is something new.
    case newData
    /// There is nothing new.
    case noData
    /// It could not be told.
    case failed
}
#endif

extension PushBackgroundResult {
    /// The same as UIKit takes it.
    public var fetchResult: UIBackgroundFetchResult {
        switch self {
        case .newData: .newData
        case .noData: .noData
        case .failed: .failed
        }
    }
}
