import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import Testing

@testable import Step2

/// Tests both APIs with the migrated accounts.
@Suite(.serialized)
struct SharedStoreTests {
    @Test func everyLegacyRecordIsMigrated() async throws {
        let receipt = try #require(try await Phone.app().receipt)
        #expect(receipt.isComplete)
        #expect(receipt.totals.records == 3)
    }

    @Test func aPushAnsweredThroughTheLegacyAPIUpdatesTheBadge() async throws {
        let (app, legacy) = (try await Phone.app(), try await Phone.legacy())
        let badge = try #require(app.badge)
        let before = try await badge.count()
        let push = try receive(.default, legacy.mechanismId, app, legacy.server)
        #expect(try await badge.count() == before + 1)
        #expect(await failure { app.pushes.approve(push, completion: $0) } == nil)
        #expect(try await badge.count() == before)
        #expect(legacy.server.simulator.state(ofPush: push.messageId) == .approved)
    }

    @Test func theNextLaunchMigratesNothing() async throws {
        let folder = try await Phone.legacy().folder
        let store = try AccountStore.open(in: folder)
        #expect(try AccountStore.migrate(in: folder, to: store) == nil)
    }
}
