import Foundation

@testable import LegacyStore

/// The value of an object as a certain type; `nil` if the object has another type.
extension ReadPropertyList.Object {
    var array: ReadPropertyList.References? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var dictionary: ReadPropertyList.Entries? {
        if case .dictionary(let entries) = self { entries } else { nil }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }

    var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    var real: Double? {
        if case .real(let value) = self { value } else { nil }
    }
}

extension ReadPropertyList {
    /// Returns the root of a handmade list.
    static func root(of handmade: HandmadeList) throws -> Object {
        let list = try ReadPropertyList(handmade.bytes)
        return try list.object(at: list.root)
    }
}
