package import FRAuthenticator
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals
import PushBridgePlatform

extension LegacySide {
    func enrol(_ uri: String) async -> [Delivery] {
        // The call requires a URL, so an app cannot pass other text.
        guard let url = URL(string: uri) else { return [Delivery(.returned, .notOffered)] }
        let client = client
        return await deliveries { listener in
            client.createMechanismFromUri(
                uri: url,
                onSuccess: { mechanism in
                    let account = client.getAccount(mechanism: mechanism)
                    listener.succeed(account.map(mechanism.view) ?? .null)
                },
                onError: listener.fail
            )
        }
    }

    func answer(_ kind: Step.AnswerKind, _ number: String, _ messageId: String) async -> [Delivery] {
        guard let notification = notification(messageId) else {
            return [Delivery(.returned, .skipped("No screen shows the push."))]
        }
        return await deliveries { listener in
            notification.answer(
                kind,
                number: number,
                onSuccess: { listener.succeed(true) },
                onError: listener.fail
            )
        }
    }

    /// Registers a token in the same way as when the app is launched.
    ///
    /// The API reports no result to the app, so the side waits for an internal callback at the end of the
    /// registration.
    func register(_ bytes: Data) async -> [Delivery] {
        let isOver = Lock(false)
        handler.register(bytes) { isOver.withValue { $0 = true } }
        await environment.waitUntil { isOver.withValue { $0 } }
        return [Delivery(.returned, .value(.null))]
    }

    func update(_ token: String, for credentialId: String?) async -> [Delivery] {
        let handler = handler
        guard let credentialId else {
            return await deliveries { listener in
                handler.updateDeviceToken(
                    deviceToken: token,
                    onSuccess: { listener.succeed(true) },
                    onFailure: listener.fail
                )
            }
        }
        let client = client
        return await deliveries { listener in
            guard let mechanism = client.pushMechanism(credentialId) else {
                return listener.skip("No screen shows the mechanism.")
            }
            handler.updateDeviceToken(
                mechanism: mechanism,
                deviceToken: token,
                onSuccess: { listener.succeed(true) },
                onFailure: listener.fail
            )
        }
    }

    /// Makes a call on a separate thread, and waits for its callbacks.
    private func deliveries(_ call: @escaping @Sendable (Listener) -> Void) async -> [Delivery] {
        let listener = Listener()
        DispatchQueue(label: "app").async {
            listener.makeCall(call)
        }
        await environment.waitUntil { listener.isComplete }
        // The side also waits for a possible second callback, which would arrive in the same way as the first
        // callback.
        await withCheckedContinuation { over in
            DispatchQueue.main.async { DispatchQueue.global().async { over.resume() } }
        }
        return listener.deliveries
    }
}

extension FRAuthenticator.PushNotification {
    /// Answers the push with the API's call for this kind of answer.
    package func answer(
        _ kind: Step.AnswerKind,
        number: String,
        onSuccess: @escaping SuccessCallback,
        onError: @escaping ErrorCallback
    ) {
        switch kind {
        case .approve: accept(onSuccess: onSuccess, onError: onError)
        case .challenge: accept(challengeResponse: number, onSuccess: onSuccess, onError: onError)
        case .biometric:
            accept(
                title: "Is it you?",
                allowDeviceCredentials: true,
                onSuccess: onSuccess,
                onError: onError
            )
        case .deny: deny(onSuccess: onSuccess, onError: onError)
        }
    }
}

/// Records the callbacks of one call: how many there are, and the result and the thread of each.
final class Listener: Sendable {
    private struct State {
        /// The thread of the call; `nil` after the call has returned.
        var caller: ObjectIdentifier?
        var hasReturned = false
        var deliveries: [Delivery] = []
    }

    private let state = Lock(State())

    /// Makes the call on this thread.
    func makeCall(_ call: (Listener) -> Void) {
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

    var isComplete: Bool { state.withValue { $0.hasReturned && !$0.deliveries.isEmpty } }

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

/// Determines whether code runs on the main queue.
///
/// On Linux, the main queue does not always run on the main thread.
private enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }
}
