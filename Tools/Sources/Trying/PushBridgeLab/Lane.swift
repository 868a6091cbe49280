import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCommandLine
import PushBridgeCore
import PushParity

/// The user's own app, which takes part beside the two phones: its server, and the pushes sent to the app.
///
/// The app runs in real time. When the user plays a step that sends the phones a push, the app gets a copy of the push.
final class Lane: Sendable {
    /// A push for the app.
    struct Push: Sendable {
        /// The name of the push in the scenario.
        let name: String
        /// The push as the server sent it.
        let delivery: PushDelivery
    }

    /// The API that the app uses.
    let side: APISide
    /// The registration code that the app scans.
    let code: RegistrationCode
    private let server: SimulatorServer
    private let sent = Lock<[Push]>([])

    /// Starts the server for the app.
    ///
    /// - Parameters:
    ///   - side: The API that the app uses.
    ///   - settings: The settings of the phones' servers.
    ///   - address: The address of this machine on which the server listens.
    /// - Returns: The lane, which listens until ``stop()`` is called.
    /// - Throws: `SimulatorError` if no port can be opened.
    static func start(
        as side: APISide,
        _ settings: ScenarioSettings,
        on address: String
    ) async throws -> Lane {
        var service = ServiceSettings()
        service.version = settings.version ?? service.version
        service.sender = settings.sender ?? service.sender
        // Both time limits are long, because the user has to fetch the phone first.
        service.registrationPatience = 600
        service.messageLifetime = 600
        let simulator = Simulator(settings: service)
        let server = try await SimulatorServer.start(simulator)
        do {
            if address != "127.0.0.1", let place = ListenAddress(address) {
                let port = try await server.listen(at: place, hosts: [address])
                server.base = "http://\(place.urlHost):\(port)/am"
            }
            let code = try simulator.createCode(
                RegistrationOrder(issuer: "Lab", account: "your app", realm: "/alpha")
            )
            return Lane(side, server, code)
        } catch {
            await server.stop()
            throw error
        }
    }

    private init(_ side: APISide, _ server: SimulatorServer, _ code: RegistrationCode) {
        self.side = side
        self.server = server
        self.code = code
    }

    func stop() async { await server.stop() }

    /// The app's requests, except old requests that the journal has dropped.
    var journal: [JournalEntry] { server.simulator.journal }
    /// The pushes that have been sent to the app so far.
    var pushes: [Push] { sent.withValue { $0 } }
    /// The address of the app's server.
    var base: String { server.base }

    /// The app's device; `nil` before the app has registered.
    var device: SimulatedDevice? { server.simulator.withService { $0.devices.values.first } }

    /// Sends the app a copy of the phones' push.
    ///
    /// Before the app has registered, nothing is sent.
    ///
    /// - Throws: `SimulatorError` if the server cannot send the push.
    func send(_ receive: Step.Receive) throws {
        guard let device, let type = PushType(rawValue: receive.type ?? "default") else { return }
        var order = PushOrder(mechanismUid: device.mechanismUid, type: type)
        order.message = receive.message
        order.numbers = receive.numbers
        order.customPayload = receive.customPayload
        order.contextInfo = receive.contextInfo
        order.timeToLive = receive.ttl ?? order.timeToLive
        let delivery = try server.simulator.createPush(order)
        sent.withValue { $0.append(Push(name: receive.push, delivery: delivery)) }
    }

    /// Returns a push as a file for `xcrun simctl push`; `nil` if no push has this name or number.
    ///
    /// Numbers start at 1 and are unique. A scenario that is started again uses its names again; a name stands for the
    /// last push that has it.
    /// - Throws: `SimulatorError` if the push exceeds the size that APNs accepts.
    func file(of push: String, for bundle: String) throws -> Data? {
        let pushes = pushes
        let found = Int(push).flatMap { pushes.indices.contains($0 - 1) ? pushes[$0 - 1] : nil }
        return try (found ?? pushes.last { $0.name == push })?.delivery.file(for: bundle)
    }

    /// Returns all pushes except for the first `count`, for a client that polls.
    func list(after count: Int) -> JSONValue {
        .array(
            pushes.dropFirst(max(count, 0)).map {
                ["push": .string($0.name), "payload": $0.delivery.payload]
            }
        )
    }

    /// Returns the state of a push at the login page; `nil` if the server does not know the push.
    func state(of push: Push) -> PushState? { server.simulator.state(ofPush: push.delivery.messageId) }
}

extension Lab {
    /// The maximum number of requests, and of pushes, that are shown.
    private static let shownRequests = 8

    /// Returns the state of the user's own app as JSON, for the windows; null if no app takes part.
    func json(of lane: Lane?) -> JSONValue {
        guard let lane else { return .null }
        let entries = lane.journal
        let first = max(entries.count - Self.shownRequests, 0)
        return [
            "side": .string(lane.side.rawValue),
            "base": .string(lane.base),
            "isEnrolled": .bool(lane.device != nil),
            "pushes": .array(
                lane.pushes.enumerated().suffix(Self.shownRequests).map { index, push in
                    [
                        "number": .integer(index + 1), "push": .string(push.name),
                        "state": .string(lane.state(of: push)?.rawValue ?? "unknown"),
                    ]
                }
            ),
            "requests": .array(
                entries[first...].enumerated().map { json(of: $1, number: first + $0 + 1, lane) }
            ),
        ]
    }

    private func json(of entry: JournalEntry, number: Int, _ lane: Lane) -> JSONValue {
        let secret = lane.code.registration.sharedSecret
        let request = ForeignRequests.record(entry, signedWith: secret)
        let name = lane.pushes.last { entry.body["messageId"] == .string($0.delivery.messageId) }?.name
        let own = counterpart(of: entry, push: name, on: lane.side == .legacy ? .async : .legacy)
        var findings: [(difference: Difference, id: String?)] = []
        if let own {
            findings = ForeignRequests.findings(
                own.step,
                number: own.number,
                legacy: lane.side == .legacy ? request : own.request,
                async: lane.side == .legacy ? own.request : request
            )
        }
        return [
            "number": .integer(number),
            "title": .string(request.requestTitle),
            "text": .string(request.indented),
            "push": name.map(JSONValue.string) ?? .null,
            "step": own.map { .integer($0.number) } ?? .null,
            "own": own.map { .string($0.request.indented) } ?? .null,
            "findings": .array(
                findings.map {
                    [
                        "id": $0.id.map(JSONValue.string) ?? .null, "place": .string($0.difference.place),
                        "legacy": .string($0.difference.legacy?.text ?? "nothing"),
                        "async": .string($0.difference.async?.text ?? "nothing"),
                    ]
                }
            ),
        ]
    }

    /// Returns the phone's request that corresponds to a request of the app; `nil` if there is none.
    ///
    /// The request is from the last step that sent a request with the same action. If the app's request is about a
    /// push, only steps with this push are searched.
    private func counterpart(
        of entry: JournalEntry,
        push: String?,
        on side: APISide
    ) -> (step: Step, number: Int, request: JSONValue)? {
        for step in played.reversed() {
            if let push, step.step.members["push"] != .string(push) { continue }
            for (_, request) in step.events[side]?.requests ?? [] {
                guard case .string(let url)? = request["url"], url.contains("_action=\(entry.action)") else {
                    continue
                }
                return (step.step, step.number, request)
            }
        }
        return nil
    }
}
