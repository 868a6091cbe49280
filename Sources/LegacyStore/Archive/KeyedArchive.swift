/// An archive of one object as Foundation's keyed archiver lays it out, valid while its bytes are.
struct KeyedArchive {
    static let archiver = "NSKeyedArchiver"
    /// The only version of the layout there ever was.
    static let version: Int64 = 100_000
    /// The text of object 0, which means `nil`.
    static let null = "$null"

    let list: PropertyListBytes
    private let objects: PropertyListReferences
    private let root: UInt64

    /// Reads the frame of the archive, or returns `nil` if the property list is something else.
    init?(_ bytes: UnsafeRawBufferPointer) throws(PropertyListError) {
        list = try PropertyListBytes(bytes)
        let rootToken = try list.token(at: list.layout.root)
        guard
            let frame = try PropertyListFields(list, rootToken),
            case .text(let archiver)? = try frame.token(.archiver), list.says(Self.archiver, archiver),
            case .integer(Self.version)? = try frame.token(.version),
            case .array(let objects)? = try frame.token(.objects),
            let top = try frame.token(.top),
            case .uid(let root)? = try PropertyListFields(list, top)?.token(.root)
        else { return nil }
        self.objects = objects
        self.root = root
    }

    /// The object that was archived, or `nil` if it is not one with fields and a class.
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

    /// The meaning of a field's value: the object it names, or itself; `nil` for the null object.
    func resolve(_ token: PropertyListToken) throws(PropertyListError) -> PropertyListToken? {
        switch token {
        case .null, .uid(0): return nil
        case .uid(let number):
            guard number < objects.count else { throw .danglingReference }
            return try list.token(at: list.reference(Int(number), of: objects))
        default: return token
        }
    }

    /// The fields of the dictionary that a value refers to; `nil` if it refers to anything else.
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

/// The keys that give a keyed archive its shape.
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

    /// Reads the value for a key, or returns `nil` if there is none; `key` is ASCII and not empty.
    func token(_ key: String) throws(PropertyListError) -> PropertyListToken? {
        var key = key
        let position = key.withUTF8 { key in names.firstIndex { list.bytes.holds(key, at: $0) } }
        guard let position else { return nil }
        return try list.token(at: list.reference(position, of: values))
    }
}
