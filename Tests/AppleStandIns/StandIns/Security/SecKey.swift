public import Foundation

/// What CoreFoundation's data is bridged to on Apple platforms.
public typealias CFData = NSData
/// What CoreFoundation's error is bridged to on Apple platforms.
public typealias CFError = NSError
/// What tells the types of CoreFoundation apart.
public typealias CFTypeID = UInt

/// What tells the objects of Security apart.
private let typeIDs: [ObjectIdentifier: CFTypeID] = [
    ObjectIdentifier(SecKey.self): 1, ObjectIdentifier(SecCertificate.self): 2,
    ObjectIdentifier(SecIdentity.self): 3,
]

/// The class of keys.
public var kSecClassKey: CFString { NSString(string: "keys") }
/// Which half of a pair a key is.
public var kSecAttrKeyClass: CFString { NSString(string: "kcls") }
/// The private half.
public var kSecAttrKeyClassPrivate: CFString { NSString(string: "1") }
/// The algorithm of a key.
public var kSecAttrKeyType: CFString { NSString(string: "type") }
/// Elliptic curves.
public var kSecAttrKeyTypeECSECPrimeRandom: CFString { NSString(string: "73") }
/// The name that an app gave a key.
public var kSecAttrApplicationTag: CFString { NSString(string: "atag") }
/// Whether a reference is asked for.
public var kSecReturnRef: CFString { NSString(string: "r_Ref") }

/// What a key can do.
public enum SecKeyOperationType: Sendable {
    /// Decrypt.
    case decrypt
    /// Encrypt.
    case encrypt
}

/// How a key does it.
public struct SecKeyAlgorithm: Hashable, Sendable {
    let name: String

    /// ECIES with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(name: "variable")
    /// ECIES with an IV of zeros.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(name: "zero")
}

/// A private key that a test put into the Secure Enclave.
public final class SecKey: Sendable {
    let open: @Sendable (SecKeyAlgorithm, Data) -> Result<Data, StandInFailure>
    let seal: @Sendable (Data) -> Data?

    /// Makes a key of what it answers; unless told otherwise it seals by turning every bit around.
    public init(
        seal: @escaping @Sendable (Data) -> Data? = { Data($0.map { ~$0 } + [0]) },
        _ open: @escaping @Sendable (SecKeyAlgorithm, Data) -> Result<Data, StandInFailure>
    ) {
        self.seal = seal
        self.open = open
    }
}

/// Why a key refused.
public struct StandInFailure: Error {
    let status: OSStatus

    /// Takes the status that Apple's error has as its code.
    public init(_ status: OSStatus) {
        self.status = status
    }
}

/// Whether a key can do something.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey,
    _ operation: SecKeyOperationType,
    _ algorithm: SecKeyAlgorithm
) -> Bool { true }

/// Opens a ciphertext.
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

/// The code of an error.
public func CFErrorGetCode(_ error: CFError) -> Int { error.code }

/// The type of an object.
public func CFGetTypeID(_ object: CFTypeRef) -> CFTypeID {
    typeIDs[ObjectIdentifier(Swift.type(of: object))] ?? 0
}

/// The type of keys.
public func SecKeyGetTypeID() -> CFTypeID { 1 }

/// The public half of a key; here the same object.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { key }

/// Seals a text for the private half of a key.
public func SecKeyCreateEncryptedData(
    _ key: SecKey,
    _ algorithm: SecKeyAlgorithm,
    _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    key.seal(Data(referencing: plaintext)).map { NSData(data: $0) }
}

/// Makes a key, and saves it if it is to be permanent.
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
/// Where a key lives.
public var kSecAttrTokenID: CFString { NSString(string: "tkid") }
/// The Secure Enclave.
public var kSecAttrTokenIDSecureEnclave: CFString { NSString(string: "com.apple.setoken") }
/// What is said about the private half.
public var kSecPrivateKeyAttrs: CFString { NSString(string: "private") }
/// Whether a key is saved.
public var kSecAttrIsPermanent: CFString { NSString(string: "perm") }
/// What guards a key.
public var kSecAttrAccessControl: CFString { NSString(string: "accc") }
/// RSA.
public var kSecAttrKeyTypeRSA: CFString { NSString(string: "42") }

/// What guards a key or an item.
public final class SecAccessControl: Sendable {
    let protection: String
    let flags: SecAccessControlCreateFlags

    init(_ protection: String, _ flags: SecAccessControlCreateFlags) {
        self.protection = protection
        self.flags = flags
    }
}

/// What a key is guarded against.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Takes the bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Only its owner uses it.
    public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
    /// Face, finger or passcode.
    public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
    /// Face or finger as enrolled now.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
    /// The passcode.
    public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
}

/// Makes what guards a key.
public func SecAccessControlCreateWithFlags(
    _ allocator: AnyObject?,
    _ protection: CFTypeRef,
    _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? { (protection as? String).map { SecAccessControl($0, flags) } }
