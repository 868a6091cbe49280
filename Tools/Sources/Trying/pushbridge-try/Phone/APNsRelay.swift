import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore

/// Forwards the pushes of a simulated service to `pushbridge-apns relay`, which sends them to APNs or its stand-in.
actor APNsRelay {
    private let companion: CompanionProcess
    private var waiting: [Int: CheckedContinuation<JSONValue, Never>] = [:]
    private var count = 0

    /// Starts the companion.
    /// - Parameter access: The options for access to APNs.
    /// - Throws: ``CommandFailure`` if the companion is not built, or the companion's exit status if the
    ///   companion cannot use the files in the options.
    init(_ access: [String]) async throws {
        companion = try Companion.apns.start(["relay"] + access)
        try await companion.waitUntilReady()
        Task { [lines = companion.lines, weak self] in
            for await line in lines { await self?.take(line) }
            await self?.giveUp()
        }
    }

    /// Forwards a push, and returns the outcome; null if the companion reports none.
    ///
    /// Prints the response on stderr; if the push is refused, also prints an explanation.
    ///
    /// If APNs reports that a device token is invalid, the service forgets the token, unless the device registered the
    /// token again later. If the token belongs to the other environment or to another app, the service keeps the token,
    /// because only the operator can decide whether the token or the setting is wrong.
    func send(_ delivery: PushDelivery, of simulator: Simulator) async -> JSONValue {
        let answer = await outcome(of: delivery)
        let words = answer["words"]?.plainText ?? ""
        Terminal.diagnose("apns: \(delivery.messageId): \(words.visible)\n")
        if case .array(let lines)? = answer["explanation"] {
            for line in lines { Terminal.diagnose("apns: \(line.plainText?.visible ?? "")\n") }
        }
        guard case .object(var outcome)? = answer["outcome"] else { return .null }
        if answer["forgetsToken"] == true, case .integer(let time)? = outcome["timestamp"] {
            let end = Date(timeIntervalSince1970: Double(time) / 1000)
            let devices = simulator.withService { $0.forgetToken(delivery.deviceToken, goneAt: end) }
            let names = devices.joined(separator: ", ")
            let words =
                devices.isEmpty
                ? "the token is kept: the app registered it again later"
                : "nothing more is sent to \(names) until the server receives another token"
            Terminal.diagnose("apns: \(words)\n")
            outcome["forgotten"] = .array(devices.map(JSONValue.string))
        }
        return .object(outcome)
    }

    private func outcome(of delivery: PushDelivery) async -> JSONValue {
        count += 1
        let id = count
        let push: JSONValue = [
            "id": .integer(id), "token": .string(delivery.deviceToken),
            "collapseId": .string(delivery.messageId),
            "expiration": .integer(Int(Date().timeIntervalSince1970) + delivery.timeToLive),
            "payload": .string(delivery.payloadText),
        ]
        guard companion.write(push) else { return Self.ended }
        return await withCheckedContinuation { waiting[id] = $0 }
    }

    private func take(_ line: Data) {
        guard let answer = JSONValue(json: line), case .integer(let id)? = answer["id"] else { return }
        waiting.removeValue(forKey: id)?.resume(returning: answer)
    }

    private func giveUp() {
        for (_, push) in waiting { push.resume(returning: Self.ended) }
        waiting = [:]
    }

    private static let ended: JSONValue = [
        "words": "pushbridge-apns has ended",
        "outcome": ["status": 0, "accepted": false, "reason": "pushbridge-apns has ended."],
    ]
}

extension ProviderOptions {
    /// Returns the companion's options for access to APNs.
    func arguments(reaching file: String) -> [String] {
        let named = [("--provider", provider), ("--topic", topic)]
        return ["--apns", file] + named.flatMap { name, value in value.map { ["\(name)=\($0)"] } ?? [] }
    }
}
