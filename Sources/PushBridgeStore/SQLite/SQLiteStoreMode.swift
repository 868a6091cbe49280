/// How a database is opened.
public enum SQLiteStoreMode: Sendable {
    /// Reads and writes; makes the store and its key if there is no store yet.
    case create
    /// Reads and writes a store that exists.
    case open
    /// Only reads a store that exists, and neither makes nor changes any file: works on read-only media.
    case readOnly
}
