import Foundation
import PingAMSimulator
@_spi(PushBridgeTools) import PushBridgeCore
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// The ways in which a push reaches an app.
enum Entry: CaseIterable, Sendable {
    case launch, background, foreground, response

    static let orders: [[Entry]] = permutations(of: allCases)

    private static func permutations(of entries: [Entry]) -> [[Entry]] {
        guard entries.count > 1 else { return [entries] }
        return entries.flatMap { first in
            permutations(of: entries.filter { $0 != first }).map { [first] + $0 }
        }
    }
}

/// A push that arrives in several ways, in any order, is stored once.
@Suite("Reception")
struct ReceptionTests {
    @Test(arguments: API.allCases, Entry.orders)
    func everyOrderOfTheEntryPointsStoresOneNotification(_ api: API, _ order: [Entry]) async throws {
        let phone = try await Phone(api)
        let push = try phone.push(to: await phone.enrol()).userInfo
        for (index, entry) in order.enumerated() {
            switch entry {
            case .launch: try await phone.process(push)
            case .background:
                #expect(await phone.backgroundResult(of: push) == (index == 0 ? .newData : .noData))
            case .foreground: #expect(await phone.presentation(of: push) == .all)
            case .response:
                let reaction = await phone.perform(PushActions.defaultAction, push)
                let stored = try #require(try phone.stored().first)
                #expect(reaction == .open(phone.shownId(of: stored)))
            }
        }
        #expect(Entry.orders.count == 24)
        #expect(try phone.stored().count == 1)
    }

    @Test(arguments: API.allCases)
    func onlyAnswerablePushesAreShownInTheForeground(_ api: API) async throws {
        let phone = try await Phone(api)
        let credential = try await phone.enrol()
        let (answered, expired) = (try phone.push(to: credential), try phone.push(to: credential))
        _ = await phone.perform(Tap.deny.actionId, answered.userInfo)
        #expect(await phone.presentation(of: answered.userInfo) == [])
        phone.advance(121)
        #expect(await phone.presentation(of: expired.userInfo) == [])
        let forged: JSONValue = [
            "aps": ["messageId": "AUTHENTICATE:9", "data": .string(forgedToken(credential))]
        ]
        #expect(await phone.presentation(of: forged) == [])
        #expect(await phone.backgroundResult(of: forged) == .noData)
        let waiting = try phone.push(to: credential).userInfo
        phone.store.isLocked.withValue { $0 = true }
        #expect(await phone.presentation(of: waiting) == .list)
        #expect(await phone.backgroundResult(of: waiting) == .failed)
        phone.store.isLocked.withValue { $0 = false }
        #expect(await phone.receive(delivered: [waiting]).count == 1)
    }

    private func forgedToken(_ credential: PushCredential) -> String {
        SharedSecret.random().signedToken(
            claims: JSONValue.object(["u": .string(credential.id), "c": "Y2g="]).data
        )
    }

    @Test(arguments: API.allCases)
    func receivingStoresDeliveredPushesOnceAndReturnsPendingOnes(_ api: API) async throws {
        let phone = try await Phone(api)
        let credential = try await phone.enrol()
        func pushes(_ count: Int) throws -> [(userInfo: JSONValue, messageId: String)] {
            try (0..<count).map { _ in
                let push = try phone.push(to: credential)
                return (push.userInfo, push.messageId)
            }
        }
        let expired = try pushes(10)
        phone.advance(121)
        let known = try pushes(20)
        for push in known { try await phone.process(push.userInfo) }
        for push in known.prefix(5) { _ = await phone.perform(Tap.deny.actionId, push.userInfo) }
        let new = try pushes(10)
        let foreign: [JSONValue] = (0..<10).map { ["aps": ["alert": "Hello"], "chat": .integer($0)] }
        var delivered = (expired + known + new).map(\.userInfo) + foreign
        var generator = SeededGenerator(seed: 50)
        delivered.shuffle(using: &generator)

        let open = await phone.receive(delivered: delivered + delivered)
        #expect(Set(open) == Set((known.dropFirst(5) + new).map(\.messageId)))
        #expect(open.count == 25)
        let stored = try phone.stored()
        #expect(stored.count == 40)
        #expect(Set(stored.map(\.messageId)) == Set((expired + known + new).map(\.messageId)))
        let now = phone.time.withValue { $0 }
        let late = stored.filter { $0.isExpired(at: now) }
        #expect(Set(late.map(\.messageId)) == Set(expired.map(\.messageId)))
        #expect(stored.count { !$0.pending } == 5)
        #expect(try await phone.badge() == 25)
    }

    /// Servers before 7.2 do not send the date, so the date of delivery is used instead.
    @Test(arguments: API.allCases)
    func theDateOfDeliveryIsUsedIfTheServerSendsNoDate(_ api: API) async throws {
        let phone = try await Phone(api, settings: .version(.v7_1))
        let credential = try await phone.enrol()
        let (old, new) = (try phone.push(to: credential), try phone.push(to: credential))
        let now = phone.time.withValue { $0 }
        let open = await phone.receive(
            delivered: [old.userInfo, new.userInfo],
            at: [now - 3600, now + 3600]
        )
        #expect(open == [new.messageId])
        #expect(try phone.stored().map(\.createdAt) == [now - 3600, now])
    }

    @Test(arguments: [
        ("1", true), ("\"1\"", true), ("true", true), ("0", false), ("\"0\"", false), ("null", false),
    ])
    func theFlagOfSilentPushesHasThreeSpellings(_ flag: String, _ wakes: Bool) throws {
        let payload = try #require(JSONValue(json: Data(#"{"aps":{"content-available":\#(flag)}}"#.utf8)))
        #expect(payload.isContentAvailable == wakes)
    }
}
