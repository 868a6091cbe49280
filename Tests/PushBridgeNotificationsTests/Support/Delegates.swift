import FRAuthenticator
import Foundation
import PingPush
import PushBridgeCore
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

// These functions make the calls that an app's delegates make, in the API that the phone uses. If the push has
// another sender, the functions with an optional result return `nil`.
extension Phone {
    func process(_ userInfo: JSONValue) async throws {
        switch api {
        case .legacy: _ = handler.application(.shared, didReceiveRemoteNotification: userInfo.userInfo)
        case .async: _ = try await client.processNotification(userInfo: userInfo.userInfo)
        }
    }

    func presentation(of userInfo: JSONValue) async -> PushPresentation? {
        switch api {
        case .legacy: await called { handler.presentation(of: userInfo.userInfo, completion: $0) }
        case .async: await client.presentation(of: userInfo.userInfo)
        }
    }

    func backgroundResult(of userInfo: JSONValue) async -> PushBackgroundResult? {
        switch api {
        case .legacy:
            await called { done in
                handler.application(
                    .shared,
                    didReceiveRemoteNotification: userInfo.userInfo,
                    fetchCompletionHandler: { done(PushBackgroundResult(rawValue: $0.rawValue) ?? .failed) }
                )
            }
        case .async: await client.backgroundResult(of: userInfo.userInfo)
        }
    }

    func perform(_ actionId: String, _ userInfo: JSONValue, text: String? = nil) async -> PushReaction {
        switch api {
        case .legacy:
            await called {
                handler.perform(actionId, userInfo: userInfo.userInfo, text: text, completion: $0)
            } ?? .foreign
        case .async: await client.perform(actionId, userInfo: userInfo.userInfo, text: text)
        }
    }

    /// Passes delivered pushes to the API, and returns the message ids of those that can still be answered.
    func receive(delivered: [JSONValue], at dates: [Date] = []) async -> [String] {
        let delivered = delivered.map(\.userInfo)
        switch api {
        case .legacy: return handler.receive(delivered: delivered, at: dates).map(\.messageId)
        case .async: return await client.receive(delivered: delivered, at: dates).map(\.messageId)
        }
    }

    /// Approves the pending pushes in the app's store, in list order or in reverse order.
    /// - Returns: The number of pending pushes.
    func answerPending(reversed: Bool) async throws -> Int {
        switch api {
        case .legacy:
            let found = legacyClient.getAllNotifications().filter(\.isPending)
            for push in reversed ? found.reversed() : found {
                try await waitForCall("the answer") { done in
                    push.accept(onSuccess: { done(()) }, onError: { _ in done(()) })
                }
            }
            return found.count
        case .async:
            let found = try await client.getPendingNotifications()
            for push in reversed ? found.reversed() : found {
                // A test may also answer the pushes in the opposite order, in another task. If that task answered
                // this push first, this call throws.
                do { _ = try await client.approveNotification(push.id) } catch is PushError { continue }
            }
            return found.count
        }
    }

    /// Returns the origins of the logins, as both APIs show them.
    func shownContexts() async throws -> [(contextInfo: String?, context: PushContext)] {
        legacyClient.getAllNotifications().map { ($0.contextInfo, $0.context) }
            + (try await client.getAllNotifications().map { ($0.contextInfo, $0.context) })
    }

    func badge() async throws -> Int {
        switch api {
        case .legacy: handler.badge
        case .async: try await client.badge()
        }
    }

    func setToken(_ bytes: [UInt8]) async throws {
        switch api {
        case .legacy:
            try await waitForCall("the servers to receive the token") { done in
                handler.didRegister(Data(bytes)) { done(()) }
            }
        case .async: try await client.setDeviceToken(Data(bytes))
        }
    }

    /// Waits for a completion handler; returns `nil` if the push has another sender, or if the handler is not called.
    private func called<Value: Sendable>(_ ask: (@escaping (Value) -> Void) -> Bool) async -> Value? {
        let (awaited, calls) = (Awaited<Value>(), calls)
        let isOurs = ask { value in
            calls.withValue { $0 += 1 }
            awaited.provide(value)
        }
        guard isOurs else { return nil }
        do {
            return try await awaited.value("the completion handler")
        } catch {
            Issue.record(error)
            return nil
        }
    }
}

extension JSONValue {
    /// The payload as a dictionary of Foundation's types.
    var userInfo: [AnyHashable: Any] { foundationValue as? [AnyHashable: Any] ?? [:] }
}
