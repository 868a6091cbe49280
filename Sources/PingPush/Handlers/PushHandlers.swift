/// The app's own handlers; each is asked, in order, whether it takes a push before PingAM's protocol is.
///
/// A dictionary names the platforms: `["PING_AM": handler]` also registers credentials and delivers device tokens in
/// place of the built-in handler. An array, as in `[CustomPushHandler()]`, takes pushes and answers them; its handlers
/// are known by their types' names. The name is stored with each notification, so a handler that answers pushes
/// has to be configured under the same name after the next launch as well. A variable is handed over as
/// `PushHandlers(variable)`.
public struct PushHandlers: Sendable {
    private var entries: [(name: String, handler: any PushHandler)]

    /// Handlers for all pushes that they take.
    public init(_ handlers: [any PushHandler]) {
        entries = handlers.map { (String(reflecting: type(of: $0)), $0) }
    }

    /// Handlers by platform, asked in the order of its name.
    public init(_ handlers: [String: any PushHandler]) {
        entries = handlers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Handlers by platform.
    public init(_ handlers: [PushPlatform: any PushHandler]) {
        self.init(Dictionary(uniqueKeysWithValues: handlers.map { ($0.key.rawValue, $0.value) }))
    }

    subscript(name: String) -> (any PushHandler)? {
        entries.first { $0.name == name }?.handler
    }

    subscript(platform: PushPlatform) -> (any PushHandler)? { self[platform.rawValue] }

    /// Throws for names that are empty or not unique.
    func check() throws(PushError) {
        var known: Set<String> = []
        for entry in entries {
            guard !entry.name.isEmpty, known.insert(entry.name).inserted else {
                throw .invalidPlatform(entry.name)
            }
        }
    }

    /// What the first handler that takes a payload makes of it; `nil` if none does.
    func parse(messageData: [String: Any]) throws -> HandledMessage? {
        guard let entry = entries.first(where: { $0.handler.canHandle(messageData: messageData) }) else {
            return nil
        }
        return try HandledMessage(entry.handler.parseMessage(messageData: messageData), from: entry.name)
    }

    /// What the first handler that takes a text makes of it; `nil` if none does.
    func parse(message: String) throws -> HandledMessage? {
        guard let entry = entries.first(where: { $0.handler.canHandle(message: message) }) else { return nil }
        return try HandledMessage(entry.handler.parseMessage(message: message), from: entry.name)
    }
}

extension PushHandlers: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Handlers for all pushes that they take.
    public init(arrayLiteral handlers: any PushHandler...) {
        self.init(handlers)
    }

    /// Handlers by platform, asked in the order they are written in.
    public init(dictionaryLiteral handlers: (String, any PushHandler)...) {
        entries = handlers.map { ($0.0, $0.1) }
    }
}
