import Foundation
import PushBridgeCore
import PushBridgeInternals
import PushBridgeTestSupport
import PushParity
import Testing

/// Faults of the side with the async API that resemble differences by design.
@Suite("Hiding", .serialized)
struct HidingTests {
    private func verdict(
        _ name: String,
        steps: Int? = nil,
        _ change: (inout SideChanges) -> Void
    ) async throws -> ScenarioResult.Verdict {
        var scenario = try #require(Scenario.catalogue.first { $0.name == name })
        scenario.steps = Array(scenario.steps.prefix(steps ?? scenario.steps.count))
        var changes = SideChanges()
        changes.patience = .seconds(1)
        change(&changes)
        return try await ParityRunner(asyncChanges: changes).run(scenario).verdict
    }

    /// Returns the verdict if the app receives `outcome` for the calls that `isAbout` selects.
    private func verdict(
        _ name: String,
        about isAbout: @escaping @Sendable (SideCall) -> Bool,
        _ outcome: Delivery.Outcome
    ) async throws -> ScenarioResult.Verdict {
        try await verdict(name) { changes in
            changes.side = { side in
                ChangedResultsSide(side: side, isAbout: isAbout) { _ in [Delivery(.awaited, outcome)] }
            }
        }
    }

    private static let isToken: @Sendable (SideCall) -> Bool = { call in
        if case .registerToken = call { true } else { false }
    }

    @Test func aRejectedTokenReportedAsAcceptedIsNoticed() async throws {
        let name = "One server of two rejects the new token"
        #expect(try await verdict(name, about: Self.isToken, .value(true)) == .different)
    }

    @Test func anAcceptedTokenReportedAsRejectedIsNoticed() async throws {
        let name = "The token changes, and every server receives it"
        let outcome = Delivery.Outcome.failure(Failure("PushError.networkFailure"))
        #expect(try await verdict(name, about: Self.isToken, outcome) == .different)
    }

    @Test func aMissingTokenUpdateIsNoticed() async throws {
        let verdict = try await verdict("The app sends the token and waits", steps: 4) { changes in
            changes.transport = { transport, _ in ChangedTransport(transport, skips: .refresh) { $0 } }
        }
        #expect(verdict == .different)
    }

    @Test func anErrorForAForeignPayloadIsNoticed() async throws {
        let isPush: @Sendable (SideCall) -> Bool = { call in
            if case .receive = call { true } else { false }
        }
        let outcome = Delivery.Outcome.failure(Failure("PushError.messageParsingFailed"))
        #expect(try await verdict("A payload is not from PingAM", about: isPush, outcome) == .different)
    }

    @Test func aLostNewPushIsNoticed() async throws {
        // The third push arrives in the fifth second. If it is not stored, no older push has to be removed.
        let verdict = try await verdict("More pushes arrive than the async API keeps", steps: 5) { changes in
            changes.store = { store in
                ForgetfulStore(store) { change in
                    guard case .notification(let notification) = change else { return true }
                    return notification.createdAt.timeIntervalSince1970 < 1_700_000_004
                }
            }
        }
        #expect(verdict == .different)
    }

    @Test func aRepeatedCodeReportedAsNewIsNoticed() async throws {
        let isCode: @Sendable (SideCall) -> Bool = { call in
            if case .enrol = call { true } else { false }
        }
        let verdict = try await verdict("A code is scanned twice") { changes in
            changes.side = { side in
                ChangedResultsSide(side: side, isAbout: isCode) { deliveries in
                    deliveries.map { delivery in
                        guard case .failure = delivery.outcome else { return delivery }
                        return Delivery(.awaited, .value(true))
                    }
                }
            }
        }
        #expect(verdict == .different)
    }
}
