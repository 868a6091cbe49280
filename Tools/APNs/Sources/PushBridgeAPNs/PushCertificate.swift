import Crypto
package import Foundation
package import PushBridgeCore
import SwiftASN1
import X509

/// The parts of a provider's certificate that APNs reads: topics, environments and validity period.
///
/// A single topic is the user id in the certificate's subject; several topics are in a certificate extension that Apple
/// defines. For each environment, the certificate has a separate extension.
package struct PushCertificate: Equatable, Sendable {
    /// The encoded certificate, by which certificates are compared.
    let bytes: [UInt8]
    /// The topics that the certificate may send to.
    package let topics: [String]
    /// Whether a request must name one of the topics.
    let listsTopics: Bool
    /// The environments that the certificate may send to.
    package let environments: Set<APNsEnvironment>
    /// The start of the validity period.
    package let start: Date
    /// The end of the validity period.
    package let end: Date

    /// Reads a certificate in DER.
    ///
    /// - Throws: The errors of the certificate library.
    init(bytes: [UInt8]) throws {
        let certificate = try Certificate(derEncoded: bytes)
        let extensions = certificate.extensions
        let listed = try extensions[oid: .appleTopics].map { try Self.topics(in: $0.value) }
        let subject = certificate.subject.flatMap { $0 }.first { $0.type == .userId }
        self.bytes = bytes
        topics = listed ?? [subject.flatMap { String($0.value) }].compactMap { $0 }
        listsTopics = listed != nil
        environments = Set(
            [.sandbox, .production].filter { (each: APNsEnvironment) in
                extensions[oid: each.extensionId] != nil
            }
        )
        (start, end) = (certificate.notValidBefore, certificate.notValidAfter)
    }

    /// Reads the first certificate in a PEM text.
    ///
    /// - Throws: The errors of the certificate library, and `CocoaError` if the text contains no certificate.
    package init(pem: String) throws {
        let documents = try PEMDocument.parseMultiple(pemString: pem)
        guard let first = documents.first(where: { $0.discriminator == Certificate.defaultPEMDiscriminator })
        else { throw CocoaError(.fileReadCorruptFile) }
        try self.init(bytes: first.derBytes)
    }

    /// Returns the topics in the extension's sequence.
    ///
    /// After each topic, a nested sequence lists the services of the topic.
    private static func topics(in value: ArraySlice<UInt8>) throws -> [String] {
        guard case .constructed(let nodes) = try DER.parse(value).content else { return [] }
        let texts = nodes.filter { $0.identifier == .utf8String }
        return try texts.map { String(try ASN1UTF8String(derEncoded: $0)) }
    }
}

extension PushCertificate {
    /// Creates a self-signed certificate in the form of Apple's certificates, and its private key in PEM.
    ///
    /// The certificate covers the topics of every push type of the apps. It is valid for a year.
    ///
    /// - Throws: The errors of the certificate library.
    package static func make(
        bundles: [String],
        environments: [APNsEnvironment],
        from start: Date = Date(timeIntervalSinceNow: -3600)
    ) throws -> (pem: String, keyPEM: String) {
        let suffixes = Set(APNsService.topicSuffixes.values).sorted()
        let topics = bundles.flatMap { bundle in suffixes.map { bundle + $0 } }
        var list = DER.Serializer()
        try list.appendConstructedNode(identifier: .sequence) { list in
            for topic in topics {
                try ASN1UTF8String(topic).serialize(into: &list)
                try list.appendConstructedNode(identifier: .sequence) { services in
                    try ASN1UTF8String("app").serialize(into: &services)
                }
            }
        }
        var extensions = environments.map { environment in
            Certificate.Extension(oid: environment.extensionId, critical: false, value: [0x05, 0x00])
        }
        extensions.append(
            Certificate.Extension(oid: .appleTopics, critical: false, value: list.serializedBytes[...])
        )
        let first = bundles.first ?? ""
        let subject = try DistinguishedName([
            RelativeDistinguishedName.Attribute(type: .userId, utf8String: first),
            RelativeDistinguishedName.Attribute(
                type: .RDNAttributeType.commonName,
                utf8String: "PushBridge push certificate: \(first)"
            ),
        ])
        let key = P256.Signing.PrivateKey()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: start,
            notValidAfter: start.addingTimeInterval(365 * 86400),
            issuer: subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions(extensions),
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        // Both texts end with a line break, so that they can be joined in one file.
        return ("\(try certificate.serializeAsPEM().pemString)\n", "\(key.pemRepresentation)\n")
    }
}

extension APNsEnvironment {
    /// The extension that allows pushes to this environment.
    fileprivate var extensionId: ASN1ObjectIdentifier {
        switch self {
        case .sandbox: [1, 2, 840, 113635, 100, 6, 3, 1]
        case .production: [1, 2, 840, 113635, 100, 6, 3, 2]
        }
    }
}

extension ASN1ObjectIdentifier {
    /// The extension that lists topics.
    fileprivate static let appleTopics: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 3, 6]
    /// The attribute of a subject that contains a user id.
    fileprivate static let userId: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
}
