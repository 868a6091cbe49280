import Foundation

/// One case of an error, as the article `Errors` lists the case and as `NSError` represents it.
public struct ErrorRow: Hashable, CustomStringConvertible, Sendable {
    /// The module and the type.
    public let type: String
    /// The domain that the error has as an `NSError`.
    public let domain: String
    /// The name of the case.
    public let name: String
    /// The number that the error has as an `NSError`.
    public let number: Int

    /// The row of an error.
    /// - Parameter error: Any case of an enum.
    public init(_ error: any Error) {
        type = String(reflecting: Swift.type(of: error))
        domain = (error as NSError).domain
        name = Mirror(reflecting: error).children.first?.label ?? "\(error)"
        number = (error as NSError).code
    }

    private init(type: String, domain: String, name: String, number: Int) {
        (self.type, self.domain, self.name, self.number) = (type, domain, name, number)
    }

    /// The row as one line, for the message of a failed expectation.
    public var description: String { "\(type).\(name): \(domain) \(number)" }

    /// Returns the rows of the page, which `Scripts/checks/tables errors` writes from the sources.
    /// - Parameter modules: The modules whose errors are returned.
    /// - Returns: Every case of every error.
    /// - Throws: Foundation's error if the page cannot be read.
    public static func page(of modules: Set<String>) throws -> Set<ErrorRow> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let page = root.deletingLastPathComponent().appendingPathComponent(
            "Sources/FRAuthenticator/FRAuthenticator.docc/Errors.md"
        )
        var rows: Set<ErrorRow> = []
        var (type, domain) = ("", "")
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            if let match = line.wholeMatch(of: /## `(.+)`/) { type = String(match.1) }
            if let match = line.prefixMatch(of: /Domain `([^`]+)`/) { domain = String(match.1) }
            guard modules.contains(String(type.prefix { $0 != "." })),
                let match = line.prefixMatch(of: /\| `(\w+)` \| (\d+) \|/), let number = Int(match.2)
            else { continue }
            rows.insert(ErrorRow(type: type, domain: domain, name: String(match.1), number: number))
        }
        return rows
    }
}
