package import Foundation
import NIOSSL

/// A provider's certificate with its private key, for a connection that needs no provider token.
package struct ClientIdentity: Sendable {
    /// The file of the certificate.
    let file: String
    private let chain: [NIOSSLCertificate]
    private let key: NIOSSLPrivateKey

    /// Reads a certificate and its private key, both in PEM.
    ///
    /// The certificate and the key may be in the same file.
    ///
    /// - Parameters:
    ///   - file: The file with the certificate and, optionally, the certificates that signed it.
    ///   - keyFile: The file with the unencrypted private key.
    ///   - now: The current time; an expired certificate is rejected.
    /// - Throws: ``APNsError``, with advice, if the files cannot be used.
    package init(certificate file: String, privateKey keyFile: String, at now: Date) throws(APNsError) {
        let certificate = try Data(input: file)
        let keyBytes = file == keyFile ? certificate : try Data(input: keyFile)
        let command = "openssl pkcs12 -in FILE.p12 -nodes -out push.pem"
        let advice =
            "to convert a .p12 file to one PEM file with certificate and key, run: \(command) "
            + "(with -legacy if openssl 3 refuses it)"
        let push: PushCertificate
        do {
            push = try PushCertificate(pem: String(decoding: certificate, as: UTF8.self))
            chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate))
        } catch {
            throw APNsError(code: .unreadableKey, reason: "\(file) has no certificate in PEM; \(advice).")
        }
        do {
            key = try NIOSSLPrivateKey(bytes: Array(keyBytes), format: .pem)
        } catch {
            let isEncrypted = String(decoding: keyBytes, as: UTF8.self).contains("ENCRYPTED")
            let reason =
                isEncrypted
                ? "The private key in \(keyFile) is encrypted; decrypt it with: openssl pkey -in \(keyFile) "
                    + "-out key.pem"
                : "\(keyFile) has no private key in PEM; \(advice)."
            throw APNsError(code: .unreadableKey, reason: reason)
        }
        guard now < push.end else {
            let date = ISO8601DateFormatter().string(from: push.end)
            let reason =
                "The certificate in \(file) expired at \(date); make a new one, or make a key, "
                + "because keys do not expire."
            throw APNsError(code: .unreadableKey, reason: reason)
        }
        self.file = file
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            show(in: &configuration)
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            let reason = "The private key in \(keyFile) does not belong to the certificate in \(file)."
            throw APNsError(code: .unreadableKey, reason: reason)
        }
    }

    /// Sets the certificate that connections with this TLS configuration present.
    func show(in configuration: inout TLSConfiguration) {
        configuration.certificateChain = chain.map { .certificate($0) }
        configuration.privateKey = .privateKey(key)
    }
}
