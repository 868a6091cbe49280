public import Foundation
public import PushBridgeCore

/// One HTTP response of the simulated service.
public struct SimulatedResponse: Equatable, Sendable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    /// Creates a response with a JSON body.
    public init(status: Int = 200, json: JSONValue = [:]) {
        self.status = status
        headers = ["Content-Type": "application/json"]
        body = json.data
    }
}
