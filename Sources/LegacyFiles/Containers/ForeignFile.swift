import Foundation
@_spi(PushBridgeTools) import PushBridgeCore
import PushBridgeFiles

/// Recognises, by their content, files of other programs that users may mistake for a store, and broken documents.
enum ForeignFile {
    /// Returns a sentence with the kind of a file and the next step, or with the first error in a document.
    ///
    /// The result is `nil` if the file is not recognised.
    static func sentence(about url: URL) throws -> String? {
        let name = url.relativePath
        let prefix = try ByteReader(url).prefix(64 * 1024)
        if prefix.dropFirst(16).starts(with: Array("T-DB".utf8)) {
            return "\(name) is a Realm database. Export the accounts with the app that wrote the database."
        }
        let start = prefix.drop { $0.isJSONSpace || $0.isByteOrderMark }
        for (scheme, rest) in schemes where start.starts(with: Array(scheme.utf8)) {
            // Only Ente Auth writes this parameter into its URIs.
            let isOfEnte = scheme == "otpauth://" && start.contains(bytesOf: "codeDisplay=")
            let program = isOfEnte ? "is an export of Ente Auth, another authenticator; it " : ""
            return "\(name) \(program)\(rest)"
        }
        if start.first == UInt8(ascii: "<"), prefix.contains(bytesOf: "<plist") {
            return try faultOfPropertyList(url).map { "\(name) is a damaged property list: \($0)" }
        }
        guard start.first == UInt8(ascii: "{") || start.first == UInt8(ascii: "[") else { return nil }
        let text = try ByteReader(url).prefix(largest)
        guard text.count < largest else { return nil }
        let value: Any
        do {
            value = try JSONSerialization.jsonObject(with: Data(text))
        } catch {
            // The parser of `fault(in:)` finds the place of the error.
            return fault(in: text).map {
                "\(name) is not a store of the legacy SDK or its successor: invalid JSON at \($0.words)."
            }
        }
        return otherAuthenticator(value).map { program in
            "\(name) is an export of \(program), another authenticator. PushBridge migrates accounts of the legacy SDK"
                + " and of its successor; enrol these accounts again."
        }
    }

    /// Returns the place of the first error in a JSON document.
    ///
    /// Returns `nil` if the first line is a complete document, because each further line may then be another document.
    private static func fault(in text: [UInt8]) -> JSONFault? {
        let line = text.prefix { $0 != UInt8(ascii: "\n") }
        return JSONFault(in: Data(line)).flatMap { _ in JSONFault(in: Data(text)) }
    }

    /// Returns a sentence about an XML property list that cannot be parsed; `nil` if the list is complete, too large or
    /// not in UTF-8.
    private static func faultOfPropertyList(_ url: URL) throws -> String? {
        let text = try ByteReader(url).prefix(largest)
        // Foundation on Linux traps if a name is not UTF-8.
        guard text.count < largest, String(bytes: text, encoding: .utf8) != nil else { return nil }
        return XMLDumpReader().read(text)
    }

    private static let schemes = [
        (
            "otpauth-migration://",
            "is an export of Google Authenticator, another authenticator. PushBridge migrates accounts of the legacy SDK"
                + " and of its successor; enrol these accounts again."
        ),
        ("otpauth://", "contains registration URIs and is not a store. Enrol with each URI in the app."),
        ("pushauth://", "contains registration URIs and is not a store. Enrol with each URI in the app."),
        ("mfauth://", "contains registration URIs and is not a store. Enrol with each URI in the app."),
    ]

    /// The JSON members that identify another authenticator's export.
    ///
    /// In `a.b`, `b` is the name of a member of the object `a`.
    private static let exports: [(program: String, members: Set<String>)] = [
        ("Aegis", ["version", "header", "db"]),
        ("2FAS", ["services", "schemaVersion"]),
        ("Bitwarden", ["encrypted", "items"]),
        ("FreeOTP", ["tokenOrder", "tokens"]),
        ("andOTP", ["secret", "thumbnail", "last_used"]),
        ("Raivo", ["secret", "issuer", "account", "kind", "timer"]),
        ("Ente Auth", ["kdfParams", "encryptedData", "encryptionNonce"]),
        ("LastPass Authenticator", ["deviceSecret", "localDeviceId", "accounts.issuerName"]),
        ("Proton Authenticator", ["version", "entries.content.uri", "entries.content.entry_type"]),
    ]

    private static func otherAuthenticator(_ value: Any) -> String? {
        let found = names(in: value)
        return exports.first { $0.members.isSubset(of: found) }?.program
    }

    /// Returns the names of the members of an object, and of the objects within it up to three levels.
    ///
    /// For a list, returns the names of the first object.
    private static func names(in value: Any, levels: Int = 3) -> Set<String> {
        guard levels > 0, let object = value as? [String: Any] ?? (value as? [Any])?.first as? [String: Any]
        else { return [] }
        return object.reduce(into: Set(object.keys)) { found, member in
            for name in names(in: member.value, levels: levels - 1) { found.insert("\(member.key).\(name)") }
        }
    }

    private static let largest = 16 * 1024 * 1024
}
