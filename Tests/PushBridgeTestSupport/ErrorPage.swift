import Foundation

/// One case of an error, as the article `Errors` lists the case and as `NSError` represents it.
public struct ErrorRow: Hashable, CustomStringConvertible, Sendable {
    /// The module and the type.
    public let type: String
    /// The domain that the error has as an `NSError`.
    public let domain: String
    /// The name of the case, or of the code of a structure.
    public let name: String
    /// The number that the error has as an `NSError`.
    public let number: Int
    /// The keys of the error's `userInfo`.
    public let keys: Set<String>
    /// Whether the case can contain an underlying error.
    public let hasCause: Bool

    /// Creates the row of an error.
    /// - Parameter error: Any case of an enum, or a structure with a code. The error must have a value for each of
    ///   its keys.
    public init(_ error: any Error) {
        let mirror = Mirror(reflecting: error)
        type = String(reflecting: Swift.type(of: error))
        domain = (error as NSError).domain
        name = Self.code(of: mirror) ?? mirror.children.first?.label ?? "\(error)"
        number = (error as NSError).code
        keys = Self.keys(of: error)
        let values = mirror.children.map { "\(Swift.type(of: $0.value))" }
        hasCause =
            keys.contains(NSUnderlyingErrorKey)
            || mirror.displayStyle == .enum && values.contains { $0.contains("Error") }
    }

    private init(
        type: String,
        domain: String,
        name: String,
        number: Int,
        keys: Set<String>,
        hasCause: Bool
    ) {
        (self.type, self.domain, self.name, self.number) = (type, domain, name, number)
        (self.keys, self.hasCause) = (keys, hasCause)
    }

    private static func code(of mirror: Mirror) -> String? {
        guard mirror.displayStyle == .struct, let code = mirror.descendant("code") else { return nil }
        return Mirror(reflecting: code).children.first?.value as? String ?? "\(code)"
    }

    /// Returns the keys of an error's user info, read from the error itself.
    ///
    /// Apple's `NSError` contains the strings of a `LocalizedError` only on request.
    private static func keys(of error: any Error) -> Set<String> {
        var keys: Set<String> = []
        if let error = error as? any CustomNSError { keys.formUnion(error.errorUserInfo.keys) }
        if let error = error as? any LocalizedError {
            if error.errorDescription != nil { keys.insert(NSLocalizedDescriptionKey) }
            if error.failureReason != nil { keys.insert(NSLocalizedFailureReasonErrorKey) }
            if error.recoverySuggestion != nil { keys.insert(NSLocalizedRecoverySuggestionErrorKey) }
        }
        return keys
    }

    /// Returns the keys that a list on the page names.
    private static func keys(in list: Substring) -> Set<String> {
        Set(list.matches(of: /`([^`]+)`/).map { key(named: String($0.1)) })
    }

    /// Returns the key with this name; for Foundation's keys, the page contains the names of the constants.
    private static func key(named name: String) -> String {
        switch name {
        case "NSLocalizedDescriptionKey": NSLocalizedDescriptionKey
        case "NSLocalizedFailureReasonErrorKey": NSLocalizedFailureReasonErrorKey
        case "NSLocalizedRecoverySuggestionErrorKey": NSLocalizedRecoverySuggestionErrorKey
        case "NSUnderlyingErrorKey": NSUnderlyingErrorKey
        default: name
        }
    }

    /// The row as one line, for the message of a failed expectation.
    public var description: String {
        "\(type).\(name): \(domain) \(number) \(keys.sorted()) \(hasCause ? "with" : "without") a cause"
    }

    /// Returns the rows of the page, which `Scripts/checks/document-tables errors` writes from the sources.
    /// - Parameter modules: The modules whose errors are returned.
    /// - Returns: Every case of every error.
    /// - Throws: Foundation's error if the page cannot be read.
    public static func page(of modules: Set<String>) throws -> Set<ErrorRow> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let page = root.deletingLastPathComponent().appendingPathComponent(
            "Sources/FRAuthenticator/FRAuthenticator.docc/Errors.md"
        )
        var rows: Set<ErrorRow> = []
        var (type, domain, common) = ("", "", Set<String>())
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            if let match = line.wholeMatch(of: /## `(.+)`/) { type = String(match.1) }
            if let match = line.firstMatch(of: /\. Domain `([^`]+)`; keys: (.+)$/) {
                (domain, common) = (String(match.1), Self.keys(in: match.2))
            }
            guard modules.contains(String(type.prefix { $0 != "." })),
                let match = line.wholeMatch(
                    of: /\| `(\w+)` \| (\d+) \| (.+?)(?: Further keys: (`.+`)\.)? \|/
                ),
                let number = Int(match.2)
            else { continue }
            let row = ErrorRow(
                type: type,
                domain: domain,
                name: String(match.1),
                number: number,
                keys: common.union(Self.keys(in: match.4 ?? "")),
                hasCause: match.3.contains(" Underlying error: ")
            )
            rows.insert(row)
        }
        return rows
    }
}
