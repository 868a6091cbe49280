/// Why a binary property list, or one object of it, cannot be read.
enum PropertyListError: Error, Equatable, Sendable {
    /// The bytes do not begin as a binary property list.
    case notBinary
    /// The trailer contradicts the size of the file or itself.
    case damagedTrailer
    /// A reference points to no object, or the object lies outside the objects.
    case danglingReference
    /// An object ends beyond the last one.
    case truncatedObject
    /// An object is of no known type.
    case unknownObject
    /// A string is not what its encoding promises.
    case damagedText
    /// A number does not fit into 64 bits.
    case numberTooLarge

    /// One sentence for a human.
    var reason: String {
        switch self {
        case .notBinary: "The bytes are not a binary property list."
        case .damagedTrailer: "The trailer of the property list makes no sense."
        case .danglingReference: "An object of the property list is not there."
        case .truncatedObject: "The property list ends inside an object."
        case .unknownObject: "An object of the property list is of no known type."
        case .damagedText: "A string of the property list is damaged."
        case .numberTooLarge: "A number of the property list is too large."
        }
    }
}
