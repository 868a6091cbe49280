public import Foundation
@_exported public import Observation
public import UIKit

/// An app.
///
/// The stand-in does not run the app; ``StandInWindow`` draws the app's first window.
@preconcurrency @MainActor public protocol App {
    /// The type of the app's scenes.
    associatedtype Body: Scene
    /// The app's scenes.
    @SceneBuilder var body: Body { get }
    /// Creates the app.
    init()
}

extension App {
    /// Does nothing, because the stand-in does not run apps.
    public static func main() {}
}

/// A part of an app's user interface that the system connects and disconnects.
@preconcurrency @MainActor public protocol Scene {
    /// The content of the scene's window; this is not part of Apple's framework.
    var content: any View { get }
}

/// Builds the scenes of an app.
///
/// In the stand-in, an app has one scene.
@resultBuilder public struct SceneBuilder {
    /// Returns the scene.
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// A scene with windows of one kind.
@preconcurrency @MainActor public struct WindowGroup<Content: View>: Scene {
    private let make: () -> Content

    /// Creates a scene.
    public init(@ViewBuilder content: @escaping () -> Content) { make = content }

    /// The content of a window.
    public var content: any View { make() }
}

/// The state of a scene.
public enum ScenePhase: Sendable {
    case background, inactive, active
}

/// Provides the app delegate.
///
/// In SwiftUI the system creates the delegate. In the stand-in, a test creates the delegate and sets it as
/// `UIApplication.shared.delegate` before the test creates the app.
@preconcurrency @MainActor @propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
    private let delegate: DelegateType?

    /// Creates the wrapper.
    public init(_ delegateType: DelegateType.Type = DelegateType.self) {
        delegate = UIApplication.shared.delegate as? DelegateType
    }

    /// The delegate.
    public var wrappedValue: DelegateType {
        guard let delegate else { preconditionFailure("A test sets the delegate before it creates the app.") }
        return delegate
    }
}
