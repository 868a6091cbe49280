import PushBridgeCore
import PushBridgePlatform

/// Holds responses back while it is shut; requests are handled all the same.
final class ResponseGate: Sendable {
    private struct State {
        var isShut = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    func shut() {
        state.withValue { $0.isShut = true }
    }

    func open() {
        let waiting = state.withValue { state in
            defer { state = State() }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withValue { state in
                if state.isShut { state.waiting.append(continuation) }
                return !state.isShut
            }
            if isOpen { continuation.resume() }
        }
    }
}
