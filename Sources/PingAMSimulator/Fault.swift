import Foundation
import PushBridgeCore

/// A fault of one request to the push service.
///
/// Control requests are not affected.
public enum Fault: Equatable, Sendable {
    /// Handles the request immediately, but responds after a delay.
    case delay(Duration)
    /// Closes the connection without handling the request.
    case dropConnection
    /// Handles the request and closes the connection instead of responding.
    case loseResponse
    /// Responds with status 400 without handling the request.
    case refusal
    /// Responds with status 500 without handling the request.
    case serverError
    /// Handles the request and responds with a body that is not JSON.
    case garbageBody
    /// Responds with status 307 and this location without handling the request.
    case redirect(to: String)

    var preventsHandling: Bool {
        switch self {
        case .dropConnection, .refusal, .serverError, .redirect: true
        case .delay, .loseResponse, .garbageBody: false
        }
    }

    func reply(insteadOf response: SimulatedResponse) -> SimulatedReply {
        var response = response
        switch self {
        case .delay(let delay): return SimulatedReply(response, delay: delay)
        case .dropConnection, .loseResponse: return SimulatedReply(nil)
        case .refusal:
            return SimulatedReply(
                Refusal.badRequest("The simulator was set to refuse this request.").response()
            )
        case .serverError:
            return SimulatedReply(
                Refusal.uncaught("The simulator was set to fail at this request.").response()
            )
        case .garbageBody:
            response.headers["Content-Type"] = "text/html"
            response.body = Data("<html>This is not JSON".utf8)
        case .redirect(let location):
            response = SimulatedResponse(status: 307)
            response.headers["Location"] = location
        }
        return SimulatedReply(response)
    }
}

/// A fault, the requests to which it applies, and the number of times that it will still occur.
struct ArmedFault: Sendable {
    let fault: Fault
    let action: PushRequest.Action?
    let mechanismUid: String?
    var remaining: Int

    func strikes(_ request: SimulatedRequest) -> Bool {
        let isOfAction =
            action == .unregister
            ? DeviceRequest(request) != nil : action == nil || action?.rawValue == request.query["_action"]
        return remaining > 0 && isOfAction
            && (mechanismUid == nil
                || JSONValue(message: request.body)?["mechanismUid"] == mechanismUid.map(JSONValue.string))
    }
}
