public import Logging

/// The logger that clients use unless told otherwise.
public enum LogManager {
    /// Goes to the backend that the app chose for swift-log.
    public static let logger = Logger(label: "Ping")
}
