/// Hears what clients have to say, at four levels; never a secret.
///
/// An app hands in its own, or one of ``LogManager``'s. Called from any thread.
public protocol Logger: Sendable {
    /// Hears a detail that helps to find faults.
    func d(_ message: String)
    /// Hears what happened.
    func i(_ message: String)
    /// Hears of something unexpected that was dealt with.
    func w(_ message: String, error: (any Error)?)
    /// Hears of a failure.
    func e(_ message: String, error: (any Error)?)
}
