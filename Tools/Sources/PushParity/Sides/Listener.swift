import Foundation
import PushBridgeCore

/// Hears the callbacks of one call: what they say, on which thread, and how many there are.
final class Listener: Sendable {
    private struct State {
        /// The thread of the call, while the call has not returned.
        var caller: ObjectIdentifier?
        var hasReturned = false
        var deliveries: [Delivery] = []
    }

    private let state = Lock(State())

    /// Makes the call on this thread.
    func hear(_ call: (Listener) -> Void) {
        state.withValue { $0.caller = ObjectIdentifier(Thread.current) }
        call(self)
        state.withValue { state in
            state.caller = nil
            state.hasReturned = true
        }
    }

    func succeed(_ value: JSONValue) { add(.value(value)) }

    func fail(_ error: any Error) { add(.failure(Failure(legacy: error))) }

    func skip(_ reason: String) {
        state.withValue { $0.deliveries.append(Delivery(.returned, .skipped(reason))) }
    }

    var isTold: Bool { state.withValue { $0.hasReturned && !$0.deliveries.isEmpty } }

    var deliveries: [Delivery] { state.withValue(\.deliveries) }

    private func add(_ outcome: Delivery.Outcome) {
        let isMain = MainQueue.isCurrent
        let thread = ObjectIdentifier(Thread.current)
        state.withValue { state in
            let kind: Delivery.ThreadClass =
                isMain ? .main : state.caller == thread ? .caller : .background
            state.deliveries.append(Delivery(.callback, thread: kind, outcome))
        }
    }
}

/// Tells whether code runs on the main queue, which on Linux need not be the main thread.
private enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }
}
