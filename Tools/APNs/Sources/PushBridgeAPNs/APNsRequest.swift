package import Foundation
package import NIOHPACK
import PushBridgeCore

/// A push as its provider describes it.
package struct APNsPush: Equatable, Sendable {
    /// The device token, 64 hexadecimal digits.
    package var token: String
    /// The app's bundle identifier; for a call, the bundle identifier with the suffix `.voip`.
    package var topic: String
    /// The push type: `alert`, `background`, `voip` or another key of ``APNsService/topicSuffixes``.
    ///
    /// If this is `nil`, the header is omitted.
    package var type: String? = "alert"
    /// The priority: 10, 5 or 1.
    ///
    /// If this is `nil`, the header is omitted.
    package var priority: String?
    /// The time when APNs stops trying, in seconds since 1970.
    ///
    /// If this is 0, APNs tries only once. If this is `nil`, the header is omitted.
    package var expiration: String?
    /// The collapse id; a push replaces an earlier push with the same collapse id.
    ///
    /// If this is `nil`, the header is omitted.
    package var collapseId: String?
    /// The push's id, a UUID; APNs creates an id if it is missing.
    package var id: String?
    /// The payload in JSON.
    package var payload: Data

    /// Creates an alert.
    ///
    /// Set the optional properties afterwards.
    package init(to token: String, topic: String, payload: Data) {
        self.token = token
        self.topic = topic
        self.payload = payload
    }
}

extension APNsPush {
    /// Rejects values that no request can contain.
    /// - Throws: ``APNsError`` if a part contains a space, or a character other than printable ASCII.
    package func check() throws(APNsError) {
        let parts: [(String, String?)] = [
            ("device token", token), ("topic", topic), ("push type", type), ("priority", priority),
            ("expiration", expiration), ("collapse id", collapseId), ("id", id),
        ]
        for case (let name, let text?) in parts { try APNsError.check(text, name) }
    }
}

extension APNsError {
    /// Rejects a text that contains a space, or a character other than printable ASCII.
    static func check(_ text: String, _ name: String) throws(APNsError) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            let reason = "The \(name) contains a space, or a character that is not printable ASCII."
            throw APNsError(code: .invalidRequest, reason: reason)
        }
    }
}

/// A request to APNs.
package struct APNsRequest: Equatable, Sendable {
    /// All headers, including the pseudo-headers.
    package var headers: HPACKHeaders
    /// The body of the request.
    package var body: Data
    /// The number of the request's connection; APNs limits the renewals of the provider token on each connection.
    package var connection = 0
    /// The client certificate on the provider's connection, in DER; `nil` if the provider has no client
    /// certificate.
    package var certificate: [UInt8]?

    /// Creates a request from its headers and its body.
    package init(headers: HPACKHeaders, body: Data, connection: Int = 0, certificate: [UInt8]? = nil) {
        self.headers = headers
        self.body = body
        self.connection = connection
        self.certificate = certificate
    }

    /// Creates the request for a push.
    ///
    /// If the connection has a certificate, no provider token is needed.
    package init(_ push: APNsPush, providerToken: String?) {
        body = push.payload
        headers = [":method": "POST", ":scheme": "https", ":path": "/3/device/\(push.token)"]
        if let providerToken { headers.add(name: "authorization", value: "bearer \(providerToken)") }
        headers.add(name: "apns-topic", value: push.topic)
        let optional = [
            ("apns-push-type", push.type), ("apns-priority", push.priority),
            ("apns-expiration", push.expiration), ("apns-collapse-id", push.collapseId),
            ("apns-id", push.id),
        ]
        for case (let name, let value?) in optional { headers.add(name: name, value: value) }
    }

    /// The path without its query.
    var path: String { String(target.prefix { $0 != "?" }) }

    /// The query's items.
    var query: [URLQueryItem] { URLComponents(string: target)?.queryItems ?? [] }

    private var target: String { headers.first(name: ":path") ?? "" }
}

/// The answer of APNs to a push.
package struct APNsAnswer: Equatable, Sendable {
    /// The HTTP status; 200 if APNs accepted the push.
    package let status: Int
    /// The push's id.
    package let id: String
    /// The reason for the refusal, as APNs spells it; `nil` if the answer contains none.
    package let reasonText: String?
    /// The time at which the device token became invalid, in milliseconds since 1970; `nil` if the answer contains
    /// none.
    package let timestamp: Int?

    /// Decodes an answer of APNs.
    package init(status: Int, id: String, body: Data) {
        let json = JSONValue(json: body)
        self.status = status
        self.id = id
        if case .string(let text)? = json?["reason"] { reasonText = text } else { reasonText = nil }
        if case .integer(let time)? = json?["timestamp"] { timestamp = time } else { timestamp = nil }
    }

    init(id: String, _ reason: APNsReason? = nil, since time: Date? = nil) {
        status = reason?.status ?? 200
        self.id = id
        reasonText = reason?.rawValue
        timestamp = time.map { Int($0.millisecondsSince1970) }
    }

    /// The ``timestamp`` as a `Date`; `nil` if there is no timestamp.
    package var time: Date? { timestamp.map { Date(timeIntervalSince1970: Double($0) / 1000) } }

    /// The reason; `nil` if APNs accepted the push, or if APNs refused it for an unpublished reason.
    package var reason: APNsReason? { reasonText.flatMap(APNsReason.init) }

    /// The provider's next action; `nil` if APNs accepted the push.
    package var advice: APNsAdvice? { status == 200 ? nil : APNsAdvice(status: status, reason: reason) }

    /// The response body with the reason; empty if APNs accepted the push.
    var body: Data {
        guard let reasonText else { return Data() }
        var members: [String: JSONValue] = ["reason": .string(reasonText)]
        if let timestamp { members["timestamp"] = .integer(timestamp) }
        return JSONValue.object(members).data
    }
}
