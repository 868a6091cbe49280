/// Receives the clients' messages at four levels.
///
/// The messages never contain a secret.
///
/// An app uses its own implementation or a logger of ``LogManager``. The methods are called on any thread.
public protocol Logger: Sendable {
    /// Logs a detail for debugging.
    /// - Parameter message: The message.
    func d(_ message: String)
    /// Logs an event.
    /// - Parameter message: The message.
    func i(_ message: String)
    /// Logs an unexpected event that was handled.
    /// - Parameters:
    ///   - message: The message.
    ///   - error: The error, if there is one. The description of the error contains no secret.
    func w(_ message: String, error: (any Error)?)
    /// Logs a failure.
    /// - Parameters:
    ///   - message: The message.
    ///   - error: The error, if there is one. The description of the error contains no secret.
    func e(_ message: String, error: (any Error)?)
}
