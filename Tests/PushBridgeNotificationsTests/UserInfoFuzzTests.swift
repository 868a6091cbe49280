import FRAuthenticator
import Foundation
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// Random payloads: nothing traps, no handler is called twice or never, and nothing is stored.
@Suite struct UserInfoFuzzTests {
    private static let parts = 4

    @Test(arguments: 0..<parts)
    func nothingTrapsAndEveryHandlerIsCalledOnce(_ part: Int) async throws {
        let phone = try await Phone(.legacy)
        let credential = try await phone.enrol()
        var random = RandomUserInfo(seed: UInt64(part), credential)
        var ours = 0
        for _ in Sweep.rounds("UserInfo", part: part, of: Self.parts, standard: 20_000) {
            let userInfo = random.next()
            let isOurs = phone.handler.backgroundResult(of: userInfo) { _ in phone.calls.withValue { $0 += 1 }
            }
            let result = await phone.client.backgroundResult(of: userInfo)
            if isOurs { ours += 1 }
            // The async API takes the successor SDK's shape as well.
            #expect(!isOurs || result != nil)
            #expect(result != .newData)
        }
        for _ in 0..<2000 where phone.calls.withValue({ $0 }) < ours {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(ours > 0)
        #expect(phone.calls.withValue { $0 } == ours)
        #expect(try phone.stored().isEmpty)
        #expect(phone.answers == 0)
    }
}

/// Makes payloads as nobody should send them.
private struct RandomUserInfo {
    private var generator: SeededGenerator
    private let tokens: [String]
    private static let names = [
        "aps", "messageId", "data", "message", "alert", "content-available", "category", "extra",
    ]

    init(seed: UInt64, _ credential: PushCredential) {
        generator = SeededGenerator(seed: seed)
        let id = JSONValue.string(credential.id)
        let claims: [JSONValue] = [
            ["u": id, "c": "Y2g="], ["u": "nobody", "c": "Y2g="], ["c": "Y2g="], ["u": 7], [:],
        ]
        tokens =
            claims.map { SharedSecret.random().signedToken(claims: $0.data) }
            + [credential.sharedSecret.signedToken(claims: JSONValue.object(["u": id]).data), "a.b.c", ""]
    }

    mutating func next() -> [AnyHashable: Any] {
        var userInfo = members(depth: 0)
        if generator.below(3) == 0 { userInfo["aps"] = ["messageId": text(), "data": token()] }
        return userInfo
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
