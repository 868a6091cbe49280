public import Foundation

/// One HTTP request to the push service.
///
/// The address of a request comes from the credential's registration.
///
/// An app's interceptors may change the request, for gateways in front of the server.
public struct PushRequest: Equatable, Sendable {
    /// The purpose of a request to the push service.
    public enum Action: String, CaseIterable, Sendable {
        /// Registers the device and proves possession of the secret.
        case register
        /// Answers a login.
        case authenticate
        /// Replaces the device token.
        case refresh
        /// Looks up or removes the device's profile, with a session from the app.
        case unregister
    }

    /// One header field.
    public struct Header: Hashable, Sendable {
        /// The field's name.
        public let name: String
        /// The field's value.
        public let value: String

        /// Creates a header field.
        /// - Parameters:
        ///   - name: The name of the field.
        ///   - value: The value of the field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The purpose of the request.
    public let action: Action
    /// The HTTP method.
    ///
    /// The push service uses `POST`; requests about device profiles use `GET` or `DELETE`. An interceptor may set any
    /// method.
    public var method = "POST"
    /// The address.
    public var url: String
    /// The header fields; each API may append its own fields.
    public var headers: [Header]
    /// The body: JSON with sorted keys; empty in a request about device profiles.
    public var body: Data
    /// The name of the push configuration that serves the app.
    ///
    /// The name is for interceptors and is not sent.
    package var providerName: String?

    init(_ action: Action, url: String, body: JSONValue, loadBalancer: String?) {
        self.action = action
        self.url = url
        self.body = body.data
        headers = Self.standardHeaders
        if let loadBalancer, !loadBalancer.isEmpty, loadBalancer.isHeaderValue {
            headers.append(Header("Cookie", loadBalancer))
        }
    }

    /// Creates a request about the profiles of a user's devices.
    init(_ method: String, url: String, session: Header, loadBalancer: String?) {
        self.init(.unregister, url: url, body: [:], loadBalancer: loadBalancer)
        self.method = method
        body = Data()
        guard session.value.isHeaderValue else { return }
        if session.name == "Cookie", let cookies = headers.firstIndex(where: { $0.name == "Cookie" }) {
            headers[cookies] = Header("Cookie", "\(headers[cookies].value); \(session.value)")
        } else {
            headers.append(session)
        }
    }

    private static let standardHeaders = [
        Header("accept-api-version", "resource=1.0, protocol=1.0"),
        Header("Content-Type", "application/json"),
    ]
}

extension PushRequest: CustomStringConvertible, Concealed {
    /// The action and the size, without the cookie, the device token or the signature.
    public var description: String { "PushRequest(\(action.rawValue), \(body.count) bytes)" }
}

/// The device's token and name, as the push service receives them.
package struct DeviceDescription: Equatable, Sendable {
    /// The APNs token in hexadecimal.
    package let deviceId: String
    /// The name that users see in their lists of devices.
    package let deviceName: String

    /// Creates a description; `deviceId` must be in hexadecimal.
    package init(deviceId: String, deviceName: String) {
        self.deviceId = deviceId
        self.deviceName = deviceName
    }

    /// Returns the claims of the device.
    ///
    /// The device type and the communication type are those of an iOS device.
    func claims(mechanismUid: String) -> [String: JSONValue] {
        [
            "mechanismUid": .string(mechanismUid),
            "deviceId": .string(deviceId),
            "deviceName": .string(deviceName),
            "deviceType": "ios",
            "communicationType": "apns",
        ]
    }
}

extension DeviceDescription: CustomStringConvertible, Concealed {
    /// The device's name, without the token.
    package var description: String { "DeviceDescription(\(deviceName))" }
}

extension PushCredential {
    /// Returns the request that sends the device's current token to the server.
    package func refreshRequest(device: DeviceDescription) -> PushRequest {
        PushRequest(
            .refresh,
            url: updateEndpoint,
            body: [
                "mechanismUid": .string(id),
                "jwt": sharedSecret.signed(device.claims(mechanismUid: id)),
                // Servers require the user's name. If the user's name is unknown, the account's name is sent;
                // by default, the two names are the same.
                "username": .string(userId ?? accountName),
            ],
            loadBalancer: legacy?.registration?.loadBalancer
        )
    }

    /// Returns the request that answers a push of this credential; the answer must suit the push's type.
    ///
    /// The caller checks whether the push is pending; see
    /// ``CredentialWriting/answering(_:to:claim:now:handlers:settling:)``.
    ///
    /// - Throws: ``PushAnswerError`` if the push belongs to another credential, the answer is of the wrong kind, the
    ///   challenge is not base64, or the secret is unusable.
    package func answerRequest(
        _ answer: PushAnswer,
        to notification: PushNotification
    ) throws(PushAnswerError) -> PushRequest {
        guard notification.credentialId == id else { throw .credentialNotFound }
        guard answer.suits(notification.pushType) else { throw .wrongKind(notification.pushType) }
        guard sharedSecret.isUsable else { throw .unusableSecret }
        let response = ChallengeResponse.compute(
            base64Challenge: notification.challenge ?? "",
            secret: sharedSecret
        )
        guard let response else { throw .invalidChallenge }
        var claims = answer.claims
        claims["response"] = .string(response)
        return PushRequest(
            .authenticate,
            url: authenticationEndpoint,
            body: ["messageId": .string(notification.messageId), "jwt": sharedSecret.signed(claims)],
            loadBalancer: notification.loadBalancer
        )
    }
}

extension SharedSecret {
    fileprivate func signed(_ claims: [String: JSONValue]) -> JSONValue {
        .string(signedToken(claims: JSONValue.object(claims).data))
    }
}

extension PushAnswer {
    /// The claims of the answer, without the response to the challenge.
    ///
    /// `deny` is present only if it is true, because some server nodes read any value as a denial.
    fileprivate var claims: [String: JSONValue] {
        switch self {
        case .approve, .approveBiometric: [:]
        case .approveChallenge(let number): ["challengeResponse": .string(number)]
        case .deny: ["deny": true]
        }
    }
}

extension PushRegistration {
    /// Returns the request that registers the device; `mechanismUid` is the id of the new credential.
    package func request(mechanismUid: String, device: DeviceDescription) -> PushRequest {
        var claims = device.claims(mechanismUid: mechanismUid)
        claims["response"] = .string(
            ChallengeResponse.compute(challenge: challenge, secret: sharedSecret)
        )
        return PushRequest(
            .register,
            url: endpoints.registration,
            body: ["messageId": .string(messageId), "jwt": sharedSecret.signed(claims)],
            loadBalancer: loadBalancer
        )
    }
}

extension String {
    /// Whether the text is valid in an HTTP header.
    ///
    /// A line break would begin another header.
    var isHeaderValue: Bool {
        unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    /// Whether the text can be sent as a cookie: it is `name=value` and contains nothing that ends a header.
    var isCookiePair: Bool { isHeaderValue && contains("=") }
}

/// The HTTP response of the push service.
public struct PushResponse: Equatable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// The body.
    public let body: Data

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - body: The body.
    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }

    /// Checks that the server accepted the request; ignores the body.
    ///
    /// Any status from 200 to 299 counts as accepted, because a gateway may send 204.
    ///
    /// - Throws: ``PushResponseError`` with the status and, if the server sent one, its message.
    public func accepted() throws(PushResponseError) {
        switch status {
        case 200..<300: return
        case 300..<400: throw .redirected(status: status)
        case 400..<500: throw .refused(status: status, message: message)
        case 500..<600: throw .serverFault(status: status, message: message)
        default: throw .unexpected(status: status)
        }
    }

    /// The `message` of a JSON body; `nil` for any other body, and for a body that is too large to be an
    /// error message.
    private var message: String? {
        guard body.count <= Self.largestError else { return nil }
        return JSONValue(json: body)?["message"]?.string?.nonEmpty
    }

    private static let largestError = 64 * 1024
}

/// The reason why a request failed although the push service responded.
public enum PushResponseError: Error, Equatable, Sendable {
    /// The server refused the request (4xx); `message` is the server's message, if it sent one.
    case refused(status: Int, message: String?)
    /// The server redirected the request (3xx); redirects are not followed, so that no signed answer is sent to another
    /// address.
    case redirected(status: Int)
    /// The server failed (5xx); `message` is the server's message, if it sent one.
    case serverFault(status: Int, message: String?)
    /// The response has a status that the push service does not use.
    case unexpected(status: Int)

    /// The most likely reason why a registration is refused.
    package static let codeHint = "The code may be too old or already used."

    /// One sentence for a person: whether the server refused or failed, and the server's message.
    package var reason: String {
        switch self {
        case .refused(let status, let message): Self.text("The server refused", status, message)
        case .redirected(let status): "The server redirected (HTTP \(status)); redirects are not followed."
        case .serverFault(let status, let message): Self.text("The server failed", status, message)
        case .unexpected(let status): "The server responded with the unexpected status \(status)."
        }
    }

    private static func text(_ event: String, _ status: Int, _ message: String?) -> String {
        message.map { "\(event) (HTTP \(status)): \($0)" } ?? "\(event) (HTTP \(status))."
    }
}
