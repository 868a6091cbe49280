import Foundation
import PingAMSimulator
import PushBridgeCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Drives a push service through what needs no administrator, and compares its answers with those that each version of
/// PingAM is known to give.
struct Conformance {
    /// A version, and what makes its codes.
    struct Candidate: Hashable {
        let version: ServerVersion
        let sender: PushSender
    }

    /// One thing that was tried.
    struct Check {
        let check: String
        let expected: String
        let found: String
        let isRight: Bool
    }

    /// Where requests go, up to the action.
    let address: String
    /// A registration code to enrol with, if there is one.
    let code: String?

    private var candidates = Set<Candidate>()
    private var checks: [Check] = []

    init(address: String, code: String?) {
        self.address = address
        self.code = code
        for version in ServerVersion.allCases {
            for sender in PushSender.allCases {
                candidates.insert(Candidate(version: version, sender: sender))
            }
        }
    }

    /// Tries everything.
    /// - Throws: `URLError` if the service cannot be reached, and ``CommandFailure`` for a code that is none.
    mutating func run() async throws -> ConformanceReport {
        try await checkRefusals()
        if let code { try await enrol(with: code) }
        return ConformanceReport(checks: checks, candidates: candidates)
    }

    private mutating func checkRefusals() async throws {
        let unknown = "AUTHENTICATE:\(UUID().uuidString.lowercased())1600000000000"
        let token = SharedSecret.random().signedToken(claims: Data(#"{"response":"AAAA"}"#.utf8))
        expect(400, of: try await post("authenticate", [:]), "no message is named")
        expect(400, of: try await post("authenticate", message(unknown, token)), "the message is unknown")
        expect(500, of: try await post("authenticate", message("none", token)), "the message has no kind")
        expect(501, of: try await post("dance", [:]), "the action is unknown")
        expect(404, of: try await post("authenticate", [:], version: "2.0"), "another version of the API")
        let update = try await post(
            "refresh",
            ["mechanismUid": .string(UUID().uuidString), "jwt": .string(token)]
        )
        expectEither(update, "a token update without a user", takesTokens: 400)
    }

    private mutating func enrol(with code: String) async throws {
        let registration: PushRegistration
        do {
            registration = try PushRegistration(uri: code)
        } catch {
            throw CommandFailure(
                status: .unreadableInput,
                sentence: "The code is no registration code for push."
            )
        }
        judge(CodeForm(code))
        let id = UUID().uuidString
        let device = DeviceDescription(deviceId: String(repeating: "0", count: 64), deviceName: "Conformance")
        let request = registration.request(mechanismUid: id, device: device)
        let forged = SharedSecret.random().signedToken(claims: Data(#"{"response":"AAAA"}"#.utf8))
        let wrong = registration.sharedSecret.signedToken(claims: Data(#"{"response":"AAAA"}"#.utf8))
        let place = request.url
        expect(400, of: try await send(place, message(registration.messageId, forged)), "a wrong signature")
        expect(400, of: try await send(place, message(registration.messageId, wrong)), "a wrong response")
        let body = JSONValue(json: request.body) ?? .null
        let cookie = request.headers.first { $0.name == "Cookie" }?.value
        let enrolled = try await send(place, body, cookie: cookie)
        expect(200, of: enrolled, "the enrolment")
        guard enrolled == 200 else { return }
        expect(400, of: try await send(place, body, cookie: cookie), "the enrolment once more")
        let credential = registration.credential(id: id, createdAt: Date())
        let update = credential.refreshRequest(device: device)
        let status = try await send(update.url, JSONValue(json: update.body) ?? .null, cookie: cookie)
        expectEither(status, "a token update of the new device", takesTokens: 200)
    }

    private func message(_ id: String, _ token: String) -> JSONValue {
        ["messageId": .string(id), "jwt": .string(token)]
    }

    // MARK: - Judging

    private mutating func expect(_ status: Int, of found: Int, _ what: String) {
        checks.append(
            Check(check: what, expected: "\(status)", found: "\(found)", isRight: found == status)
        )
    }

    /// A check that tells versions that take new tokens from those that know none.
    private mutating func expectEither(_ found: Int, _ what: String, takesTokens status: Int) {
        let isRight = found == status || found == 501
        checks.append(
            Check(check: what, expected: "\(status) or 501", found: "\(found)", isRight: isRight)
        )
        guard isRight else { return }
        candidates = candidates.filter { $0.version.takesNewTokens == (found == status) }
    }

    private mutating func judge(_ form: CodeForm) {
        candidates = candidates.filter(form.suits)
        checks.append(
            Check(
                check: "the form of the code",
                expected: "that of a version",
                found: form.description,
                isRight: !candidates.isEmpty
            )
        )
    }

    // MARK: - Sending

    private func post(_ action: String, _ body: JSONValue, version: String = "1.0") async throws -> Int {
        try await send("\(address)?_action=\(action)", body, version: version)
    }

    private func send(
        _ address: String,
        _ body: JSONValue,
        version: String = "1.0",
        cookie: String? = nil
    ) async throws -> Int {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = "POST"
        request.httpBody = body.data
        request.httpShouldHandleCookies = false
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("resource=\(version), protocol=1.0", forHTTPHeaderField: "Accept-API-Version")
        if let cookie { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
        let (_, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode else {
            throw URLError(.badServerResponse)
        }
        return status
    }
}

/// What the text of a registration code tells of the version that wrote it.
private struct CodeForm: CustomStringConvertible {
    private let labelsIssuer: Bool
    private let namesUser: Bool
    private let isCombined: Bool
    /// Whether the colour stands before the challenge, as modules write it.
    private let colourComesFirst: Bool

    init(_ code: String) {
        let parts = code.split(separator: "?", maxSplits: 1).map(String.init)
        let names = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { $0.prefix { $0 != "=" } }
        labelsIssuer = !parts[0].contains("/forgerock:")
        isCombined = code.hasPrefix("mfauth:")
        namesUser = names.contains("uid")
        let colour = names.firstIndex(of: "b") ?? names.endIndex
        colourComesFirst = colour < names.firstIndex(of: "c") ?? names.endIndex
    }

    func suits(_ candidate: Conformance.Candidate) -> Bool {
        let isModule = candidate.sender == .module || candidate.version == .v6_5
        if isModule { return !labelsIssuer && !namesUser && !isCombined && colourComesFirst }
        return labelsIssuer == (candidate.version >= .v7_3) && namesUser == candidate.version.takesNewTokens
            && (!isCombined || candidate.version.hasCombinedCodes) && !colourComesFirst
    }

    var description: String {
        let label = labelsIssuer ? "labels the issuer" : "labels forgerock"
        return "\(label), \(namesUser ? "names the user" : "names no user")"
    }
}

/// What was found, and which versions it fits.
struct ConformanceReport {
    let checks: [Conformance.Check]
    let candidates: Set<Conformance.Candidate>

    /// Whether every answer is one that some version gives.
    var isConforming: Bool { checks.allSatisfy(\.isRight) && !candidates.isEmpty }

    /// The versions that fit, oldest first.
    var versions: [String] { Set(candidates.map(\.version)).sorted().map(\.rawValue) }
    /// What may have made the code.
    var senders: [String] { Set(candidates.map(\.sender.rawValue)).sorted() }

    var text: String {
        var table = Table(("Check", .left), ("Expected", .left), ("Found", .left), ("", .left))
        for check in checks {
            table.add(check.check, check.expected, check.found, check.isRight ? "" : "differs")
        }
        let verdict =
            versions.isEmpty
            ? "It resembles no known version." : "It resembles AM \(versions.joined(separator: ", "))."
        return "\(table.text)\n\(verdict)\n"
    }

    var json: JSONValue {
        [
            "schema": 1,
            "versions": .array(versions.map(JSONValue.string)),
            "senders": .array(senders.map(JSONValue.string)),
            "checks": .array(
                checks.map { check in
                    [
                        "check": .string(check.check), "expected": .string(check.expected),
                        "found": .string(check.found), "right": .bool(check.isRight),
                    ]
                }
            ),
        ]
    }
}
