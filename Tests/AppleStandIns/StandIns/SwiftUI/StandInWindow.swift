public import Foundation

/// The content of a screen, for tests; this is not part of Apple's framework.
@MainActor public final class StandInPage {
    /// The title of the screen.
    public internal(set) var title = ""
    /// The texts, from top to bottom.
    public private(set) var lines: [String] = []
    /// The question or message over the screen; `nil` if there is none.
    public private(set) var alert: StandInPage?
    /// The titles of the buttons and rows.
    public var buttons: [String] { actions.map(\.title) }

    var destinations: [ObjectIdentifier: (Any) -> (any View)?] = [:]
    var changes: [(value: Any, isInitial: Bool, act: (Any?) -> Void)] = []
    var onOpenURL: ((URL) -> Void)?
    var open: ((any Hashable) -> Void)?
    private var actions: [(title: String, act: () -> Void)] = []
    private var fields: [(title: String, text: Binding<String>)] = []

    init() {}

    /// Taps a button or a row.
    /// - Parameter title: The title of the button or row.
    /// - Returns: Whether the screen has a button or row with this title.
    @discardableResult
    public func press(_ title: String) -> Bool {
        guard let action = actions.first(where: { $0.title == title }) else { return false }
        action.act()
        return true
    }

    /// Types a text into a field; does nothing if the screen has no field with this title.
    /// - Parameters:
    ///   - text: The text.
    ///   - title: The field's title.
    public func enter(_ text: String, into title: String) {
        fields.first { $0.title == title }?.text.wrappedValue = text
    }

    func add(line: String) { lines.append(line) }
    func add(button title: String, _ act: @escaping () -> Void) { actions.append((title, act)) }
    func add(field title: String, _ text: Binding<String>) { fields.append((title, text)) }

    func destination(for value: some Hashable) -> (any View)? {
        destinations[ObjectIdentifier(type(of: value))]?(value)
    }

    /// Shows a question over the screen, unless the screen already shows a question.
    func present(
        _ title: String,
        _ message: some View,
        _ answers: some View,
        _ dismiss: @escaping () -> Void
    ) {
        guard alert == nil else { return }
        let alert = StandInPage()
        alert.title = title
        alert.draw(message)
        alert.draw(answers)
        // Each button also closes the alert, and does so before its action. SwiftUI does not document the order; with
        // this order, a test fails if the action needs a value that is removed when the alert is closed.
        alert.actions = alert.actions.map { action in
            (
                action.title,
                {
                    dismiss()
                    action.act()
                }
            )
        }
        self.alert = alert
    }
}

/// The first window of an app, for tests; this is not part of Apple's framework.
///
/// The window does not observe the app's objects: each access to ``page`` draws the window again.
@MainActor public final class StandInWindow {
    static weak var last: StandInWindow?

    var environment = EnvironmentValues()
    private let app: any App
    private var former: [Any?] = []

    /// Opens a window.
    public init(_ app: any App) {
        self.app = app
        Self.last = self
    }

    /// The visible screen; each access draws it, and calls the `onChange` actions of the values that changed.
    public var page: StandInPage {
        let page = StandInPage()
        page.draw(Self.content(of: app))
        for (number, change) in page.changes.enumerated() {
            let old = number < former.count ? former[number] : nil
            if former.count == number { former.append(nil) }
            former[number] = change.value
            let isSame = old.map { isEqual($0, change.value) } ?? !change.isInitial
            if !isSame { change.act(old) }
        }
        return page
    }

    /// Sets the state of the scene, as the system does.
    public func enter(_ phase: ScenePhase) {
        EnvironmentValues.current.scenePhase = phase
        _ = page
    }

    /// Opens a link, as the system does.
    public func open(_ url: URL) { page.onOpenURL?(url) }

    private static func content(of app: some App) -> any View { app.body.content }

    private func isEqual(_ one: Any, _ other: Any) -> Bool {
        guard let one = one as? any Equatable else { return false }
        return one.isEqual(to: other)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
