import FRAuthenticator
import Foundation
import PingPush
import PushBridgeCore
import PushBridgeNotifications
import PushBridgeTestSupport
import Testing

/// Random payloads: nothing traps, no handler is called twice or never, and nothing is stored.
@Suite struct UserInfoFuzzTests {
    private static let parts = 4

    @Test(arguments: 0..<parts)
    func nothingTrapsAndEveryHandlerIsCalledOnce(_ part: Int) async throws {
        let phone = try await Phone(.legacy)
        let credential = try await phone.enrol()
        let service = PushContentService(now: { Phone.start }) { phone.store }
        var random = RandomUserInfo(seed: UInt64(part), credential)
        var (ours, calls) = (0, 0)
        let rounds = Sweep.rounds("UserInfo", part: part, of: Self.parts, standard: 4000)
        for round in rounds {
            let (userInfo, tap) = (random.next(), Tap.allCases[round % Tap.allCases.count])
            let isOurs = ask(phone, userInfo, tap) { phone.calls.withValue { $0 += 1 } }
            ours += isOurs ? 1 : 0
            // The service extension calls its handler for every push.
            calls += isOurs ? 4 : 1
            service.didReceive(userInfo) { content in
                #expect(content?.kind != .login && content?.kind != .ended)
                phone.calls.withValue { $0 += 1 }
            }
            // The async API takes the successor SDK's shape as well.
            let result = await phone.client.backgroundResult(of: userInfo)
            #expect(result != .newData && (!isOurs || result != nil))
            let presentation = await phone.client.presentation(of: userInfo)
            #expect(presentation == (result == nil ? nil : []))
            let reaction = await phone.client.perform(tap.actionId, userInfo: userInfo)
            switch reaction {
            case .foreign: #expect(result == nil)
            case .dismissed(nil): #expect(tap == .dismissal)
            case .failed(nil, _): #expect(tap != .dismissal)
            default: Issue.record("\(reaction)")
            }
            #expect(await phone.client.receive(delivered: [userInfo, userInfo]).isEmpty)
            #expect((try? await phone.client.processNotification(userInfo: userInfo)) == nil)
        }
        for _ in 0..<4000 where phone.calls.withValue({ $0 }) < calls {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(ours > 0)
        #expect(phone.calls.withValue { $0 } == calls)
        #expect(try phone.stored().isEmpty)
        #expect(phone.answers == 0)
    }

    /// Hands a payload to every door of the legacy API; tells whether they take it for ours.
    private func ask(
        _ phone: Phone,
        _ userInfo: [AnyHashable: Any],
        _ tap: Tap,
        _ heard: @escaping () -> Void
    ) -> Bool {
        let handler = phone.handler
        let answers = [
            handler.backgroundResult(of: userInfo) { _ in heard() },
            handler.presentation(of: userInfo) { _ in heard() },
            handler.perform(tap.actionId, userInfo: userInfo) { _ in heard() },
        ]
        #expect(Set(answers).count == 1)
        #expect(handler.application(.shared, didReceiveRemoteNotification: userInfo) == nil)
        #expect(handler.receive(delivered: [userInfo]).isEmpty)
        return answers[0]
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
