public import Foundation
import Synchronization

/// The objects to which `SecItemCopyMatching` returns references: keys of the Secure Enclave, and certificates.
public enum StandInKeys {
    private static let shared = Mutex<[SavedName: any AnyObject & Sendable]>([:])
    private static let refusal = Mutex<OSStatus?>(nil)

    /// The kind and the name under which an object was saved.
    ///
    /// A text and a `Data` value with the same bytes are different names.
    private struct SavedName: Hashable {
        var kind = "keys"
        let isText: Bool
        let bytes: Data
    }

    /// Saves a key under a text, as the legacy SDK does.
    public static func add(_ key: SecKey, tag: String) {
        shared.withLock { $0[SavedName(isText: true, bytes: Data(tag.utf8))] = key }
    }

    /// Saves a key under data, as Apple documents.
    public static func add(_ key: SecKey, tag: Data) {
        shared.withLock { $0[SavedName(isText: false, bytes: tag)] = key }
    }

    /// Makes every search fail with a status; `nil` restores normal searches.
    public static func refuse(with status: OSStatus?) { refusal.withLock { $0 = status } }

    /// Removes all objects, and restores normal searches.
    public static func reset() {
        shared.withLock { $0 = [:] }
        refuse(with: nil)
    }

    /// Returns the result of a query for a reference; `nil` if the query is for something else.
    static func answer(_ query: CFDictionary) -> (status: OSStatus, object: CFTypeRef?)? {
        guard isAboutReferences(query) else { return nil }
        if let status = refusal.withLock({ $0 }) { return (status, nil) }
        guard let name = name(in: query) else { return (errSecParam, nil) }
        guard let object = shared.withLock({ $0[name] }) else { return (errSecItemNotFound, nil) }
        return (errSecSuccess, object)
    }

    /// Saves the object to which a query refers, and returns the status; `nil` if the query is not for a reference.
    static func add(_ query: CFDictionary) -> OSStatus? {
        guard isAboutReferences(query) else { return nil }
        guard let name = name(in: query), let object = query.object(forKey: kSecValueRef) else {
            return errSecParam
        }
        let saved: (any AnyObject & Sendable)? =
            object as? SecKey ?? object as? SecCertificate ?? object as? SecIdentity
        return shared.withLock { $0.updateValue(saved ?? SecIdentity(), forKey: name) } == nil
            ? errSecSuccess : errSecDuplicateItem
    }

    /// Removes the object that a query names, and returns the status; `nil` if the query is not for a reference.
    static func remove(_ query: CFDictionary) -> OSStatus? {
        guard isAboutReferences(query) else { return nil }
        guard let name = name(in: query) else { return errSecParam }
        return shared.withLock { $0.removeValue(forKey: name) } == nil ? errSecItemNotFound : errSecSuccess
    }

    private static func isAboutReferences(_ query: CFDictionary) -> Bool {
        ["keys", "cert", "idnt"].contains(query.object(forKey: kSecClass) as? String)
    }

    private static func name(in query: CFDictionary) -> SavedName? {
        let kind = query.object(forKey: kSecClass) as? String ?? ""
        switch query.object(forKey: kSecAttrApplicationTag) ?? query.object(forKey: kSecAttrLabel) {
        case let text as String: return SavedName(kind: kind, isText: true, bytes: Data(text.utf8))
        case let data as Data: return SavedName(kind: kind, isText: false, bytes: data)
        default: return nil
        }
    }
}
