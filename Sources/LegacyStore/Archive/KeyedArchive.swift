/// An archive of one object in the layout of Foundation's keyed archiver.
///
/// The archive is valid only as long as its bytes are valid.
struct KeyedArchive {
    static let archiver = "NSKeyedArchiver"
    /// The only existing version of the layout.
    static let version: Int64 = 100_000
    /// The string in object 0; a reference to this object means `nil`.
    static let null = "$null"

    let list: PropertyListBytes
    private let objects: PropertyListReferences
    private let root: UInt64

    /// Reads the archive's top-level dictionary; returns `nil` if the property list is not a keyed archive.
    init?(_ bytes: UnsafeRawBufferPointer) throws(PropertyListError) {
        list = try PropertyListBytes(bytes)
        let rootToken = try list.token(at: list.layout.root)
        guard
            let frame = try PropertyListFields(list, rootToken),
            case .text(let archiver)? = try frame.token(.archiver), list.matches(Self.archiver, archiver),
            case .integer(Self.version)? = try frame.token(.version),
            case .array(let objects)? = try frame.token(.objects),
            let top = try frame.token(.top),
            case .uid(let root)? = try PropertyListFields(list, top)?.token(.root)
        else { return nil }
        self.objects = objects
        self.root = root
    }

    /// Returns the archived object; `nil` if the root has no fields or no class.
    func rootObject() throws(PropertyListError) -> ArchivedObject? {
        guard
            let fields = try fields(of: .uid(root)),
            let classToken = try fields.token(.class),
            let description = try self.fields(of: classToken),
            case .text(let name)? = try description.token(.className)
        else { return nil }
        var ancestors: PropertyListReferences?
        if case .array(let references)? = try description.token(.ancestors) { ancestors = references }
        let archivedClass = ArchivedClass(list: list, name: name, ancestors: ancestors)
        return ArchivedObject(archive: self, class: archivedClass, fields: fields)
    }

    /// Returns the object to which a reference points; `nil` for null.
    ///
    /// A value that is not a reference is returned unchanged.
    func resolve(_ token: PropertyListToken) throws(PropertyListError) -> PropertyListToken? {
        switch token {
        case .null, .uid(0): return nil
        case .uid(let number):
            guard number < objects.count else { throw .danglingReference }
            return try list.token(at: list.reference(Int(number), of: objects))
        default: return token
        }
    }

    /// Returns the fields of the dictionary to which a value refers; `nil` if the value refers to anything else.
    func fields(of token: PropertyListToken) throws(PropertyListError) -> PropertyListFields? {
        guard let dictionary = try resolve(token) else { return nil }
        return try PropertyListFields(list, dictionary)
    }
}

extension PropertyListFields {
    func token(_ key: KeyedArchiveKey) throws(PropertyListError) -> PropertyListToken? {
        try token(key.rawValue)
    }
}

/// The keys of a keyed archive's own structure.
enum KeyedArchiveKey: String, CaseIterable {
    case archiver = "$archiver"
    case version = "$version"
    case top = "$top"
    case root = "root"
    case objects = "$objects"
    case `class` = "$class"
    case className = "$classname"
    case ancestors = "$classes"
    case string = "NS.string"
}

/// The entries of a dictionary; an entry is found by the ASCII bytes of its key.
///
/// If several entries have the same key, the first of them is used.
struct PropertyListFields {
    private let list: PropertyListBytes
    private let values: PropertyListReferences
    private var names: [Range<Int>] = []

    /// Reads the keys of a dictionary, but not its values; returns `nil` if the object is not a dictionary.
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

    /// Returns the value of a key; `nil` if the dictionary does not contain it.
    ///
    /// `key` must be ASCII and not empty.
    func token(_ key: String) throws(PropertyListError) -> PropertyListToken? {
        var key = key
        let position = key.withUTF8 { key in names.firstIndex { list.bytes.holds(key, at: $0) } }
        guard let position else { return nil }
        return try list.token(at: list.reference(position, of: values))
    }
}
