/// The class of an archived object, as the archive describes it.
struct ArchivedClass {
    let list: PropertyListBytes
    let name: PropertyListText
    let ancestors: PropertyListReferences?

    /// Whether this is the class's name.
    func isCalled(_ spelling: String) -> Bool { list.says(spelling, name) }

    /// Whether the archive names `spelling` among the ancestors; it need not name any.
    func descends(from spelling: String) throws(PropertyListError) -> Bool {
        guard let ancestors else { return false }
        for position in 0..<ancestors.count {
            let ancestor = try list.token(at: list.reference(position, of: ancestors))
            if case .text(let text) = ancestor, list.says(spelling, text) { return true }
        }
        return false
    }

    /// The name as far as it may be shown; `nil` unless it is a class in a module.
    ///
    /// In a damaged archive the name may be any other text, even a secret, but no secret has a dot.
    var displayName: String? {
        let characters = list.bytes[name.range]
        guard
            name.encoding == .ascii,
            characters.contains(UInt8(ascii: ".")),
            characters.allSatisfy(\.isPartOfClassName)
        else { return nil }
        let start = String(decoding: characters.prefix(60), as: UTF8.self)
        return characters.count > 60 ? start + "…" : start
    }
}

extension UInt8 {
    fileprivate var isPartOfClassName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
