import Foundation
public import PushBridgeCore

/// Makes random payloads.
public struct RandomUserInfo {
    private var generator: SeededGenerator
    private let tokens: [String]
    private let credential: PushCredential
    private static let names = [
        "aps", "messageId", "data", "message", "alert", "content-available", "category", "extra",
    ]

    /// Starts the series of payloads that belongs to a seed.
    ///
    /// Some payloads contain tokens of a credential, intact or damaged.
    public init(seed: UInt64, _ credential: PushCredential) {
        generator = SeededGenerator(seed: seed)
        self.credential = credential
        let id = JSONValue.string(credential.id)
        let claims: [JSONValue] = [
            ["u": id, "c": "Y2g="], ["u": "nobody", "c": "Y2g="], ["c": "Y2g="], ["u": 7], [:],
        ]
        tokens =
            claims.map { SharedSecret.random().signedToken(claims: $0.data) }
            + [credential.sharedSecret.signedToken(claims: JSONValue.object(["u": id]).data), "a.b.c", ""]
    }

    /// Returns a payload with random members.
    public mutating func next() -> [AnyHashable: Any] {
        var userInfo = members(depth: 0)
        if generator.below(3) == 0 { userInfo["aps"] = ["messageId": text(), "data": token()] }
        return userInfo
    }

    /// Returns a payload with random claims.
    ///
    /// The payload is signed with the credential's secret, as the server would sign it.
    /// - Parameter number: The number at the end of the payload's message id.
    /// - Returns: The payload.
    public mutating func verified(_ number: Int) -> [AnyHashable: Any] {
        var claims: [String: JSONValue] = ["u": .string(credential.id), "c": "Y2hhbGxlbmdl"]
        for (name, usual) in Self.usualClaims where generator.below(3) > 0 { claims[name] = claim(usual) }
        var aps = members(depth: 0)
        aps["messageId"] = "AUTHENTICATE:\(number)"
        aps["data"] = credential.sharedSecret.signedToken(claims: JSONValue.object(claims).data)
        var userInfo = members(depth: 0)
        userInfo["aps"] = aps
        return userInfo
    }

    private static let usualClaims: [(String, JSONValue)] = [
        ("k", "challenge"), ("k", "biometric"), ("n", "34,43,57"), ("t", "120"), ("i", "1800000000000"),
        ("m", "Login"), ("p", #"{ "a": 1 }"#), ("x", #"{ "location": {  } }"#), ("l", "bGI9MQ=="),
        ("d", "demo"),
    ]

    private mutating func claim(_ usual: JSONValue) -> JSONValue {
        switch generator.below(8) {
        case 0: .null
        case 1: .integer(Int(truncatingIfNeeded: generator.next()))
        case 2: .string(text())
        case 3: .array([.string(text()), [:]])
        case 4: .string(String(Int(truncatingIfNeeded: generator.next())))
        default: usual
        }
    }

    private mutating func members(depth: Int) -> [AnyHashable: Any] {
        var members: [AnyHashable: Any] = [:]
        for _ in 0..<generator.below(5) {
            let name = Self.names[generator.below(Self.names.count)]
            members[generator.below(10) == 0 ? AnyHashable(generator.below(9)) : AnyHashable(name)] = value(
                depth: depth
            )
        }
        return members
    }

    private mutating func value(depth: Int) -> Any {
        switch generator.below(depth > 40 ? 8 : 11) {
        case 0: NSNull()
        case 1: generator.below(2) == 0
        case 2: Int(truncatingIfNeeded: generator.next())
        case 3: Double(bitPattern: generator.next())
        case 4: Data([1, 2, 3])
        case 5: Date(timeIntervalSince1970: Double(generator.below(1 << 30)))
        case 6: token()
        case 7: text()
        case 8: (0..<generator.below(4)).map { _ in value(depth: depth + 1) }
        default: members(depth: depth + 1)
        }
    }

    private mutating func token() -> String {
        var token = tokens[generator.below(tokens.count)]
        if generator.below(2) == 0, !token.isEmpty {
            let index = token.index(token.startIndex, offsetBy: generator.below(token.count))
            token.replaceSubrange(index...index, with: text())
        }
        return token
    }

    private mutating func text() -> String {
        let scalars = (0..<generator.below(12)).map { _ in
            Unicode.Scalar(UInt32(generator.below(0x3000))) ?? "?"
        }
        return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
    }
}
