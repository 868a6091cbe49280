import Foundation
@_spi(PushBridgeTools) import PingAMSimulator
import PushBridgeCore
import Testing

/// The codes and pushes of each server version.
///
/// The expected values come from tables that describe the server's source.
@Suite("Server versions")
struct VersionTests {
    /// The members of `aps` in a challenge.
    private static let apsMembers: [(ServerVersion, String)] = [
        (.v6_5, "alert sound messageId data content-available=\"1\""),
        (.v7_1, "alert sound messageId data content-available=\"1\""),
        (
            .v7_2,
            "alert sound category=\"authentication\" interruption-level=\"time-sensitive\" messageId data "
                + "content-available=\"1\""
        ),
        (.v7_3, latest), (.v7_5, latest), (.v8_0_0, latest), (.v8_0_2, latest), (.v8_1_0, latest),
    ]

    @Test(arguments: Self.apsMembers)
    func apsOfAChallengeHasTheMembersOfItsVersion(_ version: ServerVersion, _ members: String) throws {
        let push = try Self.push(version, .node, .challenge)
        #expect(try Self.members(push.payloadText) == members)
    }

    private static let latest =
        "alert sound category=\"authentication_challenge\" interruption-level=\"time-sensitive\" messageId data "
        + "content-available=1 mutable-content=1"

    @Test(arguments: [
        (PushType.default, "authentication"), (.challenge, "authentication_challenge"),
        (.biometric, "authentication_biometric"),
    ])
    func sinceVersion73NodesSendACategoryForEachType(_ type: PushType, _ category: String) throws {
        let push = try Self.push(.v7_3, .node, type)
        #expect(push.payload["aps"]?["category"] == .string(category))
        #expect(try Self.push(.v8_0_2, .module, type).payload["aps"]?["category"] == "authentication")
        #expect(try Self.push(.v7_2, .node, type).payload["aps"]?["category"] == "authentication")
    }

    /// The names of the claims in a push, in order, for each version and each kind of sender.
    private static let claimNames: [(ServerVersion, PushSender, String)] = [
        (.v6_5, .node, "ulct"), (.v7_1, .node, "ulct"), (.v7_2, .node, "ulcmkitpxn"),
        (.v7_3, .node, "ulcmkitpxn"), (.v7_5, .node, "ulcmkitpxn"), (.v8_0_0, .node, "ulcmkitpxn"),
        (.v8_0_2, .node, "ulcmkitdpxn"), (.v8_1_0, .node, "ulcmkitdpxn"),
        (.v6_5, .module, "ulct"), (.v7_1, .module, "ulct"), (.v7_2, .module, "ulcit"),
        (.v7_3, .module, "ulcit"), (.v7_5, .module, "ulcit"), (.v8_0_0, .module, "ulcit"),
        (.v8_0_2, .module, "ulcit"), (.v8_1_0, .module, "ulcit"),
    ]

    @Test(arguments: Self.claimNames)
    func claimsAreTextInTheServersOrder(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ names: String
    ) throws {
        let text = try Self.claims(try Self.push(version, sender, .challenge))
        let found = text.matches(of: /"([a-z])":"/).map { String($0.output.1) }
        #expect(found.joined() == names)
        guard case .object(let claims)? = JSONValue(json: Data(text.utf8)) else {
            Issue.record("The claims are not a JSON object: \(text)")
            return
        }
        #expect(claims.count == names.count)
        #expect(claims["l"] == .string(Data("amlbcookie=01".utf8).base64EncodedString()))
        if names.contains("n") { #expect(claims["n"] == "12,34,80") }
        if names.contains("d") { #expect(claims["d"] == "user-1") }
        if names.contains("i") { #expect(claims["i"] == "1700000000125") }
        #expect(claims["t"] == "120")
    }

    private static let versionNumbers: [(String, ServerVersion)] = [
        ("6.5", .v6_5), ("7.0", .v7_1), ("7.0.0", .v7_1), ("7.2", .v7_2), ("7.4", .v7_3), ("7.4.0", .v7_3),
        ("7.5", .v7_5), ("8.0", .v8_0_0), ("8.0.1", .v8_0_2), ("8.1", .v8_1_0), ("8.1.0", .v8_1_0),
    ]

    @Test(arguments: Self.versionNumbers)
    func eachVersionNumberIsMappedToTheVersionWithTheSameBehaviour(_ number: String, _ version: ServerVersion)
    {
        #expect(ServerVersion(number: number) == version)
        #expect(ServerVersion(number: "6.0") == nil)
    }

    /// The documents name the first version, the last version, and the releases that behave like a simulated
    /// version.
    @Test(arguments: [
        ("README.md", "| PingAM, as simulated | FIRST to LAST |"),
        ("CHANGELOG.md", "(docs/simulator.md) FIRST to LAST;"),
        ("docs/README.md", "differences between the versions of PingAM from FIRST to LAST"),
        ("docs/server-versions.md", "the versions that behave like it: ALIKE."),
        ("Sources/PingAMSimulator/PingAMSimulator.docc/PingAMSimulator.md", "(FIRST to LAST)."),
    ])
    func theDocumentsListTheSimulatedVersions(_ path: String, _ sentence: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        let alike = ServerVersion.allCases.flatMap { version in
            version.releases.filter { $0 != version.rawValue }.map { "\(version.rawValue) represents \($0)" }
        }
        let list = "\(alike.dropLast().joined(separator: ", ")), and \(alike[alike.count - 1])"
        let versions = ServerVersion.allCases
        let expected = sentence.replacingOccurrences(of: "FIRST", with: versions[0].rawValue)
            .replacingOccurrences(of: "LAST", with: versions[versions.count - 1].rawValue)
            .replacingOccurrences(of: "ALIKE", with: list)
        #expect(text.replacingOccurrences(of: "\n", with: " ").contains(expected))
    }

    @Test func anEmptyPayloadIsAnObjectWithTwoBlanks() throws {
        var service = Self.service(.v7_2, .node)
        let push = try service.createPush(PushOrder(mechanismUid: "m"), at: Self.time)
        #expect(try Self.claims(push).contains(#""p":"{  }""#))
    }

    @Test func messageIdIsARandomUUIDAndTheMillisecondsOfItsTime() throws {
        let uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for _ in 0..<20 {
            let id = try Self.push(.v8_0_2, .node, .default).messageId
            #expect(id.hasPrefix("AUTHENTICATE:") && id.hasSuffix("1700000000125"))
            #expect(id.dropFirst("AUTHENTICATE:".count).dropLast(13).wholeMatch(of: uuid) != nil)
        }
    }

    /// Objects in the payload have the same spacing as the payload, because one class of the server writes both.
    @Test(
        arguments: [
            (["b": 1, "a": "x", "c": [:]], #"{ "a": "x", "b": 1, "c": {  } }"#),
            ([:], "{  }"), (["a": .array([1, true])], #"{ "a": [ 1, true ] }"#),
        ] as [(JSONValue, String)]
    )
    func objectIsWrittenWithBlanks(_ value: JSONValue, _ text: String) {
        #expect(ServiceSettings().text(of: value) == text)
        var settings = ServiceSettings()
        settings.alternatives = [.compactPayloads, .compactNothing]
        #expect(settings.text(of: value) == value.text)
    }

    /// The path of a code and the names of its parameters, for each version and each kind of sender.
    private static let codes: [(ServerVersion, PushSender, String, String)] = [
        (.v6_5, .node, "/forgerock:de mo@x", "l issuer m s b c r a image"),
        (.v7_1, .node, "/forgerock:de%20mo@x", "l issuer m s c r a b image"),
        (.v7_2, .node, "/forgerock:de%20mo@x", "l issuer m s c r a b image"),
        (.v7_3, .node, "/Fo%20rge:de%20mo@x", "l issuer m s c r a b image"),
        (.v7_5, .node, "/Fo%20rge:de%20mo@x", "l issuer m s c r a b image"),
        (.v8_0_0, .node, "/Fo%20rge:de%20mo@x", "l issuer m s c r a b image"),
        (.v8_0_2, .node, "/Fo%20rge:de%20mo@x", "l issuer m s c r a uid pid b image"),
        (.v8_1_0, .node, "/Fo%20rge:de%20mo@x", "l issuer m s c r a uid pid b image"),
        (.v6_5, .module, "/forgerock:de mo@x", "l issuer m s b c r a image"),
        (.v7_1, .module, "/forgerock:de mo@x", "l issuer m s b c r a image"),
        (.v7_2, .module, "/forgerock:de mo@x", "l issuer m s b c r a image"),
        (.v7_3, .module, "/forgerock:de mo@x", "l issuer m s b c r a image"),
        (.v7_5, .module, "/forgerock:de mo@x", "l issuer m s b c r a image"),
        (.v8_0_0, .module, "/forgerock:de mo@x", "l issuer m s b c r a image"),
        (.v8_0_2, .module, "/forgerock:de mo@x", "l issuer m s b c r a image"),
        (.v8_1_0, .module, "/forgerock:de mo@x", "l issuer m s b c r a image"),
    ]

    @Test(arguments: Self.codes)
    func codeHasTheParametersOfItsVersion(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ path: String,
        _ names: String
    ) throws {
        let code = try Self.code(version, sender)
        #expect(code.names == names.split(separator: " ").map(String.init))
        #expect(code.start == "pushauth://push\(path)")
        #expect(code["issuer"] == "Rm8gcmdl")
        #expect(code["b"] == "032b75")
        #expect(code["image"] == "aHR0cHM6Ly94L3kucG5n")
        #expect(code["l"] == "YW1sYmNvb2tpZT0wMQ")
        #expect(code["m"]?.hasPrefix("REGISTER:") == true)
    }

    /// The names of the parameters of a code for push and one-time passwords, by version.
    private static let combinedCodes: [(ServerVersion, String)] = [
        (.v7_3, "l issuer m s c r a b image secret period digits algorithm policies"),
        (.v7_5, "l issuer m s c r a b image secret period digits algorithm policies"),
        (.v8_0_0, "l issuer m s c r a b image secret period digits algorithm policies"),
        (.v8_0_2, "l issuer m s c r a uid pid b image secret period digits algorithm oid policies"),
        (.v8_1_0, "l issuer m s c r a uid pid b image secret period digits algorithm oid policies"),
    ]

    @Test(arguments: Self.combinedCodes)
    func aCombinedCodeContainsTheParametersOfBothCodes(_ version: ServerVersion, _ names: String) throws {
        var codes = OneTimeCodeOrder()
        codes.algorithm = .sha256
        let code = try Self.code(version, .node, codes)
        #expect(code.names == names.split(separator: " ").map(String.init))
        #expect(code.start == "mfauth://totp/Fo%20rge:de%20mo@x")
        #expect(code["image"] == "https://x/y.png")
        #expect(code["period"] == "30")
        #expect(code["algorithm"] == "SHA256")
        #expect(code["secret"]?.hasSuffix("====") == true)
        #expect(code["policies"] == "e30")
    }

    /// The defaults of a code that has no colour and no image.
    ///
    /// In version 6.5, nodes have the same defaults as modules.
    @Test(arguments: ServerVersion.allCases, PushSender.allCases)
    func codeWithoutOptionsHasTheDefaults(_ version: ServerVersion, _ sender: PushSender) throws {
        let isModule = sender == .module || version == .v6_5
        var service = Self.service(version, sender)
        let order = RegistrationOrder(issuer: "Forge", account: "other")
        let code = CodeText(try service.createCode(order, at: Self.time).uri)
        #expect(code["b"] == (isModule ? "519387" : "032b75"))
        #expect(code["image"] == (isModule ? nil : ""))
    }

    @Test func aCounterCodeDoesNotContainItsHashFunction() throws {
        var codes = OneTimeCodeOrder(.counter(7))
        codes.algorithm = .sha512
        let code = try Self.code(.v8_0_2, .node, codes)
        #expect(code.start.hasPrefix("mfauth://hotp/"))
        #expect(code["counter"] == "7")
        #expect(code["algorithm"] == nil)
    }

    private static let versionsWithoutCombinedCodes: [ServerVersion] = [.v6_5, .v7_1, .v7_2]

    @Test(arguments: Self.versionsWithoutCombinedCodes)
    func serversBefore73MakeNoCombinedCodes(_ version: ServerVersion) throws {
        let error = #expect(throws: SimulatorError.self) { try Self.code(version, .node, OneTimeCodeOrder()) }
        #expect(error?.code == .invalidOrder)
    }

    @Test func eachTableContainsEveryVersion() {
        let all = Set(ServerVersion.allCases)
        #expect(Set(Self.apsMembers.map(\.0)) == all)
        #expect(Set(Self.versionNumbers.map(\.1)) == all)
        #expect(Set(Self.combinedCodes.map(\.0) + Self.versionsWithoutCombinedCodes) == all)
        for sender in PushSender.allCases {
            #expect(Set(Self.claimNames.filter { $0.1 == sender }.map(\.0)) == all, "\(sender)")
            #expect(Set(Self.codes.filter { $0.1 == sender }.map(\.0)) == all, "\(sender)")
        }
    }

    @Test(arguments: ServerVersion.allCases, PushSender.allCases)
    func aLoginIsApprovedOnEachVersion(_ version: ServerVersion, _ sender: PushSender) async throws {
        var settings = ServiceSettings()
        settings.version = version
        settings.sender = sender
        let enrolment = try await Enrolment.start(settings: settings)
        let push = try enrolment.push()
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
        #expect(enrolment.server.look(afterPush: push.messageId) == .approved)
    }

    // MARK: - Reading codes and pushes

    private static let time = Date(timeIntervalSince1970: 1_700_000_000.125)

    private static func service(_ version: ServerVersion, _ sender: PushSender) -> SimulatedService {
        var settings = ServiceSettings()
        settings.version = version
        settings.sender = sender
        var service = SimulatedService(settings: settings)
        let account = AccountKey(issuer: "Forge", accountName: "demo")
        var device = SimulatedDevice(
            mechanismUid: "m",
            sharedSecret: .random(),
            deviceToken: "t",
            account: account
        )
        device.userId = "user-1"
        service.add(device)
        return service
    }

    private static func push(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ type: PushType
    ) throws -> PushDelivery {
        var service = service(version, sender)
        var order = PushOrder(mechanismUid: "m", type: type)
        order.numbers = "80,12,34"
        order.contextInfo = "{}"
        return try service.createPush(order, at: time)
    }

    /// Returns the names in `aps` in order; a member with the same value in every push is returned with the value.
    private static func members(_ payload: String) throws -> String {
        let constant = ["category", "interruption-level", "content-available", "mutable-content"]
        return payload.matches(of: /"([a-z-]+|messageId)": ("[^"]*"|[0-9]+)/).map { match in
            let name = String(match.output.1)
            return constant.contains(name) ? "\(name)=\(match.output.2)" : name
        }
        .joined(separator: " ")
    }

    private static func claims(_ push: PushDelivery) throws -> String {
        guard case .string(let token)? = push.payload["aps"]?["data"] else { return "" }
        let parts = token.split(separator: ".")
        return String(decoding: try #require(Base64.decode(String(parts[1]))), as: UTF8.self)
    }

    private static func code(
        _ version: ServerVersion,
        _ sender: PushSender,
        _ codes: OneTimeCodeOrder? = nil
    ) throws -> CodeText {
        var service = service(version, sender)
        var order = RegistrationOrder(issuer: "Fo rge", account: "de mo@x")
        order.account.backgroundColor = "#032b75"
        order.account.imageURL = "https://x/y.png"
        order.account.policies = "{}"
        order.codes = codes
        return CodeText(try service.createCode(order, at: time).uri)
    }
}

/// The parts of a code, without decoding.
private struct CodeText {
    let start: String
    let parameters: [(name: String, value: String)]

    init(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1)
        start = String(parts[0])
        parameters = parts[1].split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(halves[0]), halves.count > 1 ? String(halves[1]) : "")
        }
    }

    var names: [String] { parameters.map(\.name) }

    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
}
