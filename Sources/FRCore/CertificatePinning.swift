import Crypto
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif
#if canImport(Security)
import Security
#endif

/// Accepts servers that the system trusts and whose certificate chain contains a public key that the app pins.
///
/// Create a ``FRURLSessionSSLPinningHandler`` with this configuration, and pass the handler to
/// `setURLSessionConfiguration(config:handler:)` of ``RestClient``. On platforms other than Apple's,
/// Foundation has no certificate challenges, so nothing is pinned. The class is safe to use from any thread.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class FRSecurityConfiguration: NSObject, Sendable {
    private let pins: PublicKeyPins

    /// Creates a configuration that accepts the public keys that have the given hashes.
    /// - Parameter hashes: The SHA-256 hashes of the keys' `SubjectPublicKeyInfo` in DER (RFC 5280), each in padded
    ///   base64 (RFC 4648). Any other text matches no key.
    public init(hashes: [String]) {
        pins = PublicKeyPins(hashes: hashes)
    }

    /// Handles an authentication challenge of a session.
    /// - Parameters:
    ///   - session: Not used.
    ///   - challenge: The challenge. If it does not concern server trust, it is left to the system.
    ///   - completionHandler: Called once, before this method returns.
    public func validateSessionAuthChallenge(
        session: URLSession,
        challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let (disposition, credential) = pins.decision(about: challenge.protectionSpace)
        completionHandler(disposition, credential)
    }

    /// Handles an authentication challenge of a request, in the same way as a challenge of a session.
    /// - Parameters:
    ///   - session: Not used.
    ///   - task: Not used.
    ///   - challenge: The challenge. If it does not concern server trust, it is left to the system.
    ///   - completionHandler: Called once, before this method returns.
    public func validateTaskAuthChallenge(
        session: URLSession,
        task: URLSessionTask,
        challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        validateSessionAuthChallenge(
            session: session,
            challenge: challenge,
            completionHandler: completionHandler
        )
    }
}

/// Handles server certificates with a ``FRSecurityConfiguration``.
///
/// Without a configuration, the system handles the certificates.
public final class FRURLSessionSSLPinningHandler: FRURLSessionHandler, URLSessionTaskDelegate,
    @unchecked Sendable
{
    // The conformance is `@unchecked` because the superclass is open. This class stores only the constant
    // below.
    private let configuration: FRSecurityConfiguration?

    /// Creates a handler that pins certificates.
    /// - Parameter frSecurityConfiguration: The pinned keys. With `nil`, the system handles the certificates.
    public init(frSecurityConfiguration: FRSecurityConfiguration?) {
        configuration = frSecurityConfiguration
    }

    /// Accepts or refuses a server as the configuration requires; without a configuration, the system decides.
    override public func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let configuration else { return completionHandler(.performDefaultHandling, nil) }
        configuration.validateSessionAuthChallenge(
            session: session,
            challenge: challenge,
            completionHandler: completionHandler
        )
    }

    /// Accepts or refuses a server as the configuration requires; without a configuration, the system decides.
    override public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        urlSession(session, didReceive: challenge, completionHandler: completionHandler)
    }

    // This method is overridden, because URLSession finds a protocol's method only in the class that declares
    // the conformance.
    /// Follows no redirect; the redirect itself is the response.
    override public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

/// The public keys that an app pins.
package struct PublicKeyPins: Sendable {
    private let hashes: Set<String>

    package init(hashes: [String]) {
        self.hashes = Set(hashes)
    }

    /// Returns whether a chain contains a certificate whose key is pinned; the certificates are in DER.
    package func accept(_ chain: [Data]) -> Bool {
        chain.contains { certificate in
            do {
                return hashes.contains(try Self.hash(ofCertificate: certificate))
            } catch {
                Log.e(error.localizedDescription)
                return false
            }
        }
    }

    /// Returns the hash of a certificate's public key, in the form that apps pin.
    package static func hash(ofCertificate certificate: Data) throws(SecurityError) -> String {
        guard let key = publicKey(ofCertificate: certificate) else { throw .failToExtractPublicKey }
        return Data(SHA256.hash(data: key)).base64EncodedString()
    }

    /// Returns the element `SubjectPublicKeyInfo` of a certificate; `nil` if the certificate cannot be read.
    ///
    /// It is the sixth field of the certificate's first element, not counting the optional version.
    private static func publicKey(ofCertificate certificate: Data) -> ArraySlice<UInt8>? {
        var outside = DERReader(rest: Array(certificate)[...])
        guard var certificate = outside.next(.sequence)?.reader, outside.rest.isEmpty,
            var fields = certificate.next(.sequence)?.reader
        else { return nil }
        _ = fields.next(.version)
        guard fields.next(.integer) != nil else { return nil }
        for _ in ["algorithm", "issuer", "validity", "subject"] {
            guard fields.next(.sequence) != nil else { return nil }
        }
        return fields.next(.sequence)?.bytes
    }

    fileprivate func decision(
        about space: URLProtectionSpace
    ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        #if canImport(Security)
        // Only challenges about a server's certificate have a `serverTrust`. The system handles all other challenges.
        guard let trust = space.serverTrust else { return (.performDefaultHandling, nil) }
        guard SecTrustEvaluateWithError(trust, nil), accept(trust.chain) else {
            Log.e("The certificate of \(space.host) is not trusted, or its key is not pinned.")
            return (.cancelAuthenticationChallenge, nil)
        }
        return (.useCredential, URLCredential(trust: trust))
        #else
        return (.performDefaultHandling, nil)
        #endif
    }
}

#if canImport(Security)
extension SecTrust {
    /// The certificates in DER.
    ///
    /// The server's own certificate comes first.
    fileprivate var chain: [Data] {
        guard let certificates = SecTrustCopyCertificateChain(self) else { return [] }
        return (certificates as NSArray).compactMap { certificate in
            let certificate = certificate as AnyObject
            guard CFGetTypeID(certificate) == SecCertificateGetTypeID() else { return nil }
            let data = SecCertificateCopyData(unsafeDowncast(certificate, to: SecCertificate.self))
            return Data(referencing: data as NSData)
        }
    }
}
#endif

/// Reads the elements of a DER value one after another.
private struct DERReader {
    enum Tag: UInt8 {
        case integer = 0x02
        case sequence = 0x30
        case version = 0xA0
    }

    var rest: ArraySlice<UInt8>

    /// An element: its bytes, including tag and length, and a reader of its content.
    struct Element {
        let bytes: ArraySlice<UInt8>
        let reader: DERReader
    }

    /// Returns the next element and moves past it.
    ///
    /// If the next element has a different tag or is truncated, returns `nil` and does not move.
    mutating func next(_ tag: Tag) -> Element? {
        var content = rest
        guard content.popFirst() == tag.rawValue, let first = content.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let digits = content.prefix(Int(first & 0x7F))
            guard (1...4).contains(digits.count), digits.count == Int(first & 0x7F) else { return nil }
            length = digits.reduce(0) { $0 << 8 | Int($1) }
            content = content.dropFirst(digits.count)
        }
        guard length <= content.count else { return nil }
        let element = Element(
            bytes: rest[..<(content.startIndex + length)],
            reader: DERReader(rest: content.prefix(length))
        )
        rest = content.dropFirst(length)
        return element
    }
}
