/// A place in the project's documents, which reports name.
public struct DocumentPlace: Hashable, Sendable, CustomStringConvertible {
    /// A page that has such places, as its path in the repository.
    public enum Page: String, CaseIterable, Sendable {
        /// What becomes of each symbol.
        case symbols = "docs/symbols.md"
        /// What behaves otherwise on purpose.
        case divergences = "docs/divergences.md"
    }

    /// The page.
    public let page: Page
    /// The id of the place in the page.
    public let anchor: String

    /// The path and the anchor, as links spell them.
    public var description: String { "\(page.rawValue)#\(anchor)" }
}
