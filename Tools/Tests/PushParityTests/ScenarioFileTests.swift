import Foundation
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

    @Test(arguments: [
        (#"{"name":"n"}"#, "file: steps is missing."),
        (#"{"name":"n","steps":[{"do":"dance"}]}"#, "file: There is no step \"dance\", at steps[0].do."),
        (#"{"name":"n","steps":[{"do":"answer","push":"p"}]}"#, "file: with is missing, at steps[0]."),
        (#"{"name":"n","steps":[{"do":7}]}"#, "file: A value is of the wrong kind, at steps[0].do."),
        (
            #"{"name":"n","steps":[{"do":"token","hex":"0a","hexx":"0b"}]}"#,
            "file: The member steps[0].hexx is not known."
        ),
        (#"{"name":"n","setings":{},"steps":[]}"#, "file: The member setings is not known."),
        ("nothing", "file: "),
        ("[]", "file: There is no scenario in it."),
    ])
    func invalidFilesAreRefusedWithAReason(_ json: String, _ reason: String) {
        let error = #expect(throws: ParityError.self) {
            try Scenario.list(json: Data(json.utf8), name: "file")
        }
        #expect(error?.code == .unreadable)
        #expect(error?.reason.hasPrefix(reason) == true)
    }

    @Test(arguments: [
        ([Step.token("xy", .launch)], "At launch the token xy must be hexadecimal, and for all credentials."),
        ([.fault(.delay, action: "dance")], "There is no action dance."),
        ([], "There are no steps."),
        ([.advance(5), .advance(1e300)], "Step 2, advance: the clock would leave the years 1970 to 5000."),
        ([.advance(-1e9), .advance(-1e9)], "Step 2, advance: the clock would leave the years 1970 to 5000."),
        ([.fault(.delay, times: 0)], "Step 1, fault: times is 1 at least, not 0."),
        (
            Array(repeating: .token("0a"), count: 10_001),
            "There are 10001 steps; a scenario has 10000 at most."
        ),
        (
            [.enrol("babs"), .receive("p1", to: "bab")],
            "Step 2, receive: no step before it makes a credential bab."
        ),
        (
            [.enrol("babs"), .receive("p1", to: "babs"), .answer("p2", .approve)],
            "Step 3, answer: no step before it makes a push p2."
        ),
        (
            [.receiveAgain("p1"), .enrol("babs"), .receive("p1", to: "babs")],
            "Step 1, receiveAgain: no step before it makes a push p1."
        ),
        (
            [.enrol("babs") { $0.again = "scarter" }],
            "Step 1, enrol: no step before it makes a credential scarter."
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
