import Foundation
import PingAMSimulator
import PushBridgeCore
import PushParity
import Testing

/// Scenarios whose two sides perform different steps or share a store.
@Suite("Sides")
struct SidesTests {
    private func result(_ json: String) async throws -> ScenarioResult {
        let scenario = try #require(try Scenario.list(json: Data(json.utf8), name: "file").first)
        return try await ParityRunner().run(scenario)
    }

    private static let enrolled = #"{"do":"token","hex":"0a"},{"do":"enrol","credential":"babs"}"#

    @Test func aStepOfOneSideIsPlayedOnlyThereAndNotCompared() async throws {
        let steps = """
            \(Self.enrolled),{"do":"receive","push":"p1","credential":"babs"},\
            {"do":"answer","on":"async","push":"p1","with":"approve"}
            """
        let result = try await result("{\"name\":\"n\",\"steps\":[\(steps)]}")
        #expect(result.verdict == .notCompared)
        #expect(result.differences.isEmpty)
        #expect(result.legacy.stepRecords.last?.requests == [])
        #expect(result.async.stepRecords.last?.requests.count == 1)
        #expect(result.legacy.stepRecords.last?.loginPages == ["waiting"])
        #expect(result.async.stepRecords.last?.loginPages == ["approved"])
    }

    @Test func changesToASharedStoreAreVisibleOnTheOtherSide() async throws {
        let steps = """
            \(Self.enrolled),{"do":"receive","on":"async","push":"p1","credential":"babs"},\
            {"do":"list","on":"legacy","what":"pending"},\
            {"do":"answer","on":"legacy","push":"p1","with":"approve"},{"do":"list","on":"async","what":"pending"}
            """
        let shared = "{\"name\":\"n\",\"settings\":{\"shared\":true},\"steps\":[\(steps)]}"
        let result = try await result(shared)
        #expect(result.verdict == .notCompared)
        let seen = result.legacy.stepRecords[3].calls.first?.first?["value"]
        guard case .array(let pushes)? = seen else { throw CocoaError(.featureUnsupported) }
        #expect(pushes.count == 1)
        #expect(result.legacy.stepRecords[4].requests.count == 1)
        #expect(result.async.stepRecords[5].calls.first?.first?["value"] == .array([]))
    }

    @Test func theSideOfAStepIsReadAsItWasWritten() throws {
        let json = #"{"name":"n","settings":{"sender":"module"},"steps":[{"do":"restart","on":"legacy"}]}"#
        let scenario = try #require(try Scenario.list(json: Data(json.utf8), name: "file").first)
        #expect(scenario.steps == [.only(.legacy, .restart)])
        #expect(scenario.settings.sender == .module)
        let again = try Scenario.list(json: try JSONEncoder().encode(scenario), name: "file")
        #expect(again == [scenario])
    }

    @Test func anUnknownSideIsRefused() {
        let json = #"{"name":"n","steps":[{"do":"restart","on":"both"}]}"#
        let error = #expect(throws: ParityError.self) {
            try Scenario.list(json: Data(json.utf8), name: "file")
        }
        #expect(error?.code == .unreadable)
    }
}

extension StepRecord {
    /// The pushes in the form in which the login pages show them.
    fileprivate var loginPages: [JSONValue] {
        if case .object(let pushes)? = server["pushes"] { Array(pushes.values) } else { [] }
    }
}
