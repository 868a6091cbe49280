/// A store that lives as long as the process, for tests and for rehearsals.
public final class MemoryCredentialStore: CredentialStore {
    private let contents = Lock(MemoryContents())
    private let signal = ChangeSignal()

    /// Creates an empty store.
    public init() {}

    /// Calls `body` with a consistent view.
    public func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try body(MemoryView(contents.withValue { $0 }))
    }

    /// Calls `body` with a view whose changes take effect if it does not throw.
    ///
    /// Writers wait for each other.
    public func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        let value = try contents.withValue { contents in
            let view = MemoryView(contents)
            let value = try body(view)
            contents = view.contents
            return value
        }
        signal.send()
        return value
    }

    /// One element after every write.
    public var changes: AsyncStream<Void> { signal.stream() }
}
