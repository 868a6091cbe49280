import Foundation
import PingAMSimulator
import PushBridgeCommandLine
@_spi(PushBridgeTools) import PushBridgeCore
@_spi(PushBridgeTools) import PushBridgePlatform

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Drives a push service through what needs no administrator, and compares its answers with those that each version of
/// PingAM is known to give.
struct Conformance {
    /// What can be looked at beside the answers.
    enum Source: CaseIterable {
        case code
        case push
        case profile
    }

    /// One thing that was tried.
    struct Check {
        let check: String
        let expected: String
        let found: String
        let isRight: Bool
    }

    /// What a server said.
    struct Answer {
        let status: Int
        let body: JSONValue?
    }

    /// How many seconds the page of a code may take to see that the device came: it looks every few seconds.
    static let patience = 10

    /// The deployment and the realm, up to `json` and the realm's names.
    let base: String
    /// A registration code to enrol with, if there is one.
    var code: String?
    /// The payload of a push, if there is one.
    var push: Data?
    /// A user who approved a login, and the user's session.
    var owner: (user: String, session: String)?

    private var candidates = Candidate.all
    private var checks: [Check] = []
    /// Whether a refusal is one that only PingAM's push service gives: proxies and other paths have a 404 or 500 too.
    private var isPushService = false

    init(base: String) {
        self.base = base
    }

    /// Tries everything.
    /// - Throws: `URLError` if the service cannot be reached, and ``CommandFailure`` for a code or push that is none.
    mutating func run() async throws -> ConformanceReport {
        let registration = try code.map(registration(of:))
        try await checkRefusals()
        guard isPushService else { return report(candidates: []) }
        if let code, let registration { try await enrol(registration, code) }
        if let push { try judge(push) }
        if let owner { try await lookAtProfile(of: owner.user, session: owner.session) }
        return report(candidates: candidates)
    }

    private func report(candidates: Set<Candidate>) -> ConformanceReport {
        var missing: Set<Source> = []
        if code == nil { missing.insert(.code) }
        if push == nil { missing.insert(.push) }
        if owner == nil { missing.insert(.profile) }
        return ConformanceReport(
            checks: checks,
            candidates: candidates,
            missing: missing,
            isPushService: isPushService
        )
    }

    private mutating func checkRefusals() async throws {
        let unknown = "AUTHENTICATE:\(UUID().uuidString.lowercased())1600000000000"
        let token = SharedSecret.random().signedToken(claims: Data(#"{"response":"AAAA"}"#.utf8))
        expect(400, of: try await post("authenticate", [:]), "no message is named")
        expect(400, of: try await post("authenticate", message(unknown, token)), "the message is unknown")
        expect(500, of: try await post("authenticate", message("none", token)), "the message has no kind")
        let action = try await post("dance", [:])
        expect(501, of: action, "the action is unknown")
        expect("dance not supported", of: action, "the text about the action")
        expect(404, of: try await post("authenticate", [:], version: "2.0"), "another version of the API")
        let update = try await post(
            "refresh",
            ["mechanismUid": .string(UUID().uuidString), "jwt": .string(token)]
        )
        expectEither(update, "a token update without a user", takesTokens: [400])
    }

    /// What a code says, which has to be one of this server: nothing is sent elsewhere.
    private func registration(of code: String) throws -> PushRegistration {
        let registration: PushRegistration
        do {
            registration = try PushRegistration(uri: code)
        } catch {
            throw CommandFailure(
                status: .unreadableInput,
                sentence: "The code is not a registration code for push."
            )
        }
        let (own, other) = (Self.authority(base), Self.authority(registration.endpoints.registration))
        guard own == other else {
            throw CommandFailure(status: .usage, sentence: "The code is of another server, \(other).")
        }
        return registration
    }

    /// The host and the port of an address.
    private static func authority(_ address: String) -> String {
        let parts = URLComponents(string: address)
        let port = parts?.port ?? (parts?.scheme?.lowercased() == "https" ? 443 : 80)
        return "\(parts?.host?.lowercased() ?? ""):\(port)"
    }

    private mutating func enrol(_ registration: PushRegistration, _ code: String) async throws {
        let evidence = CodeEvidence(code)
        judge("the form of the code", evidence.description, suits: evidence.suits)
        let id = UUID().uuidString
        let (deviceId, deviceName) = (String(repeating: "0", count: 64), "Conformance")
        let request = registration.request(mechanismUid: id, deviceId: deviceId, deviceName: deviceName)
        let forged = SharedSecret.random().signedToken(claims: Data(#"{"response":"AAAA"}"#.utf8))
        let wrong = registration.sharedSecret.signedToken(claims: Data(#"{"response":"AAAA"}"#.utf8))
        let place = request.url
        expect(400, of: try await send(place, message(registration.messageId, forged)), "a wrong signature")
        expect(400, of: try await send(place, message(registration.messageId, wrong)), "a wrong response")
        let body = JSONValue(json: request.body) ?? .null
        let cookie = request.headers.first { $0.name == "Cookie" }?.value
        let enrolled = try await send(place, body, cookie: cookie)
        expect(200, of: enrolled, "the enrolment")
        guard enrolled.status == 200 else { return }
        expect(400, of: try await send(place, body, cookie: cookie), "the enrolment once more")
        let credential = registration.credential(id: id, createdAt: Date())
        let update = credential.refreshRequest(deviceId: deviceId, deviceName: deviceName)
        var answer = try await send(update.url, JSONValue(json: update.body) ?? .null, cookie: cookie)
        // Without the user's name, which codes of modules do not tell, servers refuse.
        let namesUser = registration.userId != nil
        // The device is stored when the page of the code looks, and unknown until then.
        for _ in 0..<Self.patience where namesUser && answer.status == 400 {
            try await Task.sleep(for: .seconds(1))
            answer = try await send(update.url, JSONValue(json: update.body) ?? .null, cookie: cookie)
        }
        let what = "a token update of the new device, while the page of its code is open"
        expectEither(answer, what, takesTokens: namesUser ? [200] : [200, 400])
    }

    private mutating func lookAtProfile(of user: String, session: String) async throws {
        let cookie = "\(SimulatedService.sessionCookie)=\(session)"
        guard let name = user.addingPercentEncoding(withAllowedCharacters: .inPathSegments) else {
            throw CommandFailure(status: .usage, sentence: "The user's name is not valid text.")
        }
        func profiles(_ folder: String) async throws -> Answer {
            let place = "\(base)/users/\(name)/devices/\(folder)?_queryFilter=true"
            return try await send(place, nil, cookie: cookie)
        }
        var answer = try await profiles("2fa/push")
        // This path is known of servers from 7.5 on; those before may have another.
        let older = candidates.filter { $0.version < .v7_5 }
        if answer.status == 404, !older.isEmpty {
            answer = try await profiles("push")
            if answer.status == 200 { candidates = older }
        }
        add("the profiles of the user", "200", "\(answer.status)", answer.status == 200)
        guard case .array(let profiles)? = answer.body?["result"], !profiles.isEmpty else { return }
        let dates = profiles.filter { if case .integer? = $0["lastAccessDate"] { true } else { false } }
        let found = dates.isEmpty ? "does not tell the last login" : "tells the last login"
        judge("the profile after a login", found) { candidate in
            // Only nodes write when the last login was.
            (candidate.version >= .v8_0_0 && candidate.pushes == .node) == !dates.isEmpty
        }
    }

    private func message(_ id: String, _ token: String) -> JSONValue {
        ["messageId": .string(id), "jwt": .string(token)]
    }
}

// MARK: - Judging

extension Conformance {
    /// What servers say, as far as it is known: every 400 is the same, and a success is nothing.
    private static func body(_ status: Int) -> JSONValue? {
        switch status {
        case 200: [:]
        case 400: ["code": 400, "reason": "Bad Request", "message": "Bad request."]
        default: nil
        }
    }

    private mutating func expect(_ status: Int, of answer: Answer, _ what: String) {
        guard answer.status == status else { return add(what, "\(status)", "\(answer.status)", false) }
        if let body = Self.body(status) {
            let found = answer.body?.text ?? "no JSON"
            isPushService = isPushService || status == 400 && answer.body == body
            return add(what, "\(status) \(body.text)", "\(status) \(found)", answer.body == body)
        }
        // Of other refusals it is known that they have their status as a member, of what is not caught nothing.
        let isFramed = status == 500 || answer.body?["code"] == .integer(status)
        isPushService = isPushService || status == 501 && isFramed
        add(what, "\(status)", isFramed ? "\(status)" : "\(status) of another form", isFramed)
    }

    private mutating func expect(_ text: String, of answer: Answer, _ what: String) {
        guard case .string(let found)? = answer.body?["message"] else {
            return add(what, text, "none", false)
        }
        // How many blanks there are is not known.
        add(what, text, found, found.split(separator: " ") == text.split(separator: " "))
    }

    /// A check that separates versions that take new tokens from those that do not.
    private mutating func expectEither(_ answer: Answer, _ what: String, takesTokens statuses: [Int]) {
        let all = statuses + [501]
        let isRight = all.contains(answer.status)
        add(what, all.map(String.init).joined(separator: " or "), "\(answer.status)", isRight)
        guard isRight else { return }
        candidates = candidates.filter { $0.version.takesNewTokens == (answer.status != 501) }
    }

    private mutating func judge(_ payload: Data) throws {
        guard let push = PushEvidence(payload) else {
            throw CommandFailure(status: .unreadableInput, sentence: "The push is not one of PingAM's.")
        }
        judge("the form of the push", push.description, suits: push.suits)
    }

    /// Keeps the candidates that a finding fits.
    private mutating func judge(_ what: String, _ found: String, suits: (Candidate) -> Bool) {
        candidates = candidates.filter(suits)
        add(what, "that of a version", found, !candidates.isEmpty)
    }

    private mutating func add(_ check: String, _ expected: String, _ found: String, _ isRight: Bool) {
        checks.append(Check(check: check, expected: expected, found: found, isRight: isRight))
    }
}

// MARK: - Sending

extension Conformance {
    private func post(_ action: String, _ body: JSONValue, version: String = "1.0") async throws -> Answer {
        try await send("\(base)/push/sns/message?_action=\(action)", body, version: version)
    }

    /// Posts a body, or asks if there is none.
    private func send(
        _ address: String,
        _ body: JSONValue?,
        version: String = "1.0",
        cookie: String? = nil
    ) async throws -> Answer {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = body == nil ? "GET" : "POST"
        request.httpBody = body?.data
        request.httpShouldHandleCookies = false
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("resource=\(version), protocol=1.0", forHTTPHeaderField: "Accept-API-Version")
        if let cookie { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
        // Follows no redirect: a session must not leave the server that it is of.
        let (data, response) = try await URLSessionTransport().exchange(request, timeout: 30)
        return Answer(status: response.statusCode, body: JSONValue(json: data))
    }
}

extension CharacterSet {
    /// What may stand in one part of a path as it is.
    fileprivate static let inPathSegments = CharacterSet.urlPathAllowed.subtracting(["/", ";"])
}
