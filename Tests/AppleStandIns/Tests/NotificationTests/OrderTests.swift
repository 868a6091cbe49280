import FRAuthenticator
import Foundation
import PingPush
import PushBridgeCore
import PushBridgeNotifications
import PushBridgePlatform
import PushBridgeStore
import Security
import Testing
import UserNotifications

/// System events in random orders, with repetitions, in a scene's connection options and at the app's delegates.
///
/// PushBridge stores each push once, calls each completion handler once, reports each response once, and sends at most
/// one answer to each push.
@Suite("Orders of delivery", .serialized)
struct OrderTests {
    /// One event of the system.
    private enum Step {
        case launch, background, foreground
        case scene(tap: Int)
        case delegate(tap: Int)
    }

    /// The events of one push, in a random order.
    private struct Order {
        let type: String
        let isForeign: Bool
        /// The actions of the user's responses; several steps may deliver the same response.
        let taps: [String]
        let steps: [Step]
        /// Whether each step starts before the previous step has ended.
        let isHurried: Bool

        init(_ random: inout SeededGenerator) {
            type = ["default", "challenge", "biometric"][random.below(3)]
            isForeign = random.below(8) == 0
            let actions =
                [PushActions.defaultAction, PushActions.dismissAction]
                + PushAction.Kind.allCases.map(\.rawValue)
            taps = (0...random.below(2)).map { _ in actions[random.below(actions.count)] }
            let count = taps.count
            steps = (0...random.below(7)).map { _ in
                switch random.below(7) {
                case 0: .launch
                case 1: .background
                case 2: .foreground
                case 3, 4: .scene(tap: random.below(count))
                default: .delegate(tap: random.below(count))
                }
            }
            isHurried = random.below(2) == 0
        }

        /// The taps that at least one step delivers.
        var deliveredTaps: Set<Int> {
            Set(
                steps.compactMap { step in
                    switch step {
                    case .scene(let tap), .delegate(let tap): tap
                    default: nil
                    }
                }
            )
        }
    }

    private let server = Server()
    private let store = MemoryCredentialStore()
    private let credential: PushBridgeCore.PushCredential

    init() throws {
        StandInKeychain.reset()
        credential = try .sample()
        let (store, credential) = (store, credential)
        try store.write { view in
            _ = try view.enrol(credential, registeredWith: PushBridgeCore.PushDeviceToken(token: "00ff"))
        }
        var configuration = Authenticator.Configuration.standard
        configuration.transport = server
        configuration.store = { store }
        configuration.migration = nil
        FRAClient.reset(configuration)
        FRAClient.start()
    }

    @Test func theLegacyAppHandlesDeliveriesAndTapsInAnyOrder() async throws {
        var random = SeededGenerator(seed: 27)
        // The calls are also counted over all rounds, because a superfluous call may occur after its round has ended.
        let (calls, expectedCalls) = (Lock(0), Lock(0))
        for round in Sweep.rounds("orders, legacy", part: 0, of: 2, standard: 10_000) {
            let order = Order(&random)
            let push = payload(order, round)
            let system = LegacySystem()
            let (handlers, sceneReactions) = (Lock(0), Recorder<PushReaction>())
            @Sendable func called() {
                handlers.withValue { $0 += 1 }
                calls.withValue { $0 += 1 }
            }
            let taps = taps(order, push)
            var expected = 0
            for step in order.steps {
                let before = handlers.withValue { $0 }
                switch step {
                case .launch: await system.launch(with: push)
                case .background:
                    expected += 1
                    await system.background(push) { called() }
                case .foreground:
                    expected += 1
                    await system.foreground(push) { called() }
                case .scene(let tap): await system.connect(taps[tap]) { sceneReactions.record($0) }
                case .delegate(let tap):
                    expected += 1
                    await system.respond(with: taps[tap]) { called() }
                }
                if !order.isHurried, expected > before {
                    let now = expected
                    try await waitFor("the step's completion handler") { handlers.withValue { $0 } == now }
                }
            }
            let all = expected
            expectedCalls.withValue { $0 += all }
            try await waitFor("all completion handlers") { handlers.withValue { $0 } == all }
            let reactions = system.app.reactions
            let expectedReactions = order.isForeign ? 0 : order.deliveredTaps.count
            try await waitFor("the reactions to all responses") {
                reactions.values.count + sceneReactions.values.count >= expectedReactions
            }
            try check(order, round, reactions.values + sceneReactions.values)
            #expect(handlers.withValue { $0 } == all, "round \(round)")
        }
        #expect(calls.withValue { $0 } == expectedCalls.withValue { $0 })
    }

    @Test func theAsyncAppHandlesDeliveriesAndTapsInAnyOrder() async throws {
        let (transport, store) = (server, store)
        let client = try await PushClient.createClient { configuration in
            configuration.storage = CredentialStoreStorage(store)
            configuration.transport = transport
            configuration.logger = LogManager.none
        }
        let app = AsyncApp(client)
        var random = SeededGenerator(seed: 28)
        for round in Sweep.rounds("orders, async", part: 1, of: 2, standard: 10_000) {
            let order = Order(&random)
            let push = payload(order, round)
            let taps = taps(order, push)
            let reactions = Recorder<PushReaction>()
            @Sendable func perform(_ step: Step) async throws {
                switch step {
                case .launch: _ = try await client.processNotification(userInfo: push.userInfo)
                case .background: _ = await app.deliverInBackground(push)
                case .foreground: _ = await app.willPresent(StandInDelivery.notification(push.userInfo))
                case .scene(let tap):
                    if let reaction = await app.connect(taps[tap]) { reactions.record(reaction) }
                case .delegate(let tap): reactions.record(await app.didReceive(taps[tap].value))
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for step in order.steps {
                    if order.isHurried {
                        group.addTask { try await perform(step) }
                    } else {
                        try await perform(step)
                    }
                }
                try await group.waitForAll()
            }
            let repeated = order.steps.count {
                if case .scene = $0 { true } else if case .delegate = $0 { true } else { false }
            }
            #expect(reactions.values.count == repeated, "round \(round)")
            try check(order, round, reactions.values.filter { $0 != .repeated && $0 != .foreign })
        }
    }

    /// Checks the conditions that must hold for every order (see the suite's description).
    private func check(_ order: Order, _ round: Int, _ reactions: [PushReaction]) throws {
        let stored = try store.read { try $0.notifications(.all).values }
        let answers = server.take()
        guard !order.isForeign else {
            #expect(stored.isEmpty && reactions.isEmpty && answers == 0, "round \(round)")
            return
        }
        #expect(stored.map(\.messageId) == ["AUTHENTICATE:\(round)"], "round \(round)")
        #expect(reactions.count == order.deliveredTaps.count, "round \(round): \(reactions)")
        let isAnswered = stored.first?.pending == false
        #expect(answers == (isAnswered ? 1 : 0), "round \(round)")
        #expect(
            reactions.count { if case .answered = $0 { true } else { false } } == answers,
            "round \(round): \(reactions)"
        )
        try store.write { view in
            for push in stored { _ = try view.removeNotification(id: push.id) }
        }
    }

    private func payload(_ order: Order, _ round: Int) -> JSONValue {
        guard !order.isForeign else { return ["aps": ["alert": "Hello"]] }
        return credential.payload("\(round)", ["k": .string(order.type), "n": "34,43,57"])
    }

    private func taps(_ order: Order, _ push: JSONValue) -> [Response] {
        order.taps.map { action in
            let text = action == PushAction.Kind.enterNumber.rawValue ? "43" : nil
            let notification = StandInDelivery.notification(push.userInfo)
            return Response(value: StandInDelivery.response(to: notification, action, text: text))
        }
    }
}

/// A server that accepts every answer and counts the answers.
private final class Server: PushTransport {
    private let requests = Lock(0)

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        requests.withValue { $0 += 1 }
        return PushResponse(status: 200, body: Data("{}".utf8))
    }

    /// Returns the number of answers since the last call.
    func take() -> Int {
        requests.withValue { requests in
            defer { requests = 0 }
            return requests
        }
    }
}
