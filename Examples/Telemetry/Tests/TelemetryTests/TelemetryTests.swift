import CredentialMigration
import Foundation
import Metrics
import MetricsTestKit
import Telemetry
import Testing

/// An event of a migration as JSON.
private let json = #"""
    {"attempt":2,"attemptId":"0D4C6C55-5B6C-4B0E-9B69-2F2C9F0E4B11","counts":[{"count":3,"kind":"push",\#
    "outcome":"migrated","proven":true}],"day":"2026-11-25","duration":"under1s","guardHeld":false,\#
    "outcome":"partial","reasons":[{"code":"invalidField","count":1}],"schema":1,"source":"keychain",\#
    "step":"apply","versions":{"app":"4.1","package":"1","system":"iOS 26.1.0"}}
    """#

@Suite("Telemetry", .serialized)
struct TelemetryTests {
    private let event: MigrationEvent

    init() throws {
        event = try JSONDecoder().decode(MigrationEvent.self, from: Data(json.utf8))
    }

    @Test func anEventIsALogRecordOfOpenTelemetry() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let request = try LogsRequest(event, at: Date(timeIntervalSince1970: 1_795_564_800))
        let text = String(decoding: try encoder.encode(request), as: UTF8.self)
        // The members are the same as in the examples of OpenTelemetry's specification.
        #expect(text.hasPrefix(#"{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","#))
        #expect(text.contains(#""timeUnixNano":"1795564800000000000""#))
        #expect(text.contains(#"{"key":"outcome","value":{"stringValue":"partial"}}"#))
    }

    @Test func eventsIncreaseTheCountersOfRecordsPushesAndAttempts() throws {
        let metrics = TestMetrics()
        MetricsSystem.bootstrap(metrics)
        count(event)
        let records = try metrics.expectCounter(
            "pushbridge.migration.records",
            [
                ("app", "4.1"), ("system", "iOS 26.1.0"), ("step", "apply"), ("kind", "push"),
                ("outcome", "migrated"),
            ]
        )
        #expect(records.totalValue == 3)
        // A step of a push is not counted as an attempt.
        let push = #"""
            {"attemptId":"0D4C6C55-5B6C-4B0E-9B69-2F2C9F0E4B12","day":"2026-11-25","push":{"delay":"under10s",\#
            "kind":"answer","result":"denied"},"schema":1,\#
            "versions":{"app":"4.1","package":"1","system":"iOS 26.1.0"}}
            """#
        count(try JSONDecoder().decode(MigrationEvent.self, from: Data(push.utf8)))
        let pushes = try metrics.expectCounter(
            "pushbridge.pushes",
            [
                ("app", "4.1"), ("system", "iOS 26.1.0"), ("step", "answer"), ("result", "denied"),
                ("delay", "under10s"),
            ]
        )
        #expect(pushes.totalValue == 1)
        let attempts = metrics.counters.filter { $0.label == "pushbridge.migration.attempts" }
        #expect(attempts.map(\.totalValue) == [1])
    }
}
