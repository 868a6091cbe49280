import Foundation
import PingAMSimulator
import PushBridgeCore

extension Play {
    func give(_ answer: Step.Answer) async -> [[Delivery]] {
        guard let message = messages[answer.push] else { return skipped("There is no such push.") }
        let number = answer.number ?? "34"
        let first = SideCall.answer(answer.with, number: number, messageId: message.id)
        guard let second = answer.meanwhile else { return await call(first) }
        return await both(first, .answer(second, number: number, messageId: message.id))
    }

    /// Makes the second call while the first one's request is at the server.
    private func both(_ first: SideCall, _ second: SideCall) async -> [[Delivery]] {
        let (side, server) = (side, world.server)
        let handled = server.journal.count
        server.holdResponses()
        let one = Progress(side, first)
        await world.waitUntil { one.isOver || server.journal.count > handled }
        let arrived = server.journal.count
        let other = Progress(side, second)
        await world.waitUntil { other.isOver || server.journal.count > arrived }
        server.releaseResponses()
        return [await one.deliveries, await other.deliveries]
    }
}

/// A call that goes on while others are made.
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
