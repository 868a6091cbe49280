public import Foundation

/// A part of the screen.
@preconcurrency @MainActor open class UIView: UIResponder {
    /// How one view follows another.
    public struct AnimationOptions: OptionSet, Sendable {
        /// The options as a number.
        public let rawValue: UInt
        /// Takes options from a number.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// As a leaf is turned.
        public static let transitionFlipFromRight = AnimationOptions(rawValue: 2 << 20)
    }

    /// Whether it is not shown.
    public var isHidden = false
    /// The window that it is in.
    public var window: UIWindow?

    /// Does at once what the real one animates.
    public class func transition(
        with view: UIView,
        duration: TimeInterval,
        options: AnimationOptions = [],
        animations: (() -> Void)?,
        completion: ((Bool) -> Void)? = nil
    ) {
        animations?()
        completion?(true)
    }
}

/// What the user taps.
@preconcurrency @MainActor public final class UIButton: UIView {
    /// How a button stands.
    public struct State: Sendable {
        /// As always.
        public static let normal = State()
    }

    /// Whether it can be tapped.
    public var isEnabled = true
    /// Sets what it says.
    public func setTitle(_ title: String?, for state: State) {}
}

/// A window of an app.
@preconcurrency @MainActor public final class UIWindow: UIView {
    /// What it shows.
    public var rootViewController: UIViewController?
    /// Makes a window in a scene.
    public nonisolated init(windowScene: UIWindowScene) { super.init() }
}

/// A screen.
@preconcurrency @MainActor open class UIViewController: UIResponder {
    /// What it shows.
    public var view = UIView()
    /// Hears that the view is there.
    open func viewDidLoad() {}
    /// Shows another screen over this one.
    public func present(
        _ other: UIViewController,
        animated: Bool,
        completion: (() -> Void)? = nil
    ) {
        completion?()
    }
}

/// A pile of screens.
@preconcurrency @MainActor open class UINavigationController: UIViewController {}

/// A question to the user.
@preconcurrency @MainActor public final class UIAlertController: UIViewController {
    /// How it is asked.
    public enum Style: Sendable {
        case actionSheet, alert
    }

    /// Makes a question.
    public nonisolated init(title: String?, message: String?, preferredStyle: Style) { super.init() }
    /// Adds an answer.
    public func addAction(_ action: UIAlertAction) {}
}

/// An answer to a question.
@preconcurrency @MainActor public final class UIAlertAction: NSObject {
    /// What an answer stands for.
    public enum Style: Sendable {
        case `default`, cancel, destructive
    }

    /// Makes an answer.
    public nonisolated init(
        title: String?,
        style: Style,
        handler: (@MainActor (UIAlertAction) -> Void)? = nil
    ) {
        super.init()
    }
}

/// A file of screens.
@preconcurrency @MainActor public final class UIStoryboard {
    /// Names a file.
    public init(name: String, bundle: Bundle?) {}
    /// The first screen.
    public func instantiateInitialViewController() -> UIViewController? { nil }
}

/// One of an app's places on the screen.
@preconcurrency @MainActor open class UIScene: UIResponder {
    /// How the system connects a scene.
    @preconcurrency @MainActor public final class ConnectionOptions {}
}

/// A scene with windows.
@preconcurrency @MainActor public final class UIWindowScene: UIScene {}

/// What the system keeps of a scene.
@preconcurrency @MainActor public final class UISceneSession {}

/// Hears of a scene.
@preconcurrency @MainActor public protocol UIWindowSceneDelegate: NSObjectProtocol {
    /// The scene was connected.
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )
}
