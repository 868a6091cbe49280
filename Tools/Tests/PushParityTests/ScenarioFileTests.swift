import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgeTestSupport
import PushParity
import Testing

@Suite("Scenario files")
struct ScenarioFileTests {
    @Test func theCatalogueIsReadAsItWasWritten() throws {
        let json = try JSONEncoder().encode(Scenario.catalogue)
        #expect(try Scenario.list(json: json, name: "catalogue") == Scenario.catalogue)
    }

    @Test func aFileWithOneScenarioIsReadAsAList() throws {
        let json = #"{"name":"n","steps":[{"do":"token","hex":"0a"},{"do":"restart"}]}"#
        let scenarios = try Scenario.list(json: Data(json.utf8), name: "file")
        #expect(scenarios.map(\.steps.count) == [2])
    }

    /// The file has the form in which the lab saves a scenario.
    @Test(arguments: ["1"])
    func aScenarioThatAnEarlierVersionSavedIsReadCompletely(_ form: String) throws {
        let file = LegacyFixtures.url("own/\(form)/scenario.json")
        var expected = Scenario(
            "Every step and every setting of a scenario",
            settings: Self.everySetting,
            steps: Self.savedEnrolments + Self.savedPushes + Self.savedChanges
        )
        expected.folder = file.deletingLastPathComponent()
        #expect(try Scenario.list(contentsOf: file) == [expected])
    }

    private static var everySetting: ScenarioSettings {
        var settings = ScenarioSettings()
        settings.store = .sqlite
        settings.addresses = .full
        settings.version = .v7_5
        settings.nodes = .balanced
        settings.sender = .node
        settings.shared = false
        settings.severalDevices = true
        settings.policies = true
        settings.keptNotifications = 20
        settings.ownTimeout = true
        settings.seed = 7
        return settings
    }

    private static let savedEnrolments: [Step] = [
        .token("0a1b2c", .text), .readToken,
        .enrol("babs") {
            $0.issuer = "Forge"
            $0.account = "demo"
            $0.realm = "/"
            $0.policies = #"{"biometricAvailable":{}}"#
            $0.imageURL = "https://example.com/logo.png"
            $0.backgroundColor = "#032b75"
            $0.userId = "user-1"
            $0.resourceId = "res-1"
            $0.standardBase64 = true
            $0.oath = "totp"
        },
        .enrol("scarter") { $0.parameters = ["l": nil, "m": "REGISTER:1"] },
        .enrol("late") { $0.again = "scarter" },
        .enrol("foreign") { $0.text = "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP" },
    ]

    private static let savedPushes: [Step] = [
        .receive("p1", to: "babs") {
            $0.type = "challenge"
            $0.message = "Log in?"
            $0.numbers = "34,43,57"
            $0.customPayload = #"{"order":1}"#
            $0.contextInfo = #"{"remoteIp":"192.0.2.1"}"#
            $0.ttl = 60
        },
        .receive("p2", to: "scarter") {
            $0.claims = ["l": .null, "t": "120"]
            $0.aps = ["alert": "News"]
            $0.outside = ["badge": 2]
            $0.isForged = true
            $0.messageIdOf = "p1"
        },
        .receiveAgain("p1"), .receiveRaw(["aps": ["data": "no token", "messageId": "m"]]),
        .device(biometrics: true, tampering: 0.5, isLocked: false, refusesFace: false),
        .fault(.loseResponse, times: 2, action: "authenticate"), .fault(.delay, credential: "scarter"),
        .answer("p1", .challenge, number: "57", meanwhile: .deny), .advance(0.5), .list(.pending),
    ]

    private static let savedChanges: [Step] = [
        .lock("babs", policy: "biometricAvailable"), .unlock("babs"),
        .rename("babs", issuer: "My bank", account: "Me"), .code("babs"),
        .migrate("old") {
            $0.account = "bjensen"
            $0.standardBase64 = true
            $0.token = "ff00"
            $0.displayIssuer = "My bank"
            $0.push = "p3"
        },
        .migrate("many") { $0.file = "everyday.jsonl" }, .enrolElsewhere("scarter"), .forget("scarter"),
        .deleteNotification("p1"), .deleteCredential("scarter"), .deleteAccount("babs"), .clearToken,
        .only(.legacy, .restart), .close,
    ]

    @Test(arguments: [
        (#"{"name":"n"}"#, #"file: The member "steps" is missing."#),
        (#"{"name":"n","steps":[{"do":"dance"}]}"#, "file: There is no step \"dance\", at steps[0].do."),
        (
            #"{"name":"n","steps":[{"do":"answer","push":"p"}]}"#,
            #"file: The member "with" is missing, at steps[0]."#
        ),
        (#"{"name":"n","steps":[{"do":7}]}"#, "file: A value is of the wrong type, at steps[0].do."),
        (
            #"{"name":"n","steps":[{"do":"token","hex":"0a","hexx":"0b"}]}"#,
            "file: The member steps[0].hexx is not known."
        ),
        (#"{"name":"n","setings":{},"steps":[]}"#, "file: The member setings is not known."),
        ("nothing", "file: "),
        ("[]", "file: The list contains no scenario."),
    ])
    func invalidFilesAreRefusedWithAReason(_ json: String, _ reason: String) {
        let error = #expect(throws: ParityError.self) {
            try Scenario.list(json: Data(json.utf8), name: "file")
        }
        #expect(error?.code == .unreadable)
        #expect(error?.reason.hasPrefix(reason) == true)
    }

    @Test(arguments: [
        (
            [Step.token("xy", .launch)],
            "The token xy is set at launch, so it must be hexadecimal, and the step must not name a credential."
        ),
        (
            [Step.token("+f", .launch)],
            "The token +f is set at launch, so it must be hexadecimal, and the step must not name a credential."
        ),
        (
            [.fault(.delay, action: "dance")],
            "The action dance does not exist: use register, authenticate or refresh."
        ),
        ([], "The scenario has no steps."),
        ([.advance(5), .advance(1e300)], "Step 2, advance: the clock would leave the years 1970 to 5000."),
        ([.advance(-1e9), .advance(-1e9)], "Step 2, advance: the clock would leave the years 1970 to 5000."),
        ([.fault(.delay, times: 0)], "Step 1, fault: times must be at least 1, not 0."),
        (
            Array(repeating: .token("0a"), count: 10_001),
            "The scenario has 10001 steps; the maximum is 10000."
        ),
        (
            [.enrol("babs"), .receive("p1", to: "bab")],
            "Step 2, receive: no earlier step creates the credential bab."
        ),
        (
            [.enrol("babs"), .receive("p1", to: "babs"), .answer("p2", .approve)],
            "Step 3, answer: no earlier step creates the push p2."
        ),
        (
            [.receiveAgain("p1"), .enrol("babs"), .receive("p1", to: "babs")],
            "Step 1, receiveAgain: no earlier step creates the push p1."
        ),
        (
            [.enrol("babs") { $0.again = "scarter" }],
            "Step 1, enrol: no earlier step creates the credential scarter."
        ),
    ])
    func invalidStepsAreRefused(_ steps: [Step], _ reason: String) async {
        let error = await #expect(throws: ParityError.self) {
            try await ParityRunner().run(Scenario("n", steps: steps))
        }
        #expect(error?.code == .invalidStep)
        #expect(error?.reason == "n: \(reason)")
    }
}
