#if canImport(Security)
public import Foundation
public import PushBridgeCore
import Security

/// The key with which the legacy SDK sealed its items; it is stored in this device's Secure Enclave.
///
/// The key cannot leave the device, so the items are *undecryptable* if they are restored to another device.
public struct SecureEnclaveItemKey: LegacyItemKey {
    private let tag: String

    /// Creates access to the key with the given tag; the default is the legacy SDK's tag.
    public init(tag: String = "com.forgerock.ios.authenticator.securedKey.identifier") {
        self.tag = tag
    }

    /// Opens a sealed value; tries the newer format first and then the older format.
    ///
    /// - Throws: ``LegacyRecordError`` with the code `undecryptable` if neither format fits or the key does
    ///   not exist, or with the code `locked` if the key cannot be used yet.
    public func open(_ sealed: Data) throws(LegacyRecordError) -> Data {
        let key = try privateKey()
        let value = NSData(data: sealed)
        for algorithm in Self.algorithms where SecKeyIsAlgorithmSupported(key, .decrypt, algorithm) {
            var failure: Unmanaged<CFError>?
            if let plain = SecKeyCreateDecryptedData(key, algorithm, value as CFData, &failure) {
                return Data(referencing: plain as NSData)
            }
            guard let error = failure?.takeRetainedValue() else { continue }
            if CFErrorGetCode(error) == Int(errSecInteractionNotAllowed) { throw .lockedKey }
        }
        throw .undecryptable
    }

    /// Seals a value in the newest format that the key supports.
    ///
    /// - Throws: ``LegacyRecordError`` with the code `undecryptable` if the key does not exist, `locked` if
    ///   the key cannot be accessed yet, or `unsupported` if the key cannot seal.
    public func seal(_ value: Data) throws(LegacyRecordError) -> Data {
        guard let key = SecKeyCopyPublicKey(try privateKey()) else { throw .unsealable }
        let plain = NSData(data: value)
        for algorithm in Self.algorithms where SecKeyIsAlgorithmSupported(key, .encrypt, algorithm) {
            var failure: Unmanaged<CFError>?
            if let sealed = SecKeyCreateEncryptedData(key, algorithm, plain as CFData, &failure) {
                return Data(referencing: sealed as NSData)
            }
            failure?.release()
        }
        throw .unsealable
    }

    /// Whether the Secure Enclave has the key and the key can be accessed now.
    public var isPresent: Bool {
        do {
            _ = try privateKey()
            return true
        } catch {
            return false
        }
    }

    private static var algorithms: [SecKeyAlgorithm] {
        [.eciesEncryptionCofactorVariableIVX963SHA256AESGCM, .eciesEncryptionCofactorX963SHA256AESGCM]
    }

    /// Finds the key.
    ///
    /// The first query contains the tag as text, because the legacy SDK saved it as text, although the
    /// documentation requires data. If this query finds no key, a second query contains the tag as data.
    private func privateKey() throws(LegacyRecordError) -> SecKey {
        if let key = try privateKey(tagged: NSString(string: tag)) { return key }
        if let key = try privateKey(tagged: NSData(data: Data(tag.utf8))) { return key }
        throw .undecryptable
    }

    private func privateKey(tagged tag: AnyObject) throws(LegacyRecordError) -> SecKey? {
        let query = NSMutableDictionary()
        query.setObject(kSecClassKey, forKey: kSecClass as NSString)
        query.setObject(kSecAttrKeyClassPrivate, forKey: kSecAttrKeyClass as NSString)
        query.setObject(kSecAttrKeyTypeECSECPrimeRandom, forKey: kSecAttrKeyType as NSString)
        query.setObject(tag, forKey: kSecAttrApplicationTag as NSString)
        query.setObject(NSNumber(value: true), forKey: kSecReturnRef as NSString)
        var found: CFTypeRef?
        switch SecItemCopyMatching(query as CFDictionary, &found) {
        case errSecSuccess: break
        case errSecItemNotFound, errSecParam: return nil
        // Any other failure may be temporary, so it must not be reported as a reason to enrol again.
        default: throw .lockedKey
        }
        guard let found, CFGetTypeID(found) == SecKeyGetTypeID() else { return nil }
        return unsafeDowncast(found, to: SecKey.self)
    }
}
#endif
