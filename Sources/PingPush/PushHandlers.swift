public import PushBridgeCore

/// The app's own handlers.
///
/// A push is handled by the first handler that accepts it. Pushes that no handler accepts are handled with
/// PingAM's protocol.
///
/// A dictionary contains handlers by platform. The handler in `["PING_AM": handler]` replaces the built-in
/// handler: it also registers credentials, sends device tokens, and answers every push of the platform.
///
/// An array, as in `[CustomPushHandler()]`, contains handlers that only receive pushes and answer them. The name of
/// each of these handlers is the name of its type. Creating a client therefore throws an error if the array contains
/// two handlers of one type.
///
/// Each notification is stored with the name of its handler. A handler that answers pushes must therefore
/// have the same name after the next launch.
public struct PushHandlers: Sendable {
    private var entries: [(name: String, handler: any PushHandler)]
    /// The app's values that are not handlers.
    private var misfits: [(name: String, misfit: Misfit)] = []

    /// All values as an untyped dictionary, as in the SDK's configuration.
    ///
    /// If two handlers have the same name, the dictionary contains only the first handler. Creating a client
    /// then throws an error.
    var byName: [String: Any] {
        let misfits = misfits.map { ($0.name, $0.misfit.value) }
        return Dictionary(entries.map { ($0.name, $0.handler) } + misfits) { first, _ in first }
    }

    /// Creates the collection from handlers that only receive and answer the pushes that they accept.
    /// - Parameter handlers: The handlers, in the order in which they are called.
    public init(_ handlers: [any PushHandler]) {
        entries = handlers.map { (Self.name(of: type(of: $0)), $0) }
    }

    /// Creates the collection from handlers by platform; the handlers are called in the order of the platforms' names.
    ///
    /// The values are untyped, as in the SDK's configuration.
    /// - Parameter handlers: The handlers by the platform's name. Creating a client throws an error if a
    ///   value is not a ``PushHandler``.
    public init(_ handlers: [String: Any]) {
        entries = []
        for (name, handler) in handlers.sorted(by: { $0.key < $1.key }) { add(handler, name) }
    }

    /// Creates the collection from handlers by platform.
    /// - Parameter handlers: The handlers.
    public init(_ handlers: [PushPlatform: any PushHandler]) {
        entries = handlers.map { ($0.key.rawValue, $0.value) }
    }

    /// Whether there are no values.
    public var isEmpty: Bool { count == 0 }
    /// The number of values, including those that are not handlers.
    public var count: Int { entries.count + misfits.count }

    /// The handler of a platform, or any other value that the app set for the platform.
    ///
    /// Setting `nil` removes the value.
    /// - Parameter name: The platform's name. PingAM has several names, which all identify the same platform.
    /// - Returns: The value; `nil` if there is none.
    public subscript(name: String) -> Any? {
        get { handler(named: name) ?? misfits.first { Self.isSame($0.name, name) }?.misfit.value }
        set {
            entries.removeAll { Self.isSame($0.name, name) }
            misfits.removeAll { Self.isSame($0.name, name) }
            if let newValue { add(newValue, name) }
        }
    }

    /// The handler of a platform, or any other value that the app set for the platform.
    ///
    /// Setting `nil` removes the value.
    /// - Parameter platform: The platform.
    /// - Returns: The value; `nil` if there is none.
    public subscript(platform: PushPlatform) -> Any? {
        get { self[platform.rawValue] }
        set { self[platform.rawValue] = newValue }
    }

    /// Adds handlers by platform, like `Dictionary.merge`.
    ///
    /// The values are untyped, because existing call sites merge a dictionary into the SDK's configuration.
    /// - Parameters:
    ///   - other: The handlers to add, by the platform's name.
    ///   - combine: Chooses between the existing value and the new value.
    /// - Throws: The errors of `combine`.
    public mutating func merge(
        _ other: [String: Any],
        uniquingKeysWith combine: (Any, Any) throws -> Any
    ) rethrows {
        for (name, value) in other.sorted(by: { $0.key < $1.key }) {
            self[name] = try self[name].map { try combine($0, value) } ?? value
        }
    }

    /// Returns a copy of this collection with further handlers; see ``merge(_:uniquingKeysWith:)``.
    /// - Parameters:
    ///   - other: The handlers to add, by the platform's name.
    ///   - combine: Chooses between the existing value and the new value.
    /// - Returns: All handlers.
    /// - Throws: The errors of `combine`.
    public func merging(
        _ other: [String: Any],
        uniquingKeysWith combine: (Any, Any) throws -> Any
    ) rethrows -> PushHandlers {
        var merged = self
        try merged.merge(other, uniquingKeysWith: combine)
        return merged
    }

    /// Returns the handler with a name.
    ///
    /// PingAM has several names, which all identify the same handler.
    func handler(named name: String) -> (any PushHandler)? {
        entries.first { Self.isSame($0.name, name) }?.handler
    }

    func handler(of platform: PushPlatform) -> (any PushHandler)? { handler(named: platform.rawValue) }

    /// The platforms that have handlers.
    ///
    /// The handler of a platform also answers the platform's pushes that no handler has parsed.
    var platforms: Set<PushPlatform> { Set(entries.compactMap { PushPlatform(name: $0.name) }) }

    private static func isSame(_ name: String, _ other: String) -> Bool {
        name == other || PushPlatform(name: name).map { $0 == PushPlatform(name: other) } ?? false
    }

    private mutating func add(_ handler: Any, _ name: String) {
        if let handler = handler as? any PushHandler {
            entries.append((name, handler))
        } else {
            misfits.append((name, Misfit(value: handler)))
        }
    }

    /// Returns a type's name, without the memory address that the name of a private type contains.
    ///
    /// The address differs at the next launch.
    private static func name(of type: any PushHandler.Type) -> String {
        String(reflecting: type).replacing(#/\(unknown context at [^)]*\)\./#, with: "")
    }

    /// Throws an error if a name is empty or not unique, or if a value is not a handler.
    func check() throws(PushError) {
        if let name = misfits.first?.name { throw .noHandlerForPlatform(name) }
        for (index, entry) in entries.enumerated() {
            guard !entry.name.isEmpty else { throw .invalidPlatform(entry.name) }
            guard let same = entries[..<index].firstIndex(where: { Self.isSame($0.name, entry.name) }) else {
                continue
            }
            throw .initializationFailed(
                "The handlers \(same + 1) (\(entries[same].name)) and \(index + 1) (\(entry.name)) have the "
                    + "same name; pass a dictionary with a unique name for each handler."
            )
        }
    }

    /// Returns the result of the first handler that accepts a payload; `nil` if no handler accepts it.
    ///
    /// The argument is untyped, as in the handlers' protocol. ``HandledMessage`` validates the result.
    func parse(messageData: [String: Any]) throws -> HandledMessage? {
        guard let entry = entries.first(where: { $0.handler.canHandle(messageData: messageData) }) else {
            return nil
        }
        return try HandledMessage(entry.handler.parseMessage(messageData: messageData), from: entry.name)
    }

    /// Returns the result of the first handler that accepts a push in the form of text; `nil` if no handler accepts it.
    func parse(message: String) throws -> HandledMessage? {
        guard let entry = entries.first(where: { $0.handler.canHandle(message: message) }) else { return nil }
        return try HandledMessage(entry.handler.parseMessage(message: message), from: entry.name)
    }
}

/// An app's value that is not a handler.
///
/// The conformance to `Sendable` is unchecked, because the value is only returned to the app.
private struct Misfit: @unchecked Sendable {
    let value: Any
}

extension PushHandlers: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Creates the collection from handlers that only receive and answer the pushes that they accept.
    /// - Parameter handlers: The handlers, in the order in which they are called.
    public init(arrayLiteral handlers: any PushHandler...) {
        self.init(handlers)
    }

    /// Creates the collection from handlers by platform.
    /// - Parameter handlers: The names and the handlers, in the order in which they are called.
    public init(dictionaryLiteral handlers: (String, Any)...) {
        entries = []
        for (name, handler) in handlers { add(handler, name) }
    }
}
