public import Foundation

/// On Apple platforms, `CFData` is toll-free bridged to `NSData`; here it is the same type.
public typealias CFData = NSData
/// On Apple platforms, `CFError` is toll-free bridged to `NSError`; here it is the same type.
public typealias CFError = NSError
/// The identifier of a CoreFoundation type.
public typealias CFTypeID = UInt

/// The type identifiers of Security's objects.
private let typeIDs: [ObjectIdentifier: CFTypeID] = [
    ObjectIdentifier(SecKey.self): 1, ObjectIdentifier(SecCertificate.self): 2,
    ObjectIdentifier(SecIdentity.self): 3,
]

/// The class of keys.
public var kSecClassKey: CFString { NSString(string: "keys") }
/// Whether a key is the public or the private half of a pair.
public var kSecAttrKeyClass: CFString { NSString(string: "kcls") }
/// The value for the private half of a pair.
public var kSecAttrKeyClassPrivate: CFString { NSString(string: "1") }
/// The algorithm of a key.
public var kSecAttrKeyType: CFString { NSString(string: "type") }
/// The algorithms with elliptic curves.
public var kSecAttrKeyTypeECSECPrimeRandom: CFString { NSString(string: "73") }
/// The name that an app gave a key.
public var kSecAttrApplicationTag: CFString { NSString(string: "atag") }
/// Whether the result contains a reference.
public var kSecReturnRef: CFString { NSString(string: "r_Ref") }

/// The operations of a key.
public enum SecKeyOperationType: Sendable {
    /// Decrypt.
    case decrypt
    /// Encrypt.
    case encrypt
}

/// The algorithm of an operation.
public struct SecKeyAlgorithm: Hashable, Sendable {
    let name: String

    /// ECIES with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(name: "variable")
    /// ECIES with an IV of zeros.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(name: "zero")
}

/// A key in the Secure Enclave.
public final class SecKey: Sendable {
    let open: @Sendable (SecKeyAlgorithm, Data) -> Result<Data, StandInFailure>
    let seal: @Sendable (Data) -> Data?

    /// Makes a key from closures that perform its operations.
    ///
    /// The default `seal` inverts all bits and appends a zero byte.
    public init(
        seal: @escaping @Sendable (Data) -> Data? = { Data($0.map { ~$0 } + [0]) },
        _ open: @escaping @Sendable (SecKeyAlgorithm, Data) -> Result<Data, StandInFailure>
    ) {
        self.seal = seal
        self.open = open
    }
}

/// The reason why a key failed an operation.
public struct StandInFailure: Error {
    let status: OSStatus

    /// Makes an error whose code is a status.
    public init(_ status: OSStatus) {
        self.status = status
    }
}

/// Returns `true`: every key of the stand-in supports every operation.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey,
    _ operation: SecKeyOperationType,
    _ algorithm: SecKeyAlgorithm
) -> Bool { true }

/// Decrypts a ciphertext.
public func SecKeyCreateDecryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    switch key.open(algorithm, Data(referencing: ciphertext)) {
    case .success(let data): return NSData(data: data)
    case .failure(let failure):
        let reason = NSError(domain: NSOSStatusErrorDomain, code: Int(failure.status))
        error?.pointee = Unmanaged.passRetained(reason)
        return nil
    }
}

let NSOSStatusErrorDomain = "NSOSStatusErrorDomain"

/// Returns the code of an error.
public func CFErrorGetCode(_ error: CFError) -> Int { error.code }

/// Returns the type identifier of an object.
public func CFGetTypeID(_ object: CFTypeRef) -> CFTypeID {
    typeIDs[ObjectIdentifier(Swift.type(of: object))] ?? 0
}

/// Returns the type identifier of keys.
public func SecKeyGetTypeID() -> CFTypeID { 1 }

/// Returns the public half of a key; the stand-in uses one object for both halves.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { key }

/// Encrypts a plaintext for the private half of a key.
public func SecKeyCreateEncryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    key.seal(Data(referencing: plaintext)).map { NSData(data: $0) }
}

/// Makes a key in the Secure Enclave and saves it under its tag; `nil` if the parameters describe another kind of key.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    guard let attributes = parameters.object(forKey: kSecPrivateKeyAttrs) as? NSDictionary,
        parameters.object(forKey: kSecAttrTokenID) as? String == "\(kSecAttrTokenIDSecureEnclave)",
        attributes.object(forKey: kSecAttrAccessControl) is SecAccessControl,
        let tag = attributes.object(forKey: kSecAttrApplicationTag) as? String
    else { return nil }
    let key = SecKey { _, sealed in
        guard sealed.last == 0 else { return .failure(StandInFailure(errSecDecode)) }
        return .success(Data(sealed.dropLast().map { ~$0 }))
    }
    StandInKeys.add(key, tag: tag)
    return key
}

/// The key's size.
public var kSecAttrKeySizeInBits: CFString { NSString(string: "bsiz") }
/// The hardware that stores a key.
public var kSecAttrTokenID: CFString { NSString(string: "tkid") }
/// The value for the Secure Enclave.
public var kSecAttrTokenIDSecureEnclave: CFString { NSString(string: "com.apple.setoken") }
/// The attributes of the private half.
public var kSecPrivateKeyAttrs: CFString { NSString(string: "private") }
/// Whether a key is saved.
public var kSecAttrIsPermanent: CFString { NSString(string: "perm") }
/// The access control of a key.
public var kSecAttrAccessControl: CFString { NSString(string: "accc") }
/// The algorithm RSA.
public var kSecAttrKeyTypeRSA: CFString { NSString(string: "42") }

/// The access control of a key or an item.
public final class SecAccessControl: Sendable {
    let protection: String
    let flags: SecAccessControlCreateFlags

    init(_ protection: String, _ flags: SecAccessControlCreateFlags) {
        self.protection = protection
        self.flags = flags
    }
}

/// The conditions for the use of a key or an item.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Creates the conditions from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The key can only be used for private key operations.
    public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
    /// The owner must authenticate with biometrics or the passcode.
    public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
    /// The owner must authenticate with the biometrics that were enrolled when the key was created.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
    /// The owner must authenticate with the passcode.
    public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
}

/// Makes an access control.
public func SecAccessControlCreateWithFlags(
    _ allocator: AnyObject?,
    _ protection: CFTypeRef,
    _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? { (protection as? String).map { SecAccessControl($0, flags) } }
