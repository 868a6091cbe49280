public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The class of certificates.
public var kSecClassCertificate: CFString { NSString(string: "cert") }
/// The class of certificates with their keys.
public var kSecClassIdentity: CFString { NSString(string: "idnt") }
/// The name of an item.
public var kSecAttrLabel: CFString { NSString(string: "labl") }
/// An object to save.
public var kSecValueRef: CFString { NSString(string: "v_Ref") }

/// A certificate in DER.
public final class SecCertificate: Sendable {
    let der: Data

    /// Creates a certificate from any bytes; the stand-in does not validate them.
    public init(der: Data) {
        self.der = der
    }
}

/// A certificate with its key.
public final class SecIdentity: Sendable {
    /// Makes an empty identity.
    public init() {}
}

/// The certificates that a server presented.
public final class SecTrust: Sendable {
    let chain: [SecCertificate]
    let isValid: Bool

    /// Creates the certificates of a server, which the system trusts if `isValid` is `true`.
    public init(_ chain: [SecCertificate], isValid: Bool = true) {
        (self.chain, self.isValid) = (chain, isValid)
    }
}

/// Returns the type identifier of certificates.
public func SecCertificateGetTypeID() -> CFTypeID { 2 }
/// Returns the type identifier of identities.
public func SecIdentityGetTypeID() -> CFTypeID { 3 }

/// Returns the bytes of a certificate.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { NSData(data: certificate.der) }

/// Returns whether the system trusts a server.
public func SecTrustEvaluateWithError(
    _ trust: SecTrust,
    _ error: UnsafeMutablePointer<CFError?>?
) -> Bool { trust.isValid }

/// Returns the certificates of a server that was evaluated.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { NSArray(array: trust.chain) }

extension URLProtectionSpace {
    private static let trusts = Mutex<[String: SecTrust]>([:])

    /// Sets the certificates that a host presents; `nil` removes them.
    public static func setTrust(_ trust: SecTrust?, ofHost host: String) {
        trusts.withLock { $0[host] = trust }
    }

    /// The certificates that the server presented; `nil` if the test set none.
    public var serverTrust: SecTrust? { Self.trusts.withLock { $0[host] } }
}

extension URLCredential {
    /// Creates the credential with which a delegate accepts a server's certificates.
    public convenience init(trust: SecTrust) {
        self.init(user: "trust", password: "", persistence: .none)
    }
}
