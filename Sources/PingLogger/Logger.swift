/// Receives the clients' messages at four levels; never a secret.
///
/// An app hands in its own, or one of ``LogManager``'s. Called from any thread.
public protocol Logger: Sendable {
    /// Logs a detail that helps to find faults.
    /// - Parameter message: The message.
    func d(_ message: String)
    /// Logs what happened.
    /// - Parameter message: The message.
    func i(_ message: String)
    /// Logs something unexpected that was dealt with.
    /// - Parameters:
    ///   - message: The message.
    ///   - error: The error, if there is one; its description holds no secret.
    func w(_ message: String, error: (any Error)?)
    /// Logs a failure.
    /// - Parameters:
    ///   - message: The message.
    ///   - error: The error, if there is one; its description holds no secret.
    func e(_ message: String, error: (any Error)?)
}
