import Foundation
import PushBridgeCore
import PushBridgePlatform
import Testing

@testable import CredentialMigration

/// The closure that receives the events of attempts also receives an event for each step of a push.
@Suite("Events of pushes")
struct PushEventTests {
    private let storage = MemoryRolloutStorage()
    private static let app = URL(fileURLWithPath: "/x/Bank.app")
    private static let appex = URL(fileURLWithPath: "/x/Bank.app/PlugIns/Push.appex")

    private func rollout(
        bundle: URL = Self.app,
        report: MigrationRollout.EventHandler? = nil
    ) -> MigrationRollout {
        MigrationRollout(
            storage,
            versions: MigrationVersions(app: "4.1 (312)", system: "iOS 26.1.0"),
            clock: { Date(timeIntervalSince1970: 1_795_564_800) },
            report: report,
            bundle: bundle
        )
    }

    /// The event of a push contains only the members that `docs/roll-out.md` lists, and none identifies a push or a
    /// person.
    @Test func theEventOfAPushContainsOnlyTheDocumentedMembers() async throws {
        let (events, continuation) = AsyncStream<MigrationEvent>.makeStream()
        let rollout = rollout { continuation.yield($0) }
        rollout.record(PushMilestone(.answer, .approved, delay: .under1min))
        let event = try #require(await events.first { _ in true })
        #expect(event.push == PushMilestone(.answer, .approved, delay: .under1min))
        #expect(event.counts.isEmpty && event.reasons.isEmpty)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(event), as: UTF8.self)
        let package = event.versions.package
        #expect(
            text == #"{"attemptId":"\#(event.attemptId.uuidString)","day":"2026-11-25","#
                + #""push":{"delay":"under1min","kind":"answer","result":"approved"},"schema":1,"#
                + #""versions":{"app":"4.1 (312)","package":"\#(package)","system":"iOS 26.1.0"}}"#
        )
        #expect(try JSONDecoder().decode(MigrationEvent.self, from: Data(text.utf8)) == event)
    }

    @Test func anUndeliveredEventIsKeptForTheNextProcess() async throws {
        let (refused, continuation) = AsyncStream<Void>.makeStream()
        let offline = rollout { _ in
            continuation.yield()
            throw Death()
        }
        offline.record(PushMilestone(.arrival, .stored))
        _ = await refused.first { true }
        let events = Lock<[MigrationEvent]>([])
        let next = rollout { event in events.withValue { $0.append(event) } }
        await next.deliver()
        #expect(events.withValue(\.self).map(\.push) == [PushMilestone(.arrival, .stored)])
        #expect(try next.undelivered.isEmpty)
    }

    @Test func manyPushesDisplaceNoAttempt() throws {
        let rollout = rollout { _ in throw Death() }
        try rollout.attempt(.apply, yield: { (_: Void) in .nothing }) { try $0() }
        for _ in 0..<60 { rollout.record(PushMilestone(.arrival, .stored)) }
        let kept = try rollout.undelivered
        #expect(kept.count == 51)
        #expect(kept.first?.push == nil)
    }

    @Test func withoutAReceiverNothingIsStored() {
        rollout().record(PushMilestone(.arrival, .stored))
        #expect(storage.read() == nil)
    }

    /// An extension does not store the roll-out's state, because the app may write the state at the same time.
    @Test func anExtensionReportsPushEventsButStoresNoState() async throws {
        let (events, continuation) = AsyncStream<MigrationEvent>.makeStream()
        rollout(bundle: Self.appex) { continuation.yield($0) }.record(PushMilestone(.arrival, .stored))
        #expect(await events.first { _ in true }?.push == PushMilestone(.arrival, .stored))
        #expect(storage.read() == nil)
    }

    /// A state that an earlier version wrote, without a list of push events, is read.
    @Test func theStateOfAnEarlierVersionIsRead() throws {
        let rollout = rollout { _ in throw Death() }
        try rollout.attempt(.apply, yield: { (_: Void) in .nothing }) { try $0() }
        let state = try #require(storage.read())
        let members = try #require(try JSONSerialization.jsonObject(with: state) as? [String: Any])
        #expect(members["pushes"] == nil)
        rollout.record(PushMilestone(.arrival, .refused))
        #expect(try rollout.undelivered.map(\.attempt) == [1, 0])
        #expect(try rollout.undelivered.allSatisfy { $0.reasons.isEmpty })
    }
}
