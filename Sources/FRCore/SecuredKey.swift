public import Foundation
public import PushBridgeCore
import PushBridgeStore

#if canImport(CryptoKit)
import CryptoKit
#endif
#if canImport(Security)
public import Security

/// A key in the Secure Enclave that seals values; it never leaves the device.
public struct SecuredKey {
    private let privateKey: SecKey

    /// Returns whether the device has a Secure Enclave.
    public static func isAvailable() -> Bool {
        #if canImport(CryptoKit)
        SecureEnclave.isAvailable
        #else
        false
        #endif
    }

    /// Uses the key with a tag, and creates it if there is none; `nil` if that is impossible, as without a Secure
    /// Enclave.
    ///
    /// - Parameters:
    ///   - applicationTag: The key's name, saved as text as the SDK does.
    ///   - accessGroup: The group of apps that share the key; `nil` is the app's own.
    ///   - accessibility: When a new key can be used.
    public init?(
        applicationTag: String,
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlock
    ) {
        var options = KeychainOptions(service: "")
        (options.accessGroup, options.accessibility) = (accessGroup, accessibility)
        let query = Query(kSecClassKey, kSecAttrApplicationTag, applicationTag, options)
        query.set(kSecAttrKeyType, kSecAttrKeyTypeECSECPrimeRandom)
        let known = query.reference(SecKeyGetTypeID(), as: SecKey.self)
        guard let key = known ?? Self.newKey(applicationTag, options) else { return nil }
        privateKey = key
    }

    /// Seals bytes with the key's public half.
    /// - Parameters:
    ///   - data: The bytes.
    ///   - secAlgorithm: The algorithm; the standard is the legacy SDK's.
    /// - Returns: The sealed bytes; `nil` if the key cannot seal so.
    public func encrypt(
        data: Data,
        secAlgorithm: SecKeyAlgorithm = .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    ) -> Data? {
        guard let publicKey = SecKeyCopyPublicKey(privateKey) else { return nil }
        let sealed = SecKeyCreateEncryptedData(publicKey, secAlgorithm, NSData(data: data) as CFData, nil)
        return sealed.map { Data(referencing: $0 as NSData) }
    }

    /// Opens bytes that ``encrypt(data:secAlgorithm:)`` sealed.
    /// - Parameters:
    ///   - data: The sealed bytes.
    ///   - secAlgorithm: The algorithm they were sealed with.
    /// - Returns: The bytes; `nil` if they were sealed with another key or algorithm.
    public func decrypt(
        data: Data,
        secAlgorithm: SecKeyAlgorithm = .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    ) -> Data? {
        SecKeyCreateDecryptedData(privateKey, secAlgorithm, NSData(data: data) as CFData, nil)
            .map { Data(referencing: $0 as NSData) }
    }

    private static func newKey(_ tag: String, _ options: KeychainOptions) -> SecKey? {
        let access = SecAccessControlCreateWithFlags(
            nil,
            options.accessibility.attribute,
            .privateKeyUsage,
            nil
        )
        guard let access else { return nil }
        let key = NSMutableDictionary()
        key.setObject(NSNumber(value: true), forKey: kSecAttrIsPermanent as NSString)
        key.setObject(NSString(string: tag), forKey: kSecAttrApplicationTag as NSString)
        key.setObject(access, forKey: kSecAttrAccessControl as NSString)
        if let group = options.accessGroup {
            key.setObject(NSString(string: group), forKey: kSecAttrAccessGroup as NSString)
        }
        let attributes = NSMutableDictionary()
        attributes.setObject(kSecAttrKeyTypeECSECPrimeRandom, forKey: kSecAttrKeyType as NSString)
        attributes.setObject(NSNumber(value: 256), forKey: kSecAttrKeySizeInBits as NSString)
        attributes.setObject(kSecAttrTokenIDSecureEnclave, forKey: kSecAttrTokenID as NSString)
        attributes.setObject(key, forKey: kSecPrivateKeyAttrs as NSString)
        return SecKeyCreateRandomKey(attributes as CFDictionary, nil)
    }
}
#else
/// A key in the Secure Enclave; this platform has none, so no instance exists.
public struct SecuredKey {
    /// Returns `false`: there is no Secure Enclave here.
    public static func isAvailable() -> Bool { false }

    /// Returns `nil`: there is no Secure Enclave here.
    /// - Parameters:
    ///   - applicationTag: The tag of the key.
    ///   - accessGroup: The keychain group of the key; `nil` for the app's own.
    ///   - accessibility: When the key may be used.
    public init?(
        applicationTag: String,
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlock
    ) {
        nil
    }

    /// Seals bytes; `nil` if the key cannot.
    /// - Parameters:
    ///   - data: The bytes to seal.
    ///   - secAlgorithm: The algorithm; the default is that of newer legacy releases.
    /// - Returns: The sealed bytes, or `nil`.
    public func encrypt(
        data: Data,
        secAlgorithm: SecKeyAlgorithm = .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    ) -> Data? { nil }

    /// Opens bytes; `nil` if the key cannot.
    /// - Parameters:
    ///   - data: The sealed bytes.
    ///   - secAlgorithm: The algorithm they were sealed with.
    /// - Returns: The bytes, or `nil`.
    public func decrypt(
        data: Data,
        secAlgorithm: SecKeyAlgorithm = .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    ) -> Data? { nil }
}

/// Replaces the type of Security, so that the source of an app compiles on platforms without it.
public struct SecKeyAlgorithm: Hashable, Sendable {
    /// The algorithm with which the SDK seals.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm()
}
#endif
