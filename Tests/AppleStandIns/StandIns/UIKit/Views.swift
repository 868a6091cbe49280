public import Foundation

/// A colour.
@preconcurrency @MainActor public final class UIColor: NSObject {
    /// The colour of the background.
    public static let systemBackground = UIColor()
}

/// A part of the screen.
@preconcurrency @MainActor open class UIView: UIResponder {
    /// The animation of the transition between two views.
    public struct AnimationOptions: OptionSet, Sendable {
        /// The options as a number.
        public let rawValue: UInt
        /// Creates options from a number.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The new view appears with a flip from the right.
        public static let transitionFlipFromRight = AnimationOptions(rawValue: 2 << 20)
    }

    /// Whether the view is hidden.
    public var isHidden = false
    /// The colour of the view's background.
    public var backgroundColor: UIColor?
    /// The views inside this view.
    public private(set) var subviews: [UIView] = []
    private weak var superview: UIView?

    /// Adds a view to this view.
    public func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }

    /// Removes the view from its superview.
    public func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    /// The window that contains the view; the stand-in does not set this property.
    public var window: UIWindow?

    /// Performs a change without the animation that UIKit shows.
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

/// The action of a button.
@preconcurrency @MainActor public final class UIAction: NSObject {
    /// The title.
    public let title: String
    let handler: @MainActor (UIAction) -> Void

    /// Makes an action.
    public init(title: String, handler: @escaping @MainActor (UIAction) -> Void) {
        self.title = title
        self.handler = handler
        super.init()
    }
}

/// A line of text.
@preconcurrency @MainActor public final class UILabel: UIView {
    /// The text.
    public var text: String?
    /// The maximum number of lines; 0 means no limit.
    public var numberOfLines = 1
}

/// Arranges views in a row or a column.
@preconcurrency @MainActor public final class UIStackView: UIView {
    /// The direction in which the views are arranged.
    public enum Axis: Sendable {
        case horizontal, vertical
    }

    /// The alignment of the views across the axis.
    public enum Alignment: Sendable {
        case fill, center
    }

    /// The direction in which the views are arranged.
    public var axis = Axis.horizontal
    /// The alignment of the views across the axis.
    public var alignment = Alignment.fill
    /// The distribution of the space among the views.
    public enum Distribution: Sendable {
        case fill, equalSpacing
    }

    /// The distribution of the space among the views.
    public var distribution = Distribution.fill
    /// The space between the views.
    public var spacing = 0.0
    /// The views.
    public var arrangedSubviews: [UIView] { subviews }
    /// Puts a view after the other views.
    public func addArrangedSubview(_ view: UIView) { addSubview(view) }
}

/// A button.
@preconcurrency @MainActor public final class UIButton: UIView {
    /// The appearance of a button.
    public enum ButtonType: Sendable {
        case system
    }

    private var action: UIAction?

    /// Makes a button with an action.
    public convenience init(type: ButtonType, primaryAction: UIAction?) {
        self.init()
        action = primaryAction
    }

    /// The title.
    public var currentTitle: String? { action?.title }

    /// Performs the button's action, as a tap does.
    public func sendPrimaryAction() {
        if let action { action.handler(action) }
    }

    /// The state of a button.
    public struct State: Sendable {
        /// The normal state.
        public static let normal = State()
    }

    /// Whether the button can be tapped.
    public var isEnabled = true
    /// Does nothing: in the stand-in, the action's title is the button's title.
    public func setTitle(_ title: String?, for state: State) {}
}

/// A window of an app.
@preconcurrency @MainActor public final class UIWindow: UIView {
    /// The controller whose view fills the window.
    public var rootViewController: UIViewController?
    /// Makes a window in a scene.
    public nonisolated init(windowScene: UIWindowScene) { super.init() }
    /// Does nothing, because the stand-in shows no windows.
    public func makeKeyAndVisible() {}
}

/// A screen.
@preconcurrency @MainActor open class UIViewController: UIResponder {
    private var loadedView: UIView?

    /// Creates a screen.
    public override nonisolated init() { super.init() }
    /// Creates a screen; the stand-in reads no file.
    public init(nibName: String?, bundle: Bundle?) { super.init() }
    /// Creates a screen; the stand-in decodes nothing.
    public required init?(coder: NSCoder) { super.init() }

    /// The controller's view, which loads on first use.
    public var view: UIView {
        get {
            loadViewIfNeeded()
            return loadedView ?? UIView()
        }
        set { loadedView = newValue }
    }

    /// Loads the view if it is not loaded yet.
    public func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        viewDidLoad()
    }

    /// Makes the view.
    open func loadView() { loadedView = UIView() }
    /// Called when the view has loaded.
    open func viewDidLoad() {}
    /// Only calls `completion`, because the stand-in shows no screens.
    public func present(
        _ other: UIViewController,
        animated: Bool,
        completion: (() -> Void)? = nil
    ) {
        completion?()
    }
}

/// A stack of screens.
@preconcurrency @MainActor open class UINavigationController: UIViewController {
    /// The screens; the last one is visible.
    public private(set) var viewControllers: [UIViewController] = []

    /// Replaces the screens and loads the visible one.
    public func setViewControllers(_ controllers: [UIViewController], animated: Bool) {
        viewControllers = controllers
        controllers.last?.loadViewIfNeeded()
    }
}

/// A question to the user.
@preconcurrency @MainActor public final class UIAlertController: UIViewController {
    /// The form of the question.
    public enum Style: Sendable {
        case actionSheet, alert
    }

    /// Makes a question.
    public nonisolated init(title: String?, message: String?, preferredStyle: Style) { super.init() }
    /// Always fails.
    public required init?(coder: NSCoder) { nil }
    /// Does nothing, because the stand-in shows no questions.
    public func addAction(_ action: UIAlertAction) {}
}

/// An answer to a question.
@preconcurrency @MainActor public final class UIAlertAction: NSObject {
    /// The meaning of an answer.
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

/// A file that describes screens.
@preconcurrency @MainActor public final class UIStoryboard {
    /// Ignores the name, because the stand-in reads no files.
    public init(name: String, bundle: Bundle?) {}
    /// Returns `nil`, because the stand-in reads no files.
    public func instantiateInitialViewController() -> UIViewController? { nil }
}
