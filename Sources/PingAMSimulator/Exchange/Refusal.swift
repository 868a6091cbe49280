import PushBridgeCore

/// Why the service refuses a request, in the shape of its error bodies.
struct Refusal: Error, Equatable {
    let status: Int
    let reason: String
    let message: String

    static func badRequest(_ message: String) -> Refusal {
        Refusal(status: 400, reason: "Bad Request", message: message)
    }

    static func notFound(_ message: String) -> Refusal {
        Refusal(status: 404, reason: "Not Found", message: message)
    }

    static func internalError(_ message: String) -> Refusal {
        Refusal(status: 500, reason: "Internal Server Error", message: message)
    }

    var response: SimulatedResponse {
        let body: JSONValue = [
            "code": .integer(status), "reason": .string(reason), "message": .string(message),
        ]
        return SimulatedResponse(status: status, json: body)
    }
}
