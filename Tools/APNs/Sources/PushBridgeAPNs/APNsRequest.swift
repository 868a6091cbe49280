package import Foundation
package import NIOHPACK
import PushBridgeCore

/// A push as its provider describes it.
package struct APNsPush: Equatable, Sendable {
    /// The device token, 64 hexadecimal digits.
    package var token: String
    /// The app's bundle identifier; for calls with the suffix `.voip`.
    package var topic: String
    /// `alert`, `background`, `voip` or another key of ``APNsService/topicSuffixes``; `nil` omits the header.
    package var type: String? = "alert"
    /// 10, 5 or 1; `nil` omits the header.
    package var priority: String?
    /// The time when APNs stops trying, in seconds since 1970; 0 tries once, `nil` omits the header.
    package var expiration: String?
    /// A push replaces an earlier one with the same id.
    package var collapseId: String?
    /// A UUID; APNs creates one if it is missing.
    package var id: String?
    /// The payload, JSON.
    package var payload: Data

    /// Creates an alert; set optional properties afterwards.
    package init(to token: String, topic: String, payload: Data) {
        self.token = token
        self.topic = topic
        self.payload = payload
    }
}

extension APNsPush {
    /// Rejects values that no request can contain.
    /// - Throws: ``APNsError`` if a part has blanks or unprintable characters.
    package func check() throws(APNsError) {
        let parts: [(String, String?)] = [
            ("device token", token), ("topic", topic), ("push type", type), ("priority", priority),
            ("expiration", expiration), ("collapse id", collapseId), ("id", id),
        ]
        for case (let name, let text?) in parts { try APNsError.check(text, name) }
    }
}

extension APNsError {
    /// Rejects a text with characters other than printable ASCII.
    static func check(_ text: String, _ name: String) throws(APNsError) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            let reason = "The \(name) contains a blank, or a character that is not printable ASCII."
            throw APNsError(code: .invalidRequest, reason: reason)
        }
    }
}

/// A request to APNs.
package struct APNsRequest: Equatable, Sendable {
    /// Every header, pseudo-headers included.
    package var headers: HPACKHeaders
    /// The body.
    package var body: Data
    /// The connection of the request; APNs limits renewals of provider tokens per connection.
    package var connection = 0
    /// The client certificate of the provider's connection, in DER; `nil` if the provider has none.
    package var certificate: [UInt8]?

    /// Creates a request from received headers and bytes.
    package init(headers: HPACKHeaders, body: Data, connection: Int = 0, certificate: [UInt8]? = nil) {
        self.headers = headers
        self.body = body
        self.connection = connection
        self.certificate = certificate
    }

    /// Creates the request for a push; a connection with a certificate requires no provider token.
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
    /// 200 if APNs accepted the push.
    package let status: Int
    /// The push's id.
    package let id: String
    /// The reason of the refusal, as APNs spells it.
    package let reasonText: String?
    /// The time since which the device token has been invalid, in milliseconds since 1970.
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

    /// ``timestamp`` as a `Date`.
    package var time: Date? { timestamp.map { Date(timeIntervalSince1970: Double($0) / 1000) } }

    /// The reason; `nil` if APNs accepted the push, or refused it for an unpublished reason.
    package var reason: APNsReason? { reasonText.flatMap(APNsReason.init) }

    /// The next action; `nil` if APNs accepted the push.
    package var advice: APNsAdvice? { status == 200 ? nil : APNsAdvice(status: status, reason: reason) }

    /// The response body with the reason; empty if the push was accepted.
    var body: Data {
        guard let reasonText else { return Data() }
        var members: [String: JSONValue] = ["reason": .string(reasonText)]
        if let timestamp { members["timestamp"] = .integer(timestamp) }
        return JSONValue.object(members).data
    }
}
