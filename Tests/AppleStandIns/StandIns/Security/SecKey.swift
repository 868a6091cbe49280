public import Foundation

/// What CoreFoundation's data is bridged to on Apple platforms.
public typealias CFData = NSData
/// What CoreFoundation's error is bridged to on Apple platforms.
public typealias CFError = NSError
/// What tells the types of CoreFoundation apart.
public typealias CFTypeID = UInt

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

    /// Makes a key of what it answers.
    public init(_ open: @escaping @Sendable (SecKeyAlgorithm, Data) -> Result<Data, StandInFailure>) {
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
public func CFGetTypeID(_ object: CFTypeRef) -> CFTypeID { object is SecKey ? 1 : 0 }

/// The type of keys.
public func SecKeyGetTypeID() -> CFTypeID { 1 }
