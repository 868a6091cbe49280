import Foundation
import PingAMSimulator
import PushBridgeCore
import Testing

/// The simulator's output is compared byte for byte with the output of a separate script.
///
/// The script implements tables that describe the server's source.
@Suite("Golden codes and pushes")
struct GoldenTests {
    struct Entry: Decodable, CustomTestStringConvertible {
        let version: ServerVersion
        let sender: String
        let kind: String
        let code: String?
        let payload: String?
        let claims: String?

        /// Whether the code was created without colour, image and policies, and the push without message, payload and
        /// context.
        var isUnconfigured: Bool { kind == "unconfigured" }

        var testDescription: String { "\(kind) from a \(sender) of version \(version.rawValue)" }
    }

    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("ServerFixtures/golden.json")
    private static let time = Date(timeIntervalSince1970: 1_700_000_000.125)

    private static func entries() throws -> [Entry] {
        try JSONDecoder().decode([Entry].self, from: Data(contentsOf: file))
    }

    @Test func everyVersionHasItsCodesAndPushes() throws {
        let entries = try Self.entries()
        #expect(Set(entries.map(\.version)) == Set(ServerVersion.allCases))
        // For each sender, each version has one code, three pushes, and one entry without options. From version 7.3
        // on, nodes also have two combined codes.
        let combined = ServerVersion.allCases.filter { $0 >= .v7_3 }
        #expect(entries.count == ServerVersion.allCases.count * 2 * 5 + combined.count * 2)
    }

    @Test func eachCodeEqualsItsGoldenText() throws {
        for entry in try Self.entries() {
            guard let golden = entry.code else { continue }
            let code = try Self.code(entry)
            let registration = code.registration
            let resourceId = Data((registration.deviceResourceId ?? "").utf8)
            let drawn = [
                "messageId": registration.messageId,
                "secret": registration.sharedSecret.withUnsafeBytes { Self.urlSafe(Data($0)) },
                "challenge": Self.urlSafe(registration.challenge),
                "resourceId": Self.urlSafe(resourceId),
                "oathSecret": code.oathSecret.map { $0.withUnsafeBytes { Self.base32(Data($0)) } } ?? "",
                "oathResourceId": code.uri.value(of: "oid") ?? "",
            ]
            #expect(code.uri == golden.filled(with: drawn), "\(entry.testDescription)")
            let read = try RegistrationURI(code.uri).account
            #expect(read.key == AccountKey(issuer: "Fo rge: 1", accountName: "de mo@x"))
            let image = entry.isUnconfigured ? nil : "https://x.example.com/y.png?a=b"
            #expect(read.imageURL.flatMap { $0.isEmpty ? nil : $0 } == image, "\(entry.testDescription)")
            let oid = Base64.decode(drawn["oathResourceId"] ?? "").map { String(decoding: $0, as: UTF8.self) }
            #expect(oid == "" || oid?.wholeMatch(of: /[0-9a-f-]{36}/) != nil)
        }
    }

    @Test func eachPushEqualsItsGoldenText() throws {
        for entry in try Self.entries() {
            guard let payload = entry.payload, let claims = entry.claims else { continue }
            let secret = SharedSecret.random()
            let push = try Self.push(entry, secret: secret)
            guard case .string(let token)? = push.payload["aps"]?["data"] else {
                Issue.record("\(entry.testDescription) has no token.")
                continue
            }
            let drawn = ["messageId": push.messageId, "jwt": token, "challenge": push.challenge]
            #expect(push.payloadText == payload.filled(with: drawn), "\(entry.testDescription)")
            let parts = token.split(separator: ".").map { Base64.decode(String($0)) ?? Data() }
            #expect(JSONValue(json: parts[0])?["alg"] == "HS256")
            let written = String(decoding: parts[1], as: UTF8.self)
            #expect(written == claims.filled(with: drawn), "\(entry.testDescription)")
            #expect(throws: Never.self) { try JSONWebToken(token).verified(with: secret) }
        }
    }

    // MARK: - Inputs that the script uses too

    private static func service(_ entry: Entry) throws -> SimulatedService {
        var settings = ServiceSettings()
        settings.version = entry.version
        settings.sender = try #require(PushSender(rawValue: entry.sender))
        settings.base = "https://am.example.com/am"
        return SimulatedService(settings: settings)
    }

    private static func code(_ entry: Entry) throws -> RegistrationCode {
        var order = RegistrationOrder(issuer: "Fo rge: 1", account: "de mo@x", realm: "/alpha")
        order.userId = "user-1"
        if !entry.isUnconfigured {
            order.account.backgroundColor = "#032b75"
            order.account.imageURL = "https://x.example.com/y.png?a=b"
            order.account.policies = #"{"biometricAvailable":{}}"#
        }
        switch entry.kind {
        case "totp": order.codes = OneTimeCodeOrder()
        case "hotp": order.codes = OneTimeCodeOrder(.counter(7))
        default: break
        }
        order.codes?.algorithm = .sha256
        var service = try service(entry)
        return try service.createCode(order, at: time)
    }

    private static func push(_ entry: Entry, secret: SharedSecret) throws -> PushDelivery {
        var device = SimulatedDevice(
            mechanismUid: "mechanism-1",
            sharedSecret: secret,
            deviceToken: "aa",
            account: AccountKey(issuer: "Fo rge: 1", accountName: "de mo@x")
        )
        device.userId = "user-1"
        var order = PushOrder(
            mechanismUid: device.mechanismUid,
            type: entry.isUnconfigured ? .default : try #require(PushType(rawValue: entry.kind)),
            message: entry.isUnconfigured ? nil : "Is it you, {{user}}? Log in to {{issuer}}",
            numbers: "80,12,34"
        )
        if !entry.isUnconfigured {
            order.customPayload = #"{ "order": 7 }"#
            order.contextInfo = #"{ "remoteIp": "::1" }"#
        }
        var service = try service(entry)
        service.add(device)
        return try service.createPush(order, at: time)
    }

    private static func urlSafe(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    private static func base32(_ bytes: Data) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        var text = stride(from: 0, to: bits.count, by: 5).map { start in
            alphabet[(0..<5).reduce(0) { $0 * 2 + Int(start + $1 < bits.count ? bits[start + $1] : 0) }]
        }
        while !text.count.isMultiple(of: 8) { text.append("=") }
        return String(text)
    }
}

extension String {
    /// Returns the text with each name in braces replaced by its value.
    fileprivate func filled(with values: [String: String]) -> String {
        values.reduce(self) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
    }

    /// Returns the undecoded value of a parameter; `nil` if there is no such parameter.
    fileprivate func value(of name: String) -> String? {
        split(separator: "&").first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}
