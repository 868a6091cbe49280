import Foundation
import PushBridgeCore
import PushParity
import Testing

/// A change to the behaviour of one side, and a scenario that shows the change.
struct Mutation: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let scenario: String
    let changes: SideChanges

    init(_ name: String, in scenario: String, _ change: (inout SideChanges) -> Void) {
        testDescription = name
        self.scenario = scenario
        var changes = SideChanges()
        changes.patience = .seconds(1)
        change(&changes)
        self.changes = changes
    }
}

@Suite("Mutations", .serialized)
struct MutationTests {
    @Test(arguments: Mutation.all)
    func aMutationOfTheNewSideIsNoticed(_ mutation: Mutation) async throws {
        let runner = ParityRunner(asyncChanges: mutation.changes)
        #expect(try await runner.run(try mutation.played).verdict == .different)
    }

    @Test(arguments: Mutation.all)
    func aMutationOfTheLegacySideIsNoticed(_ mutation: Mutation) async throws {
        let runner = ParityRunner(legacyChanges: mutation.changes)
        #expect(try await runner.run(try mutation.played).verdict == .different)
    }
}

extension Mutation {
    fileprivate var played: Scenario {
        get throws { try #require(Scenario.catalogue.first { $0.name == scenario }) }
    }

    static let all: [Mutation] = requests + answers + stores
}
