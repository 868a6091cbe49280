import Foundation
import PingAMSimulator
import PushBridgeCore

extension JournalEntry {
    /// The request as it is compared: everything that arrived, its token taken apart.
    ///
    /// Left out are the length, which follows from the body, and the body's order of members, which is none.
    func record(signers: [String: SharedSecret]) -> JSONValue {
        var headers = headers
        headers["content-length"] = nil
        if let host = headers["host"], host.hasSuffix(".simulator.invalid") { headers["host"] = "server" }
        var record: [String: JSONValue] = [
            "method": .string(method),
            "url": .string("https://\(headers["host"] ?? "")\(target)"),
            "headers": .object(headers.mapValues(JSONValue.string)),
            "status": status.map(JSONValue.integer) ?? .null,
        ]
        guard case .object(var members) = body else {
            record["body"] = body
            return .object(record)
        }
        if case .string(let jwt)? = members.removeValue(forKey: "jwt") {
            record["token"] = [
                "header": Self.header(of: jwt),
                "claims": claims ?? .null,
                "signedBy": Self.signer(of: jwt, among: signers),
            ]
        }
        record["body"] = .object(members)
        return .object(record)
    }

    private static func header(of jwt: String) -> JSONValue {
        let header = jwt.prefix { $0 != "." }
        return Base64.decode(String(header)).map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
    }

    private static func signer(of jwt: String, among signers: [String: SharedSecret]) -> JSONValue {
        let signer = signers.sorted { $0.key < $1.key }.first { _, secret in
            do {
                _ = try CompactToken(jwt).verified(with: secret)
                return true
            } catch {
                return false
            }
        }
        return signer.map { .string($0.key) } ?? .null
    }
}
