#if canImport(Security)
public import Foundation
import Security

/// The key in this device's Secure Enclave with which the legacy SDK sealed its items.
///
/// The key does not leave the device: after a restore to another one the items are *undecryptable*.
public struct SecureEnclaveItemKey: LegacyItemKey {
    private let tag: String

    /// Takes the tag of the key; the default is the legacy SDK's.
    public init(tag: String = "com.forgerock.ios.authenticator.securedKey.identifier") {
        self.tag = tag
    }

    /// Opens a sealed value: first as the newer format, then as the older one.
    public func open(_ sealed: Data) throws(LegacyRecordError) -> Data {
        let key = try privateKey()
        for algorithm in Self.algorithms where SecKeyIsAlgorithmSupported(key, .decrypt, algorithm) {
            var failure: Unmanaged<CFError>?
            if let plain = SecKeyCreateDecryptedData(key, algorithm, sealed as CFData, &failure) {
                return plain as Data
            }
            guard let error = failure?.takeRetainedValue() else { continue }
            if CFErrorGetCode(error) == Int(errSecInteractionNotAllowed) { throw .lockedKey }
        }
        throw .undecryptable
    }

    private static var algorithms: [SecKeyAlgorithm] {
        [.eciesEncryptionCofactorVariableIVX963SHA256AESGCM, .eciesEncryptionCofactorX963SHA256AESGCM]
    }

    /// The legacy SDK saved the tag as text where data is documented; some systems find it only as they were told it.
    private func privateKey() throws(LegacyRecordError) -> SecKey {
        for tag in [tag as NSString, Data(tag.utf8) as NSData] as [Any] {
            if let key = try privateKey(tagged: tag) { return key }
        }
        throw .undecryptable
    }

    private func privateKey(tagged tag: Any) throws(LegacyRecordError) -> SecKey? {
        let query = NSMutableDictionary()
        query[kSecClass as NSString] = kSecClassKey
        query[kSecAttrKeyClass as NSString] = kSecAttrKeyClassPrivate
        query[kSecAttrKeyType as NSString] = kSecAttrKeyTypeECSECPrimeRandom
        query[kSecAttrApplicationTag as NSString] = tag
        query[kSecReturnRef as NSString] = kCFBooleanTrue
        var found: CFTypeRef?
        switch SecItemCopyMatching(query as CFDictionary, &found) {
        case errSecSuccess: break
        case errSecInteractionNotAllowed, errSecNotAvailable: throw .lockedKey
        default: return nil
        }
        guard let found, CFGetTypeID(found) == SecKeyGetTypeID() else { return nil }
        return unsafeDowncast(found, to: SecKey.self)
    }
}
#endif
