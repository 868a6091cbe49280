public import Foundation
public import Observation

/// A part of the user interface.
@preconcurrency @MainActor public protocol View {
    /// The type of the view's content.
    associatedtype Body: View
    /// The content.
    @ViewBuilder var body: Body { get }
}

/// A view without a body, which draws itself on a page.
@MainActor protocol Drawn {
    func draw(on page: StandInPage)
}

/// A view that a closure draws; the builders and the view modifiers of the stand-in return such views.
@preconcurrency @MainActor public struct DrawnView: View, Drawn {
    private let drawing: (StandInPage) -> Void

    init(_ drawing: @escaping (StandInPage) -> Void) { self.drawing = drawing }

    /// The view itself: the stand-in draws it without its body.
    public var body: DrawnView { self }

    func draw(on page: StandInPage) { drawing(page) }
}

extension StandInPage {
    /// Draws a view.
    func draw(_ view: some View) {
        if let view = view as? any Drawn { view.draw(on: self) } else { draw(view.body) }
    }
}

/// Builds the content of a view.
@MainActor @resultBuilder public struct ViewBuilder {
    /// Returns the view.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    /// Returns a view that draws several views.
    public static func buildBlock(_ content: any View...) -> DrawnView {
        DrawnView { page in for view in content { page.draw(view) } }
    }
    /// Returns a view that draws the content, or nothing if the content is missing.
    public static func buildOptional(_ content: (any View)?) -> DrawnView {
        DrawnView { page in if let content { page.draw(content) } }
    }
    /// Returns a view that draws the first of two alternatives.
    public static func buildEither(first: any View) -> DrawnView { DrawnView { $0.draw(first) } }
    /// Returns a view that draws the second of two alternatives.
    public static func buildEither(second: any View) -> DrawnView { DrawnView { $0.draw(second) } }
}

/// A line of text.
@preconcurrency @MainActor public struct Text: View, Drawn {
    let content: String

    /// Makes a line with a text.
    public init(_ content: String) { self.content = content }

    /// The view itself.
    public var body: Text { self }

    func draw(on page: StandInPage) { page.add(line: content) }
}

/// The meaning of a button.
public enum ButtonRole: Sendable {
    case cancel, destructive
}

/// A button.
@preconcurrency @MainActor public struct Button: View, Drawn {
    private let title: String
    private let action: @MainActor () -> Void

    /// Makes a button.
    public init(_ title: String, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
        (self.title, self.action) = (title, action)
    }

    /// The view itself.
    public var body: Button { self }

    func draw(on page: StandInPage) { page.add(button: title, action) }
}

/// A field for a line of text.
@preconcurrency @MainActor public struct TextField: View, Drawn {
    private let title: String
    private let text: Binding<String>

    /// Makes a field.
    public init(_ title: String, text: Binding<String>) { (self.title, self.text) = (title, text) }

    /// The view itself.
    public var body: TextField { self }

    func draw(on page: StandInPage) { page.add(field: title, text) }
}

/// Rows, one below the other.
@preconcurrency @MainActor public struct List: View, Drawn {
    private let content: any View

    /// Makes a list.
    public init(@ViewBuilder content: () -> some View) { self.content = content() }

    /// The view itself.
    public var body: List { self }

    func draw(on page: StandInPage) { page.draw(content) }
}

/// Rows of a list under a title.
@preconcurrency @MainActor public struct Section: View, Drawn {
    private let title: String
    private let content: any View

    /// Makes a section.
    public init(_ title: String, @ViewBuilder content: () -> some View) {
        (self.title, self.content) = (title, content())
    }

    /// The view itself.
    public var body: Section { self }

    func draw(on page: StandInPage) { page.draw(content) }
}

/// Views, one for each element of a collection.
@preconcurrency @MainActor public struct ForEach<Data: RandomAccessCollection>: View, Drawn {
    private let views: [any View]

    /// Makes a view for each element of identifiable data.
    public init(_ data: Data, @ViewBuilder content: (Data.Element) -> some View)
    where Data.Element: Identifiable {
        views = data.map { content($0) }
    }

    /// Makes a view for each element; the value at `id` identifies an element.
    public init<ID: Hashable>(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: (Data.Element) -> some View
    ) {
        views = data.map { content($0) }
    }

    /// The view itself.
    public var body: ForEach<Data> { self }

    func draw(on page: StandInPage) { for view in views { page.draw(view) } }
}

/// Shows a root screen and the screens that were opened from it.
@preconcurrency @MainActor public struct NavigationStack<Element: Hashable>: View, Drawn {
    private let path: Binding<[Element]>
    private let root: any View

    /// Makes a stack that shows one screen for each value of the path, above the root screen.
    public init(path: Binding<[Element]>, @ViewBuilder root: () -> some View) {
        (self.path, self.root) = (path, root())
    }

    /// The view itself.
    public var body: NavigationStack<Element> { self }

    func draw(on page: StandInPage) {
        let path = path
        page.open = { value in if let value = value as? Element { path.wrappedValue.append(value) } }
        guard let top = path.wrappedValue.last else { return page.draw(root) }
        // Draws the root as well, on a hidden page, because the root declares the destinations.
        let hidden = StandInPage()
        hidden.draw(root)
        guard let screen = hidden.destination(for: top) else { return }
        page.draw(screen)
    }
}

/// A row that opens a screen.
@preconcurrency @MainActor public struct NavigationLink: View, Drawn {
    private let title: String
    private let value: any Hashable

    /// Makes a row for a value, which a `navigationDestination` shows.
    public init(_ title: String, value: some Hashable) { (self.title, self.value) = (title, value) }

    /// The view itself.
    public var body: NavigationLink { self }

    func draw(on page: StandInPage) {
        let (open, value) = (page.open, value)
        page.add(button: title) { open?(value) }
    }
}

extension View {
    /// Sets the title of the screen.
    public func navigationTitle(_ title: String) -> some View {
        DrawnView { page in
            page.title = title
            page.draw(self)
        }
    }

    /// Declares the screen that a stack shows for values of a type.
    public func navigationDestination<Value: Hashable>(
        for data: Value.Type,
        @ViewBuilder destination: @escaping (Value) -> some View
    ) -> some View {
        DrawnView { page in
            page.destinations[ObjectIdentifier(data)] = { ($0 as? Value).map { destination($0) } }
            page.draw(self)
        }
    }

    /// Provides an object to the views that this view contains.
    public func environment<Value: AnyObject & Observable>(_ object: Value?) -> some View {
        DrawnView { page in
            EnvironmentValues.current.objects[ObjectIdentifier(Value.self)] = object
            page.draw(self)
        }
    }

    /// Calls an action when a value has changed; if `initial` is true, also at the first drawing.
    public func onChange<Value: Equatable>(
        of value: Value,
        initial: Bool = false,
        _ action: @escaping @MainActor (_ old: Value, _ new: Value) -> Void
    ) -> some View {
        DrawnView { page in
            page.changes.append((value, initial, { old in action(old as? Value ?? value, value) }))
            page.draw(self)
        }
    }

    /// Sets the action for links that the system asks the app to open.
    public func onOpenURL(perform action: @escaping @MainActor (URL) -> Void) -> some View {
        DrawnView { page in
            page.onOpenURL = action
            page.draw(self)
        }
    }

    /// Shows a question or a message about a value over the screen.
    public func alert<Value>(
        _ title: String,
        isPresented: Binding<Bool>,
        presenting value: Value?,
        @ViewBuilder actions: @escaping (Value) -> some View,
        @ViewBuilder message: @escaping (Value) -> some View
    ) -> some View {
        DrawnView { page in
            page.draw(self)
            guard isPresented.wrappedValue, let value else { return }
            page.present(title, message(value), actions(value)) { isPresented.wrappedValue = false }
        }
    }
}
