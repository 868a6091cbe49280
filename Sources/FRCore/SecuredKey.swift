public import Foundation
public import PushBridgeCore
import PushBridgeStore

#if canImport(CryptoKit)
import CryptoKit
#endif
#if canImport(Security)
public import Security

/// A key in the Secure Enclave that encrypts values.
///
/// The key never leaves the device.
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

    /// Reads the key with a tag, or creates it.
    ///
    /// The result is `nil` if both fail, for example because the device has no Secure Enclave.
    ///
    /// - Parameters:
    ///   - applicationTag: The key's tag. As in the SDK, it is stored as text.
    ///   - accessGroup: The access group of the apps that share the key. With `nil`, all groups of the app are
    ///     searched, and a new key is stored in the app's own group.
    ///   - accessibility: The accessibility class of a new key.
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

    /// Encrypts data with the public key.
    /// - Parameters:
    ///   - data: The bytes.
    ///   - secAlgorithm: The algorithm. The default is the algorithm of the legacy SDK.
    /// - Returns: The encrypted data, or `nil` if the key does not support the algorithm or if the encryption
    ///   fails.
    public func encrypt(
        data: Data,
        secAlgorithm: SecKeyAlgorithm = .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    ) -> Data? {
        guard let publicKey = SecKeyCopyPublicKey(privateKey) else { return nil }
        let sealed = SecKeyCreateEncryptedData(publicKey, secAlgorithm, NSData(data: data) as CFData, nil)
        return sealed.map { Data(referencing: $0 as NSData) }
    }

    /// Decrypts data that ``encrypt(data:secAlgorithm:)`` encrypted.
    /// - Parameters:
    ///   - data: The encrypted bytes.
    ///   - secAlgorithm: The algorithm with which the bytes were encrypted.
    /// - Returns: The decrypted data, or `nil` if the key cannot decrypt the data with the algorithm.
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
/// A key in the Secure Enclave.
///
/// This platform has no Secure Enclave, so no instance can be created.
public struct SecuredKey {
    /// Returns `false`, because this platform has no Secure Enclave.
    public static func isAvailable() -> Bool { false }

    /// Returns `nil`, because this platform has no Secure Enclave.
    /// - Parameters:
    ///   - applicationTag: Not used.
    ///   - accessGroup: Not used.
    ///   - accessibility: Not used.
    public init?(
        applicationTag: String,
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlock
    ) {
        nil
    }

    /// Encrypts data.
    ///
    /// Always returns `nil`, because this platform has no Secure Enclave.
    /// - Parameters:
    ///   - data: Not used.
    ///   - secAlgorithm: Not used.
    /// - Returns: `nil`.
    public func encrypt(
        data: Data,
        secAlgorithm: SecKeyAlgorithm = .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    ) -> Data? { nil }

    /// Decrypts data.
    ///
    /// Always returns `nil`, because this platform has no Secure Enclave.
    /// - Parameters:
    ///   - data: Not used.
    ///   - secAlgorithm: Not used.
    /// - Returns: `nil`.
    public func decrypt(
        data: Data,
        secAlgorithm: SecKeyAlgorithm = .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    ) -> Data? { nil }
}

/// Replaces the type of the Security framework, so that an app's source compiles on platforms without
/// Security.
public struct SecKeyAlgorithm: Hashable, Sendable {
    /// The algorithm with which the SDK encrypts.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm()
}
#endif
