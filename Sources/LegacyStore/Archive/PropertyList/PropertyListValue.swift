/// A tree of values to be written as a property list.
enum PropertyListValue: Sendable {
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    /// The number of an object in a keyed archive; not negative.
    case uid(Int)
    case array([PropertyListValue])
    case dictionary([(key: String, value: PropertyListValue)])

    /// The number of objects in a file that holds the tree.
    var objectCount: Int {
        switch self {
        case .bool, .integer, .real, .string, .uid: 1
        case .array(let elements): elements.reduce(1) { $0 + $1.objectCount }
        case .dictionary(let entries): entries.reduce(1) { $0 + 1 + $1.value.objectCount }
        }
    }
}
