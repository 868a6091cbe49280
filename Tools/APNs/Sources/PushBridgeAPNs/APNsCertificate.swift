import Crypto
import Foundation
import SwiftASN1
import X509

/// A self-signed certificate for the stand-in.
package struct APNsCertificate: Sendable {
    /// The certificate in PEM.
    package let pem: String
    /// The certificate's private key in PEM.
    package let keyPEM: String

    /// Makes a certificate for this machine that is valid for a year.
    ///
    /// - Throws: The errors of the certificate library.
    package init() throws {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("PushBridge stand-in for APNs") }
        let start = Date(timeIntervalSinceNow: -3600)
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: start,
            notValidAfter: start.addingTimeInterval(365 * 86400),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([
                    .dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                ])
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        pem = try certificate.serializeAsPEM().pemString
        keyPEM = key.pemRepresentation
    }
}
