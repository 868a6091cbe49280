import Foundation
import PushBridgeCommandLine

/// How to reach APNs or its stand-in, as `pushbridge apns serve` prints it and as a file keeps it.
package struct APNsAccess: Codable, Equatable, Sendable {
    /// The host; absent of the stand-in, which is on this machine.
    package var host: String?
    /// The port; 443 where there is none.
    package var port: UInt16?
    /// The path below which the stand-in has its endpoints for devices and tests; absent for Apple's hosts.
    package var control: String?
    /// The file with the certificate to trust; absent for Apple's hosts.
    package var certificate: String?
    /// The `.p8` file.
    package var keyFile: String
    /// The key's id.
    package var keyId: String
    /// The team's id.
    package var teamId: String
    /// The app's bundle identifier.
    package var topic: String
    /// More topics that the key sends to.
    package var topics: [String]?
    /// The provider's name; the topic where there is none.
    package var name: String?

    /// Names a stand-in on this machine.
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

    /// Reads a file with one access, or with a list of them.
    ///
    /// - Throws: ``APNsError`` if it cannot be read, or if the list is empty.
    package static func read(_ path: String) throws(APNsError) -> [APNsAccess] {
        let accesses = try decode(path)
        guard !accesses.isEmpty else {
            throw APNsError(code: .unreadableKey, reason: "\(path) has no provider.")
        }
        return accesses
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
                member.map { "\"\($0)\" is missing or invalid" } ?? "it is not what apns serve --json prints"
            throw APNsError(
                code: .unreadableKey,
                reason: "\(path) does not say how to reach APNs: \(detail)."
            )
        }
    }

    /// One line of JSON.
    ///
    /// - Throws: The encoder's error.
    package func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// A connection to the host.
    ///
    /// - Throws: ``APNsError`` if the certificate cannot be read.
    package func connection() throws(APNsError) -> APNsConnection {
        try APNsConnection(
            host: host ?? "127.0.0.1",
            port: port ?? 443,
            control: control ?? "",
            certificate: certificate
        )
    }

    /// A provider with this key, whose provider tokens the user's next one has as well.
    ///
    /// - Throws: ``APNsError`` if the key or the certificate cannot be read.
    package func provider() throws(APNsError) -> APNsProvider {
        let key = try ProviderKey(file: keyFile, keyId: keyId, teamId: teamId)
        return APNsProvider(
            name: name ?? topic,
            topic: topic,
            key: key,
            transport: try connection(),
            keepingTokensIn: APNsProvider.tokenFolder
        )
    }
}

extension [APNsAccess] {
    /// The access of a named provider, else of a topic or of the app that it is of, else the first.
    ///
    /// - Returns: `nil` if none of several has the name or the topic: a key of another app would be refused.
    package func access(named name: String?, topic: String?) -> APNsAccess? {
        if let name { return first { ($0.name ?? $0.topic) == name } }
        let topics = topic.map { [$0, APNsService.bundle(ofTopic: $0)] } ?? []
        let named = topics.compactMap { topic in first { ([$0.topic] + ($0.topics ?? [])).contains(topic) } }
        return named.first ?? (topic == nil || count == 1 ? first : nil)
    }
}

extension ProviderKey {
    /// Reads a `.p8` file.
    /// - Throws: ``APNsError`` if it cannot be read.
    package init(file: String, keyId: String, teamId: String) throws(APNsError) {
        let pem = String(decoding: try Data(input: file), as: UTF8.self)
        try self.init(pem: pem, keyId: keyId, teamId: teamId)
    }
}

extension Data {
    fileprivate init(input file: String) throws(APNsError) {
        do {
            try self.init(named: file)
        } catch {
            throw APNsError(code: .unreadableKey, reason: error.sentence)
        }
    }
}

extension DecodingError {
    /// The member of an object that is missing or invalid; `nil` if there is no object.
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
