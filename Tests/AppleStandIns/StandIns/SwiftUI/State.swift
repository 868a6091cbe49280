/// A value that a view reads and writes, and that is stored outside the view.
@preconcurrency @MainActor @propertyWrapper public struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    /// Creates a binding.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        (read, write) = (get, set)
    }

    /// The value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }
}

/// A value that a view owns.
///
/// In the stand-in, the state lives as long as the view's value, so each drawing starts with a new state.
@preconcurrency @MainActor @propertyWrapper public struct State<Value> {
    private final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private let box: Box

    /// Creates the state of a new view.
    public init(wrappedValue: Value) { box = Box(wrappedValue) }

    /// The value.
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> {
        let box = box
        return Binding(get: { box.value }, set: { box.value = $0 })
    }
}

/// Makes bindings to the properties of an observable object.
@preconcurrency @MainActor @propertyWrapper @dynamicMemberLookup public struct Bindable<Value: AnyObject> {
    /// The object.
    public let wrappedValue: Value

    /// Wraps an object.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// The wrapper itself.
    public var projectedValue: Bindable<Value> { self }

    /// A binding to a property.
    public subscript<Member>(
        dynamicMember path: ReferenceWritableKeyPath<Value, Member>
    ) -> Binding<Member> {
        let object = wrappedValue
        return Binding(get: { object[keyPath: path] }, set: { object[keyPath: path] = $0 })
    }
}

/// The values that a view reads from its environment.
@preconcurrency @MainActor public struct EnvironmentValues {
    /// The environment of the window that was opened last.
    ///
    /// A test has one window.
    static var current: EnvironmentValues {
        get { StandInWindow.last?.environment ?? EnvironmentValues() }
        set { StandInWindow.last?.environment = newValue }
    }

    /// The state of the scene.
    public var scenePhase = ScenePhase.background
    var objects: [ObjectIdentifier: AnyObject] = [:]
}

/// Reads a value of the environment.
@preconcurrency @MainActor @propertyWrapper public struct Environment<Value> {
    private let read: () -> Value

    /// Reads the value at a key path.
    public init(_ path: KeyPath<EnvironmentValues, Value>) {
        read = { EnvironmentValues.current[keyPath: path] }
    }

    /// Reads the object of this type that an enclosing view provides.
    public init(_ type: Value.Type) where Value: AnyObject {
        read = {
            guard let object = EnvironmentValues.current.objects[ObjectIdentifier(type)] as? Value else {
                preconditionFailure("SwiftUI ends an app whose environment lacks an object of \(type).")
            }
            return object
        }
    }

    /// The value.
    public var wrappedValue: Value { read() }
}
