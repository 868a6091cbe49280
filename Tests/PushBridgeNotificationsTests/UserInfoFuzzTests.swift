import FRAuthenticator
import Foundation
import PingPush
import PushBridgeCore
import PushBridgeNotifications
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// Random payloads.
///
/// No payload causes a trap, each handler is called exactly once, and only verified pushes are stored.
@Suite struct UserInfoFuzzTests {
    private static let parts = 4

    @Test(arguments: 0..<parts)
    func randomUserInfoCausesNoTrapAndCallsEachHandlerOnce(_ part: Int) async throws {
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
            // The service extension also calls its handler for pushes from other senders.
            calls += isOurs ? 4 : 1
            service.didReceive(userInfo) { content in
                #expect(content?.kind != .login && content?.kind != .ended)
                phone.calls.withValue { $0 += 1 }
            }
            // The async API also accepts the successor SDK's form of a payload.
            let result = await phone.client.backgroundResult(of: userInfo)
            #expect(result != .newData && (!isOurs || result != nil))
            let presentation = await phone.client.presentation(of: userInfo)
            #expect(presentation == (result == nil ? nil : []))
            let reaction = await phone.client.perform(tap.actionId, userInfo: userInfo)
            switch reaction {
            case .foreign: #expect(result == nil)
            case .dismissed(nil): #expect(tap == .dismissal)
            case .failed(nil, _): #expect(tap != .dismissal)
            default: Issue.record("An invalid payload caused the reaction \(reaction).")
            }
            #expect(await phone.client.receive(delivered: [userInfo, userInfo]).isEmpty)
            #expect((try? await phone.client.processNotification(userInfo: userInfo)) == nil)
        }
        try await waitFor("every handler to be called") { phone.calls.withValue { $0 } >= calls }
        #expect(ours > 0)
        #expect(phone.calls.withValue { $0 } == calls)
        #expect(try phone.stored().isEmpty)
        #expect(phone.answers == 0)
    }

    /// Each push with a valid signature and random claims is stored once, and each handler is called once.
    @Test(arguments: 0..<parts)
    func verifiedPushesOfAnyKindAreStoredOnce(_ part: Int) async throws {
        var rounds = Array(Sweep.rounds("verified UserInfo", part: part, of: Self.parts, standard: 1000))[...]
        while !rounds.isEmpty {
            try await receive(rounds.prefix(250), seed: UInt64(part))
            rounds = rounds.dropFirst(250)
        }
    }

    private func receive(_ rounds: ArraySlice<Int>, seed: UInt64) async throws {
        let phone = try await Phone(.legacy) { $0.notificationCleanupConfig.cleanupMode = .none }
        var random = RandomUserInfo(seed: seed &+ UInt64(rounds.startIndex) << 8, try await phone.enrol())
        let service = PushContentService(now: { Phone.start }) { phone.store }
        let count = { @Sendable in phone.calls.withValue { $0 += 1 } }
        for round in rounds {
            let (userInfo, tap) = (random.verified(round), Tap.allCases[round % Tap.allCases.count])
            service.didReceive(userInfo) { content in
                #expect(content != nil)
                count()
            }
            #expect(phone.handler.backgroundResult(of: userInfo) { _ in count() })
            #expect(phone.handler.presentation(of: userInfo) { _ in count() })
            #expect(await phone.client.presentation(of: userInfo) != nil)
            #expect(phone.handler.perform(tap.actionId, userInfo: userInfo) { _ in count() })
            #expect(await phone.client.perform(tap.actionId, userInfo: userInfo) != .foreign)
            #expect(await phone.client.backgroundResult(of: userInfo) != nil)
            _ = await phone.client.receive(delivered: [userInfo, userInfo])
        }
        let calls = rounds.count * 4
        try await waitFor("every handler to be called") { phone.calls.withValue { $0 } >= calls }
        #expect(phone.calls.withValue { $0 } == calls)
        let stored = try phone.stored()
        #expect(Set(stored.map(\.messageId)).count == stored.count)
        #expect(stored.count == rounds.count)
    }

    /// Passes a payload to every entry point of the legacy API.
    ///
    /// Returns whether the payload is accepted.
    private func ask(
        _ phone: Phone,
        _ userInfo: [AnyHashable: Any],
        _ tap: Tap,
        _ count: @escaping () -> Void
    ) -> Bool {
        let handler = phone.handler
        let answers = [
            handler.backgroundResult(of: userInfo) { _ in count() },
            handler.presentation(of: userInfo) { _ in count() },
            handler.perform(tap.actionId, userInfo: userInfo) { _ in count() },
        ]
        #expect(Set(answers).count == 1)
        #expect(handler.application(.shared, didReceiveRemoteNotification: userInfo) == nil)
        #expect(handler.receive(delivered: [userInfo]).isEmpty)
        return answers[0]
    }
}
