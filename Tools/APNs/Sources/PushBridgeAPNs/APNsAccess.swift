import Foundation
import PushBridgeCommandLine
package import PushBridgeCore

/// The connection settings for APNs or its stand-in.
///
/// `pushbridge apns serve` prints these settings, and other commands read them from the file that `--apns` names.
package struct APNsAccess: Codable, Equatable, Sendable {
    /// The host; absent for the stand-in, which runs on this machine.
    package var host: String?
    /// The port; 443 if absent.
    package var port: UInt16?
    /// The path below which the stand-in has its endpoints for devices and tests; absent for Apple's hosts.
    package var control: String?
    /// The file with the certificate to trust; absent for Apple's hosts.
    package var certificate: String?
    /// The service (sandbox or production); may be absent for Apple's hosts, whose names determine the service.
    package var environment: APNsEnvironment?
    /// The `.p8` file; absent if the provider has only a certificate.
    package var keyFile: String?
    /// The key's id; absent if there is no key.
    package var keyId: String?
    /// The team's id; absent if there is no key.
    package var teamId: String?
    /// The file with the provider's certificate, which authenticates the provider if there is no key.
    package var clientCertificate: String?
    /// The file with the certificate's private key; if this is absent, the certificate's file also contains
    /// the key.
    package var clientKey: String?
    /// The app's bundle identifier.
    package var topic: String
    /// Other topics that the key may send to; absent if there are none.
    package var topics: [String]?
    /// The provider's name; if absent, the topic is the name.
    package var name: String?
    /// The file from which these settings were read; `nil` if they were not read from a file.
    private var source: String?

    private enum CodingKeys: String, CodingKey {
        case host, port, control, certificate, environment, keyFile, keyId, teamId
        case clientCertificate, clientKey, topic, topics, name
    }

    /// Describes a stand-in on this machine that accepts a key.
    package init(
        port: UInt16,
        control: String,
        certificate: String,
        keyFile: String,
        key: ProviderKey,
        topics: [String]
    ) {
        self.port = port
        self.control = control
        self.certificate = certificate
        self.keyFile = keyFile
        keyId = key.keyId
        teamId = key.teamId
        topic = topics.first ?? ""
        if topics.count > 1 { self.topics = Array(topics.dropFirst()) }
    }

    /// Reads a file that contains the settings for one provider, or a list with the settings for several providers.
    ///
    /// - Throws: ``APNsError`` if the file cannot be read or decoded, or if the list is empty.
    package static func read(_ path: String) throws(APNsError) -> [APNsAccess] {
        let accesses = try decode(path)
        guard !accesses.isEmpty else {
            throw APNsError(code: .unreadableKey, reason: "\(path) contains no provider.")
        }
        return accesses.map { access in
            var access = access
            access.source = path
            return access
        }
    }

    private static func decode(_ path: String) throws(APNsError) -> [APNsAccess] {
        let data = try Data(input: path)
        guard let first = data.first(where: { !$0.isWhiteSpace }) else {
            let reason = "\(path) is empty; apns serve --json has not written it yet."
            throw APNsError(code: .unreadableKey, reason: reason)
        }
        do {
            let decoder = JSONDecoder()
            return first == UInt8(ascii: "[")
                ? try decoder.decode([APNsAccess].self, from: data)
                : [try decoder.decode(APNsAccess.self, from: data)]
        } catch {
            let member = (error as? DecodingError)?.member
            let detail =
                member.map { "\"\($0)\" is missing or invalid" }
                ?? "it is not the output of apns serve --json"
            throw APNsError(
                code: .unreadableKey,
                reason: "\(path) does not describe how to reach APNs: \(detail)."
            )
        }
    }

    /// Returns this access as one line of JSON.
    ///
    /// - Throws: The encoder's error.
    package func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Host, port and service, for display.
    package var place: String {
        let service = service.map { ", \($0.rawValue)" } ?? ""
        return "\(host ?? "127.0.0.1"):\(port ?? 443)\(service)"
    }

    /// The service; `nil` if neither the host nor the file specifies it.
    private var service: APNsEnvironment? {
        switch host {
        case "api.push.apple.com": .production
        case "api.sandbox.push.apple.com", "api.development.push.apple.com": .sandbox
        default: environment
        }
    }

    /// The path of the stand-in's access file, or `FILE` if no file was read; `nil` if the host is not a stand-in.
    private var standIn: String? { control == nil ? nil : source ?? "FILE" }

    /// Returns a connection to the host.
    ///
    /// - Parameter identity: The client certificate to use instead of a provider token.
    /// - Returns: The connection, which opens on first use.
    /// - Throws: ``APNsError`` if a certificate is missing or cannot be used.
    package func connection(as identity: ClientIdentity? = nil) throws(APNsError) -> APNsConnection {
        try checkThatItIsThere()
        return try APNsConnection(
            host: host ?? "127.0.0.1",
            port: port ?? 443,
            control: control ?? "",
            certificate: certificate,
            identity: identity,
            standIn: standIn
        )
    }

    /// Throws an error if the certificate file that the settings name is missing.
    ///
    /// - Throws: ``APNsError``, which says whether a stand-in has ended and has removed its files.
    package func checkThatItIsThere() throws(APNsError) {
        if let certificate { try check(certificate) }
    }

    private func check(_ file: String) throws(APNsError) {
        guard !FileManager.default.fileExists(atPath: file) else { return }
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().lastPathComponent
        if let standIn, folder.hasPrefix(Self.standInFolder) { throw APNsError.ended(standIn: standIn) }
        let names = source.map { ", which \($0) names" } ?? ""
        throw APNsError(code: .unreadableKey, reason: "There is no file \(file)\(names).")
    }

    /// The prefix of the folders in which stand-ins store their files.
    package static let standInFolder = "pushbridge-apns-"

    /// Creates a provider that uses the key that the file names or, if there is none, the certificate.
    ///
    /// If there is a key, the provider shares its provider tokens with later runs by the same user.
    ///
    /// - Parameter identity: The certificate to use instead of the credentials that the file names.
    /// - Returns: The provider.
    /// - Throws: ``APNsError`` if the key or the certificate cannot be read.
    package func provider(as identity: ClientIdentity? = nil) throws(APNsError) -> APNsProvider {
        let key = identity == nil ? try key() : nil
        var identity = identity
        if key == nil, identity == nil { identity = try ownIdentity() }
        return APNsProvider(
            name: name ?? topic,
            topic: topic,
            key: key,
            transport: try connection(as: identity),
            keepingTokensIn: APNsProvider.tokenFolder
        )
    }

    private func key() throws(APNsError) -> ProviderKey? {
        guard let keyFile else { return nil }
        try check(keyFile)
        guard let keyId, let teamId else {
            let missing = keyId == nil ? "keyId" : "teamId"
            throw unusable("\"keyFile\" needs \"\(missing)\" beside it")
        }
        return try ProviderKey(file: keyFile, keyId: keyId, teamId: teamId)
    }

    private func ownIdentity() throws(APNsError) -> ClientIdentity {
        guard let clientCertificate else {
            throw unusable("\"keyFile\" or \"clientCertificate\" is missing")
        }
        try check(clientCertificate)
        return try ClientIdentity(
            certificate: clientCertificate,
            privateKey: clientKey ?? clientCertificate,
            at: Date()
        )
    }

    private func unusable(_ detail: String) -> APNsError {
        let file = source ?? "The file"
        return APNsError(
            code: .unreadableKey,
            reason: "\(file) does not describe how to send to APNs: \(detail)."
        )
    }

    /// Returns a text for display that names the signing key of the provider token, or the client certificate.
    package func authorization(as identity: ClientIdentity?) -> String {
        let file = identity?.file ?? (keyFile == nil ? clientCertificate : nil)
        return file.map { "(none: the certificate in \($0))" }
            ?? "bearer (a provider token of key \(keyId ?? ""), team \(teamId ?? ""))"
    }
}

extension [APNsAccess] {
    /// Returns the access for a provider's name or, without a name, for a topic.
    ///
    /// An access also matches a topic if it has the topic's bundle identifier. If neither a name nor a topic is given,
    /// the first access matches. If the list has only one access, that access matches every topic.
    ///
    /// - Returns: The access; `nil` if no access matches.
    package func access(named name: String?, topic: String?) -> APNsAccess? {
        if let name { return first { ($0.name ?? $0.topic) == name } }
        let topics = topic.map { [$0, APNsService.bundle(ofTopic: $0)] } ?? []
        let named = topics.compactMap { topic in first { ([$0.topic] + ($0.topics ?? [])).contains(topic) } }
        return named.first ?? (topic == nil || count == 1 ? first : nil)
    }
}

extension ProviderKey {
    /// Reads a `.p8` file.
    /// - Throws: ``APNsError`` if the file cannot be read or contains no P-256 key.
    package init(file: String, keyId: String, teamId: String) throws(APNsError) {
        let pem = String(decoding: try Data(input: file), as: UTF8.self)
        try self.init(pem: pem, keyId: keyId, teamId: teamId)
    }
}

extension Data {
    init(input file: String) throws(APNsError) {
        do {
            try self.init(named: file)
        } catch {
            throw APNsError(code: .unreadableKey, reason: error.sentence)
        }
    }
}

extension DecodingError {
    /// The name of the missing or invalid member; `nil` if the error does not concern a member.
    fileprivate var member: String? {
        switch self {
        case .keyNotFound(let key, _): key.stringValue
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.last?.stringValue
        @unknown default: nil
        }
    }
}

extension UInt8 {
    fileprivate var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
