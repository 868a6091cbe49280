// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public protocol Logger: Sendable {
    func d(_ message: String)
    func i(_ message: String)
    func w(_ message: String, error: Error?)
    func e(_ message: String, error: Error?)
}

/// A stand-in for a type that both the successor SDK and PushBridge declare.
public enum LogManager {}
