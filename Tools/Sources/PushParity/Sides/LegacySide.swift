@_spi(PushBridgeTools) import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform

/// The legacy API, as an app uses it.
package final class LegacySide: ParitySide {
    let client: FRAClient
    let handler: FRAPushHandler
    let world: World
    /// The notifications that were handed out, by message id, as an app's screens hold them.
    let shown = Lock<[String: FRAuthenticator.PushNotification]>([:])

    private init(_ client: FRAClient, _ handler: FRAPushHandler, in world: World) {
        self.client = client
        self.handler = handler
        self.world = world
    }

    package static func make(in world: World) async throws -> any ParitySide {
        let phone = world.phone
        let evaluator = FRAPolicyEvaluator()
        try evaluator.registerPolicies(policies: world.policies.map(ProbedPolicy.init), shouldOverride: true)
        let (client, handler) = FRAClient.separate(
            store: world.storeOfSide,
            transport: world.makeTransport(),
            policyEvaluator: evaluator,
            localAuthentication: PassedAuthentication(),
            now: { phone.now }
        )
        return LegacySide(client, handler, in: world)
    }

    package func perform(_ call: SideCall) async -> [Delivery] {
        switch call {
        case .registerToken(let bytes): await register(bytes)
        case .updateToken(let token, let id): await update(token, for: id)
        case .enrol(let uri): await enrol(uri)
        case .answer(let kind, let number, let messageId): await answer(kind, number, messageId)
        case .deleteNotification(let messageId): [Delivery(.returned, deleteNotification(messageId))]
        case .close: [Delivery(.returned, .notOffered)]
        default: [returned(by: call)]
        }
    }

    package func end() async {}

    /// What a synchronous call returns.
    private func returned(by call: SideCall) -> Delivery {
        do {
            return Delivery(.returned, .value(try value(of: call)))
        } catch {
            return Delivery(.returned, .failure(Failure(legacy: error)))
        }
    }

    private func value(of call: SideCall) throws -> JSONValue {
        switch call {
        case .clearToken:
            handler.clearDeviceToken()
            return .null
        case .readToken: return .optional(handler.deviceToken)
        case .receive(let payload): return receive(payload)
        case .lock(let id, let policy):
            try client.lockAccount(account: try account(of: id), policy: NamedPolicy(name: policy))
            return true
        case .unlock(let id):
            try client.unlockAccount(account: try account(of: id))
            return true
        case .rename(let id, let issuer, let name): return .bool(try rename(id, issuer, name))
        case .deleteCredential(let id): return .bool(delete(id))
        case .deleteAccount(let key): return .bool(delete(key))
        case .code(let id): return try code(id)
        case .list(let content): return list(content)
        case .registerToken, .updateToken, .enrol, .answer, .deleteNotification, .close: return .null
        }
    }
}

/// A policy that asks the scenario's device.
private final class ProbedPolicy: FRAPolicy {
    let name: String
    var data: Any?
    private let policy: any MfaPolicy

    init(_ policy: any MfaPolicy) {
        name = policy.name
        self.policy = policy
    }

    func evaluate() -> Bool { policy.isSatisfied(by: json) }

    private var json: JSONValue {
        guard let data, JSONSerialization.isValidJSONObject([data]) else { return .null }
        do {
            let text = try JSONSerialization.data(withJSONObject: [data])
            guard case .array(let values)? = JSONValue(json: text) else { return .null }
            return values.first ?? .null
        } catch {
            return .null
        }
    }
}

/// A policy of which only the name counts.
private struct NamedPolicy: FRAPolicy {
    let name: String
    var data: Any?

    func evaluate() -> Bool { true }
}

/// The user passes whenever asked.
private struct PassedAuthentication: LocalAuthenticating {
    var isAvailable: Bool { true }

    func authenticate(
        _ prompt: AuthenticationPrompt,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completion(nil)
    }
}
