import Foundation
import PushParity
import Testing

@Suite("Scenario files")
struct ScenarioFileTests {
    @Test func theCatalogueIsReadAsItWasWritten() throws {
        let json = try JSONEncoder().encode(Scenario.catalogue)
        #expect(try Scenario.list(json: json, name: "catalogue") == Scenario.catalogue)
    }

    @Test func oneScenarioIsAListOfOne() throws {
        let json = #"{"name":"n","steps":[{"do":"token","hex":"0a"},{"do":"restart"}]}"#
        let scenarios = try Scenario.list(json: Data(json.utf8), name: "file")
        #expect(scenarios.map(\.steps.count) == [2])
    }

    @Test(arguments: [
        (#"{"name":"n"}"#, "file: steps is missing."),
        (#"{"name":"n","steps":[{"do":"dance"}]}"#, "file: There is no step dance, at steps[0].do."),
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
    func whatIsWrongIsSaid(_ json: String, _ reason: String) {
        let error = #expect(throws: ParityError.self) {
            try Scenario.list(json: Data(json.utf8), name: "file")
        }
        #expect(error?.code == .unreadable)
        #expect(error?.reason.hasPrefix(reason) == true)
    }

    @Test(arguments: [
        [Step.token("xy", .launch)],
        [.fault(.delay, action: "dance")],
        [],
        [.enrol("babs"), .receive("p1", to: "bab")],
        [.enrol("babs"), .receive("p1", to: "babs"), .answer("p2", .approve)],
        [.receiveAgain("p1"), .enrol("babs"), .receive("p1", to: "babs")],
        [.enrol("babs") { $0.again = "scarter" }],
    ])
    func aStepThatMakesNoSenseIsRefused(_ steps: [Step]) async {
        let error = await #expect(throws: ParityError.self) {
            try await ParityRunner().run(Scenario("n", steps: steps))
        }
        #expect(error?.code == .invalidStep)
    }
}
