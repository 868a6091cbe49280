import PushBridgeCore
import PushBridgePlatform

extension SessionEvents {
    /// Leaves every decision to a handler, which need not be `Sendable`, as no existing one is.
    init(_ handler: any FRURLSessionHandlerProtocol) {
        self.init()
        let handler = Lock(handler)
        challenge = { session, task, challenge, decide in
            handler.withValue { $0 }
                .urlSession(session, task: task, didReceive: challenge, completionHandler: decide)
        }
        redirect = { session, task, response, request, decide in
            handler.withValue { $0 }.urlSession(
                session,
                task: task,
                willPerformHTTPRedirection: response,
                newRequest: request,
                completionHandler: decide
            )
        }
    }
}
