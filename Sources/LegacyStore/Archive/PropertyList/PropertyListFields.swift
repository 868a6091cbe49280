/// The entries of a dictionary, ready to be looked up by their keys' ASCII bytes.
///
/// Of a repeated key the first entry counts.
struct PropertyListFields {
    private let list: PropertyListBytes
    private let values: PropertyListReferences
    private var names: [Range<Int>] = []

    /// Reads the keys of a dictionary and leaves the values alone; `nil` for any other object.
    init?(_ list: PropertyListBytes, _ token: PropertyListToken) throws(PropertyListError) {
        guard case .dictionary(let keys, let values) = token else { return nil }
        self.list = list
        self.values = values
        names.reserveCapacity(keys.count)
        for position in 0..<keys.count {
            let key = try list.token(at: list.reference(position, of: keys))
            if case .text(let text) = key, text.encoding == .ascii {
                names.append(text.range)
            } else {
                names.append(0..<0)
            }
        }
    }

    /// Reads the value for a key, or answers `nil` if there is none; `key` is ASCII and not empty.
    func token(_ key: String) throws(PropertyListError) -> PropertyListToken? {
        var key = key
        let position = key.withUTF8 { key in names.firstIndex { list.bytes.holds(key, at: $0) } }
        guard let position else { return nil }
        return try list.token(at: list.reference(position, of: values))
    }
}
