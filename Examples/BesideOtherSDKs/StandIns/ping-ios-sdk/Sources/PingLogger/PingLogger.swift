// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Stands in for a type that both packages have.
public protocol Logger: Sendable {
    func d(_ message: String)
    func i(_ message: String)
    func w(_ message: String, error: Error?)
    func e(_ message: String, error: Error?)
}

/// Stands in for a type that both packages have.
public enum LogManager {}
