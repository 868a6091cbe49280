import Foundation
@_spi(PushBridgeTools) import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals

extension StepPlayer {
    func deliver(_ receive: Step.Receive) async throws -> [[Delivery]] {
        guard let id = credentials[receive.credential], let push = try create(receive, for: id) else {
            return skipped("The server has no device for the push.")
        }
        name(push.messageId, as: receive.push)
        let messageId = receive.messageIdOf.flatMap { messages[$0]?.id } ?? push.messageId
        let payload = payload(of: push, receive, messageId: messageId)
        messages[receive.push] = (messageId, payload)
        pushOrder.append(receive.push)
        numbers[receive.push] = push.number
        return await call(.receive(payload))
    }

    /// Creates a push; returns `nil` if the server does not know the device.
    private func create(_ receive: Step.Receive, for credentialId: String) throws -> PushDelivery? {
        guard let type = PushType(rawValue: receive.type ?? "default") else {
            throw ParityError(code: .invalidStep, reason: "No push is of the type \(receive.type ?? "").")
        }
        var order = PushOrder(mechanismUid: credentialId, type: type)
        order.message = receive.message
        order.numbers = receive.numbers
        order.customPayload = receive.customPayload
        order.contextInfo = receive.contextInfo
        order.timeToLive = receive.ttl ?? order.timeToLive
        do {
            return try environment.server.createPush(order)
        } catch let error as SimulatorError where error.code == .unknownMechanism {
            return nil
        } catch let error as SimulatorError {
            throw ParityError(code: .invalidStep, reason: error.reason)
        }
    }

    private func payload(of push: PushDelivery, _ receive: Step.Receive, messageId: String) -> JSONValue {
        guard case .object(var payload) = push.payload, case .object(var aps)? = payload["aps"] else {
            return push.payload
        }
        aps["messageId"] = .string(messageId)
        if let token = token(of: aps, receive) { aps["data"] = .string(token) }
        payload["aps"] = .object(aps.replacing(receive.aps))
        return .object(payload.replacing(receive.outside))
    }

    /// Returns the token with other claims or with the signature of another signer; `nil` if the step does
    /// not change the token.
    private func token(of aps: [String: JSONValue], _ receive: Step.Receive) -> String? {
        guard receive.claims != nil || receive.isForged == true else { return nil }
        guard
            let signer = receive.isForged == true
                ? SharedSecret(utf8: "a stranger's key") : signers[receive.credential],
            case .string(let jwt)? = aps["data"],
            let part = jwt.split(separator: ".").dropFirst().first,
            let bytes = Data(anyBase64: String(part)),
            case .object(let claims)? = JSONValue(json: bytes)
        else { return nil }
        return signer.signedToken(claims: JSONValue.object(claims.replacing(receive.claims)).data)
    }
}

extension [String: JSONValue] {
    /// Returns a copy in which the members of `others` replace members with the same name or are added.
    ///
    /// Null removes a member.
    fileprivate func replacing(_ others: [String: JSONValue]?) -> [String: JSONValue] {
        merging(others ?? [:]) { _, new in new }.filter { $0.value != .null }
    }
}

extension StepPlayer {
    func give(_ answer: Step.Answer) async -> [[Delivery]] {
        guard let message = messages[answer.push] else {
            return skipped("The push of the step does not exist.")
        }
        let number = answer.number ?? "34"
        let first = SideCall.answer(answer.with, number: number, messageId: message.id)
        guard let second = answer.meanwhile else { return await call(first) }
        return await both(first, .answer(second, number: number, messageId: message.id))
    }

    /// Makes the second call while the server handles the request of the first call.
    private func both(_ first: SideCall, _ second: SideCall) async -> [[Delivery]] {
        let (side, server) = (side, environment.server)
        let handled = server.requestCount
        server.holdResponses()
        let one = Progress(side, first)
        await environment.waitUntil { one.isOver || server.requestCount > handled }
        let arrived = server.requestCount
        let other = Progress(side, second)
        await environment.waitUntil { other.isOver || server.requestCount > arrived }
        server.releaseResponses()
        return [await one.deliveries, await other.deliveries]
    }
}

/// A call in progress, during which other calls are made.
private final class Progress: Sendable {
    private let task: Task<[Delivery], Never>
    private let over = Lock(false)

    init(_ side: any ParitySide, _ call: SideCall) {
        let over = over
        task = Task {
            defer { over.withValue { $0 = true } }
            return await side.perform(call)
        }
    }

    var isOver: Bool { over.withValue { $0 } }

    var deliveries: [Delivery] {
        get async { await task.value }
    }
}
