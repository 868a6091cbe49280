public import Foundation

/// A colour.
@preconcurrency @MainActor public final class UIColor: NSObject {
    /// What lies behind everything.
    public static let systemBackground = UIColor()
}

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
    /// What lies behind its content.
    public var backgroundColor: UIColor?
    /// What lies in it.
    public private(set) var subviews: [UIView] = []
    private weak var superview: UIView?

    /// Puts a view into this one.
    public func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }

    /// Takes the view out of the one that it lies in.
    public func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

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

/// What a button does.
@preconcurrency @MainActor public final class UIAction: NSObject {
    /// What it says.
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
    /// How many lines it may have; 0 is any number.
    public var numberOfLines = 1
}

/// Views one beside the other.
@preconcurrency @MainActor public final class UIStackView: UIView {
    /// How the views follow one another.
    public enum Axis: Sendable {
        case horizontal, vertical
    }

    /// Where the views stand across the axis.
    public enum Alignment: Sendable {
        case fill, center
    }

    /// How the views follow one another.
    public var axis = Axis.horizontal
    /// Where the views stand across the axis.
    public var alignment = Alignment.fill
    /// How the views share the space.
    public enum Distribution: Sendable {
        case fill, equalSpacing
    }

    /// How the views share the space.
    public var distribution = Distribution.fill
    /// The space between them.
    public var spacing = 0.0
    /// The views.
    public var arrangedSubviews: [UIView] { subviews }
    /// Puts a view after the others.
    public func addArrangedSubview(_ view: UIView) { addSubview(view) }
}

/// What the user taps.
@preconcurrency @MainActor public final class UIButton: UIView {
    /// How a button looks.
    public enum ButtonType: Sendable {
        case system
    }

    private var action: UIAction?

    /// Makes a button that does something.
    public convenience init(type: ButtonType, primaryAction: UIAction?) {
        self.init()
        action = primaryAction
    }

    /// What it says.
    public var currentTitle: String? { action?.title }

    /// Does what a tap does.
    public func sendPrimaryAction() {
        if let action { action.handler(action) }
    }

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
    /// Shows the window.
    public func makeKeyAndVisible() {}
}

/// A screen.
@preconcurrency @MainActor open class UIViewController: UIResponder {
    private var loadedView: UIView?

    /// Makes one.
    public override nonisolated init() { super.init() }
    /// Makes one whose view is in a file.
    public init(nibName: String?, bundle: Bundle?) { super.init() }
    /// Makes one of a file.
    public required init?(coder: NSCoder) { super.init() }

    /// What it shows; loaded when it is first asked for.
    public var view: UIView {
        get {
            loadViewIfNeeded()
            return loadedView ?? UIView()
        }
        set { loadedView = newValue }
    }

    /// Loads the view unless it is there.
    public func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        viewDidLoad()
    }

    /// Makes the view.
    open func loadView() { loadedView = UIView() }
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
@preconcurrency @MainActor open class UINavigationController: UIViewController {
    /// The screens; the last one is seen.
    public private(set) var viewControllers: [UIViewController] = []

    /// Replaces the screens, and loads the one that is seen.
    public func setViewControllers(_ controllers: [UIViewController], animated: Bool) {
        viewControllers = controllers
        controllers.last?.loadViewIfNeeded()
    }
}

/// A question to the user.
@preconcurrency @MainActor public final class UIAlertController: UIViewController {
    /// How it is asked.
    public enum Style: Sendable {
        case actionSheet, alert
    }

    /// Makes a question.
    public nonisolated init(title: String?, message: String?, preferredStyle: Style) { super.init() }
    /// Makes none.
    public required init?(coder: NSCoder) { nil }
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
