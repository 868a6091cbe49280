import Crypto
package import Foundation
package import NIOSSL
import SwiftASN1
import X509

/// A certificate and its private key, by which a ``FrontServer`` proves with TLS to be the host that it is.
package struct FrontIdentity: Sendable {
    /// What TLS needs.
    package let context: NIOSSLContext
    /// The SHA-256 of the certificate, as `AB:CD:…`.
    package let fingerprint: String

    /// Reads a certificate, and those that lead to its root, and its key, both in PEM.
    ///
    /// - Throws: ``APNsError`` if they cannot be read or do not go together.
    package init(certificate: String, privateKey: String) throws(APNsError) {
        let chain = try Self.read("\(certificate) is no certificate in PEM.") {
            try NIOSSLCertificate.fromPEMFile(certificate)
        }
        let key = try Self.read("\(privateKey) is no private key in PEM.") {
            try NIOSSLPrivateKey(file: privateKey, format: .pem)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        context = try Self.read("\(certificate) and \(privateKey) do not go together.") {
            try NIOSSLContext(configuration: configuration)
        }
        fingerprint = try Self.read("\(certificate) has no certificate.") {
            Data(try chain.first?.toDERBytes() ?? []).fingerprint
        }
    }

    private static func read<Value>(
        _ failure: String,
        _ body: () throws -> Value
    ) throws(APNsError) -> Value {
        do {
            return try body()
        } catch {
            throw APNsError(code: .unreadableKey, reason: failure)
        }
    }
}

/// A certificate for some hosts, and a root that signed it and nothing else: the root's own key is forgotten at once, so
/// that a phone which trusts the root trusts this certificate, and no other ever.
package struct FrontCertificate: Sendable {
    /// The certificate, and behind it the root, in PEM.
    package let chainPEM: String
    /// The certificate's private key in PEM.
    package let keyPEM: String
    /// The root in PEM: what clients trust.
    package let rootPEM: String
    /// A configuration profile by which iPhones install the root.
    package let profile: Data

    /// Makes a certificate that is valid for a year.
    ///
    /// - Parameter hosts: Names and addresses, without brackets.
    /// - Throws: The errors of the certificate library.
    package init(hosts: [String]) throws {
        let (rootKey, key) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
        let rootPublic = Certificate.PublicKey(rootKey.publicKey)
        let start = Date(timeIntervalSinceNow: -3600)
        let end = start.addingTimeInterval(365 * 86400)
        let rootName = try DistinguishedName {
            OrganizationName("PushBridge")
            CommonName("PushBridge simulator, \(hosts.first ?? ""), \(UUID().uuidString.prefix(8))")
        }
        let identifier = SubjectKeyIdentifier(hash: rootPublic)
        let root = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: rootPublic,
            notValidBefore: start,
            notValidAfter: end,
            issuer: rootName,
            subject: rootName,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
                identifier
            },
            issuerPrivateKey: Certificate.PrivateKey(rootKey)
        )
        let own = Certificate.PublicKey(key.publicKey)
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: own,
            notValidBefore: start,
            notValidAfter: end,
            issuer: rootName,
            subject: try DistinguishedName { CommonName("PushBridge simulator") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(hosts.map(GeneralName.init(host:)))
                SubjectKeyIdentifier(hash: own)
                AuthorityKeyIdentifier(keyIdentifier: identifier.keyIdentifier)
            },
            issuerPrivateKey: Certificate.PrivateKey(rootKey)
        )
        rootPEM = try root.serializeAsPEM().pemString
        chainPEM = try certificate.serializeAsPEM().pemString + "\n" + rootPEM
        keyPEM = key.pemRepresentation
        profile = try TrustProfile(root: Data(root.serializeAsPEM().derBytes), host: hosts.first ?? "").data()
    }

    /// Whether a certificate in PEM is for these hosts and valid for some days.
    package static func fits(_ pem: String, _ hosts: [String]) -> Bool {
        do {
            let certificate = try Certificate(pemEncoded: pem.firstBlock)
            let names = try certificate.extensions.subjectAlternativeNames ?? SubjectAlternativeNames([])
            return hosts.allSatisfy { names.contains(GeneralName(host: $0)) }
                && certificate.notValidAfter > Date(timeIntervalSinceNow: 7 * 86400)
        } catch {
            return false
        }
    }
}

extension GeneralName {
    /// A name, or an address if the text is one.
    fileprivate init(host: String) {
        var (four, sixteen) = (in_addr(), in6_addr())
        let bytes: [UInt8]? =
            if inet_pton(AF_INET, host, &four) == 1 {
                withUnsafeBytes(of: &four) { Array($0) }
            } else if inet_pton(AF_INET6, host, &sixteen) == 1 {
                withUnsafeBytes(of: &sixteen) { Array($0) }
            } else {
                nil
            }
        self = bytes.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) } ?? .dnsName(host)
    }
}

/// A configuration profile with one root certificate, as Apple's devices install it.
private struct TrustProfile: Encodable {
    struct Root: Encodable {
        let PayloadType = "com.apple.security.root"
        let PayloadVersion = 1
        let PayloadIdentifier: String
        let PayloadUUID: String
        let PayloadDisplayName: String
        let PayloadCertificateFileName = "PushBridge.cer"
        let PayloadContent: Data
    }

    let PayloadType = "Configuration"
    let PayloadVersion = 1
    let PayloadIdentifier: String
    let PayloadUUID: String
    let PayloadDisplayName: String
    let PayloadDescription: String
    let PayloadContent: [Root]

    init(root: Data, host: String) {
        let (own, inner) = (UUID().uuidString, UUID().uuidString)
        PayloadIdentifier = "pushbridge.simulator.\(own)"
        PayloadUUID = own
        PayloadDisplayName = "PushBridge simulator at \(host)"
        PayloadDescription = "Lets this device trust a simulated server for tests. Its root signed one certificate, for \(host)."
        PayloadContent = [
            Root(
                PayloadIdentifier: "pushbridge.simulator.\(own).root",
                PayloadUUID: inner,
                PayloadDisplayName: "PushBridge simulator root",
                PayloadContent: root
            )
        ]
    }

    func data() throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        return try encoder.encode(self)
    }
}

extension Data {
    /// The SHA-256, as certificate viewers show it.
    fileprivate var fingerprint: String {
        SHA256.hash(data: self).map { String(format: "%02X", $0) }.joined(separator: ":")
    }
}

extension String {
    /// The first of several blocks of PEM.
    fileprivate var firstBlock: String {
        guard let end = range(of: "-----END CERTIFICATE-----") else { return self }
        return String(self[..<end.upperBound])
    }
}
