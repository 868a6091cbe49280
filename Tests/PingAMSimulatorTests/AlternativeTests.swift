import Foundation
import PingAMSimulator
import PushBridgeCore
import Testing

/// Behaviour of servers that is inferred and not documented; for each behaviour, a switch selects the alternative.
@Suite("Alternatives")
struct AlternativeTests {
    /// An alternative, and the server's behaviour without and with this alternative.
    struct Row: Sendable, CustomTestStringConvertible {
        let alternative: ServerAlternative
        let without: String
        let with: String
        var version = ServerVersion.v8_0_2
        let look: @Sendable (ServiceSettings) async throws -> String
        var testDescription: String { alternative.rawValue }
    }

    @Test(arguments: rows)
    func eachAlternativeChangesTheBehaviourOfTheServer(_ row: Row) async throws {
        var settings = ServiceSettings()
        settings.version = row.version
        #expect(try await row.look(settings) == row.without)
        settings.alternatives = [row.alternative]
        #expect(try await row.look(settings) == row.with)
    }

    @Test func eachAlternativeIsTestedAndDocumented() throws {
        #expect(Self.rows.map(\.alternative) == ServerAlternative.allCases)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let article = "Sources/PingAMSimulator/PingAMSimulator.docc/Server-behaviour.md"
        let page = try String(contentsOf: root.appendingPathComponent(article), encoding: .utf8)
        for alternative in ServerAlternative.allCases {
            #expect(page.contains("| `\(alternative.rawValue)` |"), "\(alternative.rawValue)")
        }
    }

    static let rows: [Row] = codes + pushes + requests + lives

    // MARK: - Contents of codes and pushes

    private static let codes = [
        Row(alternative: .escapedLabels, without: "Forge:a@b:c", with: "Forge:a%40b%3Ac") { settings in
            let code = try code(settings, account: "a@b:c")
            return String(code.prefix { $0 != "?" }.dropFirst("pushauth://push/".count))
        },
        Row(alternative: .shortChallenges, without: "32", with: "16") { settings in
            "\(Base64.decode(try value("c", code(settings)))?.count ?? 0)"
        },
        Row(alternative: .paddedCodes, without: "43", with: "44") { settings in
            "\(try value("s", code(settings)).count)"
        },
        Row(alternative: .absentImages, without: "true", with: "false") { settings in
            "\(try code(settings).contains("&image="))"
        },
        Row(
            alternative: .scannedOrder,
            without: "l issuer m s c r a uid pid b image",
            with: "a uid image r b s c pid l m issuer"
        ) { settings in
            try names(code(settings))
        },
        Row(alternative: .rawLabels, without: "forgerock:d%20emo", with: "forgerock:d emo", version: .v7_1) {
            settings in
            let code = try code(settings, account: "d emo")
            return String(code.prefix { $0 != "?" }.dropFirst("pushauth://push/".count))
        },
    ]

    private static let pushes = [
        Row(
            alternative: .compactPayloads,
            without: #"{ "aps": { "alert": "Hi", ""#,
            with: #"{"aps":{"alert":"Hi",""#
        ) { settings in
            try push(settings).payloadText.components(separatedBy: "sound")[0]
        },
        Row(
            alternative: .untypedTokens,
            without: #"{"typ":"JWT","alg":"HS256"}"#,
            with: #"{"alg":"HS256"}"#
        ) { settings in
            try part(0, of: push(settings))
        },
        Row(alternative: .sortedClaims, without: "ulcmkitdp", with: "cdiklmptu") { settings in
            try part(1, of: push(settings)).matches(of: /"([a-z])":"/).map { String($0.output.1) }.joined()
        },
        Row(alternative: .compactNothing, without: "{  }", with: "{}") { settings in
            let claims = JSONValue(json: Data(try part(1, of: push(settings)).utf8))
            guard case .string(let text)? = claims?["p"] else { return "none" }
            return text
        },
        Row(alternative: .lowerCasePriority, without: "true", with: "false", version: .v7_5) { settings in
            "\(try push(settings).publication.message.contains("PRIORITY"))"
        },
    ]

    // MARK: - Requests

    private static let requests = [
        Row(alternative: .demandedVersion, without: "500", with: "400") { settings in
            try await status(settings, headers: [PushRequest.Header("Content-Type", "application/json")])
        },
        Row(alternative: .demandedContentType, without: "500", with: "415") { settings in
            try await status(settings, headers: [PushRequest.Header("Content-Type", "text/plain")])
        },
        Row(alternative: .badActions, without: "501", with: "400") { settings in
            try await status(settings, action: "dance")
        },
        Row(
            alternative: .bareRefusals,
            without: #"{"code":400,"message":"Bad request.","reason":"Bad Request"}"#,
            with: #"{"message":"Bad request."}"#
        ) { settings in
            try await answer(settings, body: "{}").body?.text ?? ""
        },
        Row(alternative: .caughtErrors, without: "500", with: "400") { try await status($0) },
        Row(alternative: .errorPages, without: "true", with: "false") { settings in
            "\(try await answer(settings).body != nil)"
        },
        Row(alternative: .uncaughtEndpoints, without: "400", with: "500") { settings in
            var settings = settings
            settings.tokensWithoutEndpoint = ["t"]
            let server = Simulator(settings: settings)
            let order = RegistrationOrder(issuer: "Forge", account: "demo")
            return "\(try await server.createCode(order).registration.send().status)"
        },
        Row(alternative: .uncaughtTokens, without: "400", with: "500") { settings in
            "\(try await update(settings, token: "", user: "user-1"))"
        },
        Row(alternative: .uncaughtUsers, without: "400", with: "500") { settings in
            "\(try await update(settings, token: "ff", user: "nobody"))"
        },
    ]

    // MARK: - Messages and profiles

    private static let lives = [
        Row(alternative: .lateAnswers, without: "400 expired", with: "200 expired") { settings in
            let enrolment = try await Enrolment.start(settings: settings)
            let push = try enrolment.push()
            enrolment.clock.advance(121)
            let status = try await enrolment.answer(.approve, to: push).status
            return "\(status) \(enrolment.server.look(afterPush: push.messageId)?.rawValue ?? "")"
        },
        Row(alternative: .revivedMessages, without: "400 denied", with: "200 denied") { settings in
            let enrolment = try await Enrolment.start(settings: settings)
            let push = try enrolment.push()
            _ = try await enrolment.answer(.deny, to: push)
            _ = enrolment.server.look(afterPush: push.messageId)
            let status = try await enrolment.answer(.approve, to: push).status
            return "\(status) \(enrolment.server.look(afterPush: push.messageId)?.rawValue ?? "")"
        },
        Row(alternative: .wrongNumberConsumes, without: "400 200", with: "400 400", version: .v8_1_0) {
            settings in
            let enrolment = try await Enrolment.start(settings: settings)
            let push = try enrolment.push(.challenge) { $0.numbers = "34,43,57" }
            let right = try #require(push.number)
            var statuses: [Int] = []
            for number in [right == 34 ? 43 : 34, right] {
                let answer = PushAnswer.approveChallenge("\(number)")
                statuses.append(try await enrolment.answer(answer, to: push).status)
            }
            return statuses.map(String.init).joined(separator: " ")
        },
        Row(alternative: .orphanedPushes, without: "200", with: "400") { settings in
            let enrolment = try await Enrolment.start(settings: settings)
            let push = try enrolment.push()
            enrolment.server.withService { $0.resetDevices(of: "user-1", in: "/alpha") }
            return "\(try await enrolment.answer(.approve, to: push).status)"
        },
        Row(alternative: .blankProfiles, without: "failed", with: "registered") { settings in
            let server = Simulator(settings: settings)
            let code = try server.createCode(RegistrationOrder(issuer: "Forge", account: "demo"))
            _ = try await code.registration.send(["deviceType": ""])
            return server.look(afterRegistration: code.registration.messageId)?.rawValue ?? ""
        },
        Row(alternative: .oldProfilePath, without: "401 404", with: "404 401", version: .v7_3) { settings in
            let server = Simulator(settings: settings)
            var statuses: [String] = []
            for path in ["2fa/push", "push"] {
                let address = "\(server.base)/json/users/demo/devices/\(path)?_queryFilter=true"
                statuses.append("\(try await Wire().send("GET", address).status)")
            }
            return statuses.joined(separator: " ")
        },
        Row(alternative: .mixedChallenges, without: "34 approved", with: "57 denied") { settings in
            let enrolment = try await Enrolment.start(settings: settings)
            let push = try enrolment.push(.challenge) { $0.numbers = "34,43,57" }
            _ = try enrolment.push(.challenge) { $0.numbers = "57,12,90" }
            let number = enrolment.server.withService { $0.number(ofPush: push.messageId) } ?? 0
            _ = try await enrolment.answer(.approveChallenge("34"), to: push)
            return "\(number) \(enrolment.server.look(afterPush: push.messageId)?.rawValue ?? "")"
        },
    ]

    // MARK: - Helpers

    private static func code(_ settings: ServiceSettings, account: String = "demo") throws -> String {
        var service = SimulatedService(settings: settings)
        return try service.createCode(RegistrationOrder(issuer: "Forge", account: account), at: Date()).uri
    }

    private static func parameters(_ code: String) -> [Substring] {
        code.drop { $0 != "?" }.dropFirst().split(separator: "&")
    }

    private static func names(_ code: String) -> String {
        parameters(code).map { $0.prefix { $0 != "=" } }.joined(separator: " ")
    }

    private static func value(_ name: String, _ code: String) throws -> String {
        let found = try #require(parameters(code).first { $0.hasPrefix("\(name)=") })
        return String(found.dropFirst(name.count + 1))
    }

    private static func push(_ settings: ServiceSettings) throws -> PushDelivery {
        var service = SimulatedService(settings: settings)
        let account = AccountKey(issuer: "Forge", accountName: "demo")
        service.add(
            SimulatedDevice(mechanismUid: "m", sharedSecret: .random(), deviceToken: "t", account: account)
        )
        return try service.createPush(PushOrder(mechanismUid: "m", message: "Hi"), at: Date())
    }

    private static func part(_ index: Int, of push: PushDelivery) throws -> String {
        guard case .string(let token)? = push.payload["aps"]?["data"] else { return "" }
        let parts = token.split(separator: ".").compactMap { Base64.decode(String($0)) }
        return String(decoding: try #require(parts.dropFirst(index).first), as: UTF8.self)
    }

    /// Sends a request, by default an answer without a token, and returns the response.
    ///
    /// In real servers, the missing token causes an uncaught exception.
    private static func answer(
        _ settings: ServiceSettings,
        action: String = "authenticate",
        headers: [PushRequest.Header] = [],
        body: String = #"{"messageId":"none"}"#
    ) async throws -> Answer {
        let server = Simulator(settings: settings)
        let address = "\(server.base)/json/push/sns/message?_action=\(action)"
        return try await Wire().send("POST", address, headers: headers, body: Data(body.utf8))
    }

    private static func status(
        _ settings: ServiceSettings,
        action: String = "authenticate",
        headers: [PushRequest.Header] = []
    ) async throws -> String {
        "\(try await answer(settings, action: action, headers: headers).status)"
    }

    private static func update(_ settings: ServiceSettings, token: String, user: String) async throws -> Int {
        let enrolment = try await Enrolment.start(settings: settings)
        var credential = enrolment.credential
        credential.userId = user
        let device = DeviceDescription(deviceId: token, deviceName: "Phone")
        return try await enrolment.wire.send(credential.refreshRequest(device: device)).status
    }
}
