/// One piece of an XML document.
struct XMLToken {
    enum Kind: Equatable {
        /// An opening tag; an empty element is followed by its closing tag.
        case start(String)
        /// A closing tag.
        case end(String)
        /// Text between tags, entities replaced.
        case text([UInt8])
        /// A comment, a declaration or a processing instruction.
        case aside
    }

    let kind: Kind
    /// Where it lies in the file; the closing tag of an empty element lies nowhere.
    let extent: Range<Int>

    var isBlank: Bool {
        guard case .text(let bytes) = kind else { return kind == .aside }
        return bytes.allSatisfy(\.isJSONSpace)
    }
}
