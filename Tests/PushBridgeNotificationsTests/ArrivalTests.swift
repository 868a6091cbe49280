import PingAMSimulator
import PushBridgeCore
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// The callbacks in which the system waits for the outcome of a push.
enum EntryPoint: CaseIterable, Sendable {
    case background, foreground
}

/// A push, and the failure that occurs while the push arrives.
struct Arrival: CustomTestStringConvertible, Sendable {
    let api: API
    let entryPoint: EntryPoint
    let type: PushType
    let trouble: Trouble

    static let all = API.allCases.flatMap { api in
        EntryPoint.allCases.flatMap { entryPoint in
            PushType.allCases.flatMap { type in
                Trouble.allCases.map { Arrival(api: api, entryPoint: entryPoint, type: type, trouble: $0) }
            }
        }
    }

    var testDescription: String { "\(api), \(entryPoint), \(type), \(trouble)" }

    /// The result that the system should receive.
    ///
    /// The phone sends no request, so the result does not depend on the push's state on the server. For
    /// `serverIsLate`, the test delays the store.
    var result: PushBackgroundResult {
        trouble == .lockedStore || trouble == .serverIsLate ? .failed : .newData
    }
    var presentation: PushPresentation {
        switch trouble {
        case .lockedStore, .serverIsLate: .list
        case .expired: []
        case .serverRefuses, .serverDrops, .answeredElsewhere: .all
        }
    }
}

/// The completion handler of an arriving push is called once.
///
/// The handler is called when the outcome is known, or after 25 seconds at the latest.
@Suite("Arrivals")
struct ArrivalTests {
    @Test(arguments: Arrival.all)
    func theHandlerIsCalledOnceAndAfterTheOutcome(_ arrival: Arrival) async throws {
        let phone = try await Phone(arrival.api)
        let credential = try await phone.enrol()
        let userInfo = try phone.push(arrival.type, to: credential).userInfo
        try await phone.cause(arrival.trouble, userInfo, of: credential)
        let asked = phone.server.journal.count
        // No server is involved when a push arrives. So for the failure `serverIsLate`, this test delays the store.
        let isLate = arrival.trouble == .serverIsLate
        if isLate { phone.store.gate.shut() }
        let ended = Guarded(false)
        let delivery = Task {
            switch arrival.entryPoint {
            case .background: #expect(await phone.backgroundResult(of: userInfo) == arrival.result)
            case .foreground: #expect(await phone.presentation(of: userInfo) == arrival.presentation)
            }
            ended.withValue { $0 = true }
        }
        if isLate { try await phone.letTheTimePass { ended.withValue { $0 } } }
        await delivery.value
        // The push is stored first. Only a slow store or a locked store can prevent this.
        let isStored = !isLate && arrival.trouble != .lockedStore
        if isStored { #expect(try phone.stored().count == 1) }
        phone.store.gate.open()
        phone.store.isLocked.withValue { $0 = false }
        phone.server.releaseResponses()
        if isLate { try await waitFor("the push to be stored") { (try? phone.stored().count) == 1 } }
        #expect(try phone.stored().count == (arrival.trouble == .lockedStore ? 0 : 1))
        #expect(phone.clock.sleepers == 0)
        #expect(phone.server.journal.count == asked)
        if arrival.api == .legacy { #expect(phone.calls.withValue { $0 } == 1) }
    }

    @Test(arguments: API.allCases, Tap.allCases)
    func theHandlerOfAResponseDoesNotWaitForTheStore(_ api: API, _ tap: Tap) async throws {
        let phone = try await Phone(api)
        let push = try phone.push(to: await phone.enrol())
        phone.store.gate.shut()
        let ended = Guarded(false)
        let delivery = Task {
            let reaction = await phone.perform(tap.actionId, push.userInfo)
            #expect(
                reaction
                    == (tap == .dismissal
                        ? .dismissed(nil) : .failed(nil, reason: "The answer was not confirmed in time."))
            )
            ended.withValue { $0 = true }
        }
        try await phone.letTheTimePass { ended.withValue { $0 } }
        await delivery.value
        phone.store.gate.open()
        let decision = tap.decision(on: .default)
        try await waitFor("the decision to be stored") {
            guard let stored = try? phone.stored().first else { return false }
            return stored.pending == (decision == nil)
        }
        #expect(try phone.stored().first?.pending == (decision == nil))
        #expect(phone.clock.sleepers == 0)
    }

    /// A dismissal does not require that the push was verified.
    @Test(arguments: API.allCases)
    func aForgedPushCanBeDismissed(_ api: API) async throws {
        let phone = try await Phone(api)
        let credential = try await phone.enrol()
        let claims: JSONValue = ["u": .string(credential.id), "c": "Y2g="]
        let token = SharedSecret.random().signedToken(claims: claims.data)
        let forged: JSONValue = ["aps": ["messageId": "AUTHENTICATE:9", "data": .string(token)]]
        #expect(await phone.perform(Tap.dismissal.actionId, forged) == .dismissed(nil))
        guard case .failed(nil, _) = await phone.perform(Tap.approve.actionId, forged) else {
            Issue.record("A forged push was answered.")
            return
        }
    }
}

extension Phone {
    /// Advances the clock by 25 seconds.
    ///
    /// Checks that `isOver` is not true before the 25 seconds have passed.
    func letTheTimePass(until isOver: () -> Bool) async throws {
        try await waitFor("the time-out to begin") { clock.sleepers == 1 }
        clock.advance(by: .milliseconds(24_999))
        #expect(clock.sleepers == 1)
        #expect(!isOver())
        clock.advance(by: .milliseconds(1))
    }
}
