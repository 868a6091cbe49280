#if canImport(Security)
import Foundation
import PushBridgeStore
public import Security

extension KeychainService {
    /// Stores a certificate.
    ///
    /// A certificate with the same label is replaced.
    /// - Parameters:
    ///   - certificate: The certificate.
    ///   - label: The certificate's label.
    /// - Returns: Whether it was stored.
    @discardableResult
    public func setCertificate(_ certificate: SecCertificate, label: String) -> Bool {
        store(certificate, Query(kSecClassCertificate, kSecAttrLabel, label, options))
    }

    /// Reads the certificate with a label.
    /// - Parameter label: The label.
    /// - Returns: The certificate, or `nil` if the keychain contains no certificate with the label.
    public func getCertificate(_ label: String) -> SecCertificate? {
        Query(kSecClassCertificate, kSecAttrLabel, label, options)
            .reference(SecCertificateGetTypeID(), as: SecCertificate.self)
    }

    /// Reads the identity with a label.
    ///
    /// An identity is a certificate with its private key.
    /// - Parameter label: The label.
    /// - Returns: The certificate with its private key, or `nil` if the keychain contains no identity with
    ///   the label.
    public func getIdentities(_ label: String) -> SecIdentity? {
        Query(kSecClassIdentity, kSecAttrLabel, label, options)
            .reference(SecIdentityGetTypeID(), as: SecIdentity.self)
    }

    /// Stores an RSA key.
    ///
    /// A key with the same tag is replaced.
    /// - Parameters:
    ///   - rsaKey: The key.
    ///   - applicationTag: The key's tag.
    /// - Returns: Whether it was stored.
    @discardableResult
    public func setRSAKey(_ rsaKey: SecKey, applicationTag: String) -> Bool {
        store(rsaKey, rsaQuery(applicationTag))
    }

    /// Reads an RSA key.
    /// - Parameter applicationTag: The key's tag.
    /// - Returns: The key, or `nil` if the keychain contains no key with the tag.
    public func getRSAKey(_ applicationTag: String) -> SecKey? {
        rsaQuery(applicationTag).reference(SecKeyGetTypeID(), as: SecKey.self)
    }

    /// Returns the id of the team that signed the app; `nil` if the id cannot be determined.
    ///
    /// The id is the prefix of the app's first access group. To find this group, the method stores an item and
    /// removes it again.
    public static func getAppleTeamId() -> String? {
        let service = KeychainService(service: "com.forgerock.ios.teamId")
        guard service.set(Data(), key: "teamId") else { return nil }
        defer { service.delete("teamId") }
        let query = Query(kSecClassGenericPassword, kSecAttrService, service.options.service, service.options)
        query.set(kSecReturnAttributes, NSNumber(value: true))
        let item = query.match() as? NSDictionary
        let group = item?.object(forKey: kSecAttrAccessGroup as NSString) as? String
        return group.flatMap { $0.contains(".") ? String($0.prefix { $0 != "." }) : nil }
    }

    private func rsaQuery(_ applicationTag: String) -> Query {
        let query = Query(kSecClassKey, kSecAttrApplicationTag, applicationTag, options)
        query.set(kSecAttrKeyType, kSecAttrKeyTypeRSA)
        return query
    }

    /// Stores a value in place of the item that the query finds, and returns whether the value was stored.
    private func store(_ value: AnyObject, _ query: Query) -> Bool {
        SecItemDelete(query.dictionary as CFDictionary)
        query.set(kSecValueRef, value)
        query.set(kSecAttrAccessible, options.accessibility.attribute)
        let status = SecItemAdd(query.dictionary as CFDictionary, nil)
        if status != errSecSuccess { Log.e("The keychain refused an item; the status is \(status).") }
        return status == errSecSuccess
    }
}

/// A query for one item of a keychain.
struct Query {
    let dictionary = NSMutableDictionary()

    init(_ kind: CFString, _ attribute: CFString, _ value: String, _ options: KeychainOptions) {
        set(kSecClass, kind)
        set(kSecUseDataProtectionKeychain, NSNumber(value: true))
        set(attribute, NSString(string: value))
        if let group = options.accessGroup { set(kSecAttrAccessGroup, NSString(string: group)) }
    }

    func set(_ name: CFString, _ value: AnyObject) {
        dictionary.setObject(value, forKey: name as NSString)
    }

    /// Returns the item that the query finds, or `nil` if it finds no item.
    func match() -> CFTypeRef? {
        var found: CFTypeRef?
        return SecItemCopyMatching(dictionary as CFDictionary, &found) == errSecSuccess ? found : nil
    }

    /// Returns the object that the query finds, or `nil` if it finds no object of the type.
    func reference<Object: AnyObject>(_ type: CFTypeID, as object: Object.Type) -> Object? {
        set(kSecReturnRef, NSNumber(value: true))
        guard let found = match(), CFGetTypeID(found) == type else { return nil }
        return unsafeDowncast(found, to: object)
    }
}
#else
extension KeychainService {
    /// Returns `nil`, because only Apple's keychain has team ids.
    public static func getAppleTeamId() -> String? { nil }
}
#endif
