import Crypto
package import Foundation
package import NIOSSL
import SwiftASN1
import X509

/// A certificate and its private key, with which a ``FrontServer`` authenticates itself over TLS.
package struct FrontIdentity: Sendable {
    /// The TLS context with the certificate and its key.
    package let context: NIOSSLContext
    /// The SHA-256 of the certificate, as `AB:CD:…`.
    package let fingerprint: String

    /// Reads a certificate, its chain up to the root, and its key, all in PEM.
    ///
    /// - Throws: ``APNsError`` if the files cannot be read or if the key does not match the certificate.
    package init(certificate: String, privateKey: String) throws(APNsError) {
        let chain = try Self.read("\(certificate) is not a certificate in PEM.") {
            try NIOSSLCertificate.fromPEMFile(certificate)
        }
        let key = try Self.read("\(privateKey) is not a private key in PEM.") {
            try NIOSSLPrivateKey(file: privateKey, format: .pem)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        context = try Self.read("\(certificate) and \(privateKey) do not match.") {
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

/// A certificate for the given hosts, and a root that has signed only this certificate.
///
/// The root's private key is discarded immediately. So the root can never sign
/// another certificate that a phone would trust.
package struct FrontCertificate: Sendable {
    /// The certificate, followed by the root, in PEM.
    package let chainPEM: String
    /// The certificate's private key in PEM.
    package let keyPEM: String
    /// The root in PEM, which clients trust.
    package let rootPEM: String
    /// A configuration profile that installs the root on iPhones.
    package let profile: Data

    /// Makes a certificate that is valid for a year.
    ///
    /// - Parameter hosts: The names and addresses, without the brackets around IPv6 addresses.
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

    /// Returns whether a certificate in PEM covers these hosts and stays valid for at least seven days.
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
    /// Creates an IP address if `host` is an IP address, and a DNS name otherwise.
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

/// A configuration profile with one root certificate for Apple's devices.
///
/// The same type also represents the payload in the profile, which contains the root.
private struct TrustProfile<Content: Encodable>: Encodable {
    enum CodingKeys: String, CodingKey {
        case type = "PayloadType"
        case version = "PayloadVersion"
        case identifier = "PayloadIdentifier"
        case uuid = "PayloadUUID"
        case name = "PayloadDisplayName"
        case description = "PayloadDescription"
        case content = "PayloadContent"
    }

    let type: String
    var version = 1
    let identifier: String
    var uuid = UUID().uuidString
    let name: String
    let description: String
    let content: Content
}

extension TrustProfile where Content == [TrustProfile<Data>] {
    /// Creates a profile for a root in DER.
    init(root: Data, host: String) {
        let identifier = "pushbridge.simulator.\(UUID().uuidString)"
        let name = "PushBridge simulator at \(host)"
        let description =
            "For tests: trusts a simulated server. The root in this profile signed one certificate, for \(host)."
        let payload = TrustProfile<Data>(
            type: "com.apple.security.root",
            identifier: "\(identifier).root",
            name: "\(name), root",
            description: description,
            content: root
        )
        self.init(
            type: "Configuration",
            identifier: identifier,
            name: name,
            description: description,
            content: [payload]
        )
    }

    func data() throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        return try encoder.encode(self)
    }
}

extension Data {
    /// The SHA-256 in the form in which certificate viewers show it.
    fileprivate var fingerprint: String {
        SHA256.hash(data: self).map { String(format: "%02X", $0) }.joined(separator: ":")
    }
}

extension String {
    /// The first block of a text that contains several PEM blocks.
    fileprivate var firstBlock: String {
        guard let end = range(of: "-----END CERTIFICATE-----") else { return self }
        return String(self[..<end.upperBound])
    }
}
