/// A place in a document of PushBridge, to which a report refers.
public struct DocumentPlace: Hashable, Sendable, CustomStringConvertible {
    /// A page to which reports refer; the raw value is the path of the page in the repository.
    public enum Page: String, CaseIterable, Sendable {
        /// The replacement of each symbol.
        case symbols = "docs/symbols.md"
        /// The intended differences in behaviour.
        case divergences = "docs/divergences.md"
    }

    /// The page that contains the place.
    public let page: Page
    /// The anchor of the place in the page.
    public let anchor: String

    /// The path and the anchor, in the form of a link.
    public var description: String { "\(page.rawValue)#\(anchor)" }
}
