package import Foundation
import PushBridgeCore
import PushBridgePlatform

/// The server of all accounts, which stores registrations and accepts answers.
///
/// It is `@unchecked`, because only one thread at a time uses it: the thread whose turn it is (see `Scheduler`).
package final class Server: @unchecked Sendable {
    package struct Device: Sendable {
        package let uid: String
        package let secret: Data
    }

    /// The credentials of the scanned codes, by message id; the server accepts each registration more than once.
    package var pending: [String: (slot: Slot, secret: Data)] = [:]
    package var devices: [Slot: Device] = [:]
    /// The closure that is called for each accepted answer, with the number of the push.
    package var accepted: (Int) -> Void = { _ in }

    func handle(_ request: PushRequest) -> PushResponse {
        guard let body = JSONValue(json: request.body), case .string(let message)? = body["messageId"] else {
            return PushResponse(status: 400, body: Data("{}".utf8))
        }
        switch request.action {
        case .register:
            guard let registration = pending[message], case .string(let uid)? = body["mechanismUid"] else {
                return PushResponse(status: 400, body: Data("{}".utf8))
            }
            devices[registration.slot] = Device(uid: uid, secret: registration.secret)
        case .authenticate:
            if let number = message.split(separator: ":").last.flatMap({ Int($0) }) { accepted(number) }
        case .refresh, .unregister: break
        }
        return PushResponse(status: 200, body: Data("{}".utf8))
    }
}

/// The network as one process sees it.
struct SimulatedNetwork: CallbackTransport {
    let server: Server
    let process: Process
    let gate: Gate

    var callbacks: DispatchGroup? { process.callbacks }

    func send(_ request: PushRequest, timeout: TimeInterval) async throws -> PushResponse {
        try answer(to: request)
    }

    func send(
        _ request: PushRequest,
        timeout: TimeInterval,
        completion: @escaping @Sendable (Result<PushResponse, any Error>) -> Void
    ) {
        guard pthread_equal(process.thread, pthread_self()) != 0 else {
            return completion(Result { try answer(to: request) })
        }
        // On a phone, a callback runs concurrently with the thread that sent the request. Here, only one of
        // the two runs at a time.
        process.waiting { completion(Result { try answer(to: request) }) }
    }

    private func answer(to request: PushRequest) throws -> PushResponse {
        let response = try gate.pass(process, .send, request.action.rawValue, failing: Self.error) {
            () throws(any Error) in server.handle(request)
        }
        // The response is a separate operation, so it can be lost after the server has handled the request.
        try gate.pass(process, .receive, request.action.rawValue, failing: Self.error) {
            () throws(any Error) in
        }
        return response
    }

    private static func error(_ status: Int32) -> any Error {
        status == 0 ? Death() : PushTransportError.timedOut
    }
}
