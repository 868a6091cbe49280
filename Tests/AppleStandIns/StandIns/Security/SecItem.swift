public import Foundation

/// Adds an item.
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    if let status = StandInKeys.add(attributes) { return status }
    return StandInKeychain.perform { keychain in
        try keychain.add(ItemQuery(attributes, for: .adding))
    }
}

/// Finds items, and stores the parts that the query asks for in `result`.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?)
    -> OSStatus
{
    if let answer = StandInKeys.answer(query) {
        if answer.status == errSecSuccess { result?.pointee = answer.object }
        return answer.status
    }
    var found: Found = .nothing
    let status = StandInKeychain.perform { keychain in
        found = try keychain.matching(ItemQuery(query, for: .matching))
    }
    if status == errSecSuccess { result?.pointee = found.object }
    return status
}

/// Changes all items that the query finds.
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    StandInKeychain.perform { keychain in
        let query = try ItemQuery(query, for: .changing)
        try keychain.update(query, ItemQuery.changes(in: attributesToUpdate))
    }
}

/// Removes all items that the query finds.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    if let status = StandInKeys.remove(query) { return status }
    return StandInKeychain.perform { keychain in
        try keychain.delete(ItemQuery(query, for: .changing))
    }
}
