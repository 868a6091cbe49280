public import CredentialMigration
public import Foundation

/// The body of a request that sends an event as a log record of OpenTelemetry, in the JSON encoding of OTLP
/// (opentelemetry.io/docs/specs/otlp).
///
/// POST this body to the path `/v1/logs` of a collector, with the content type `application/json`.
public struct LogsRequest: Encodable {
    let resourceLogs: [ResourceLogs]

    /// Creates the body of a request.
    /// - Parameters:
    ///   - event: The event. The JSON of the event is the body of the record. The values by which teams group
    ///     events are attributes of the record and of its resource.
    ///   - date: The date when the record is sent.
    /// - Throws: `EncodingError`, but only in theory, because these values can always be encoded.
    public init(_ event: MigrationEvent, at date: Date) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let (name, isGood, attributes): (String, Bool, [Attribute])
        if let push = event.push {
            name = "pushbridge.push"
            isGood = push.result != .failed && push.result != .refused
            attributes = [
                Attribute("step", push.kind.rawValue),
                Attribute("result", push.result.rawValue),
                Attribute("day", event.day),
            ]
        } else {
            name = "pushbridge.migration"
            isGood = event.outcome == .complete || event.outcome == .nothingToDo
            attributes = [
                Attribute("attempt.id", event.attemptId.uuidString),
                Attribute("step", event.step.rawValue),
                Attribute("outcome", event.outcome.rawValue),
                Attribute("source", event.source.rawValue),
                Attribute("day", event.day),
            ]
        }
        let resource = Resource(attributes: [
            Attribute("service.name", "app"),
            Attribute("service.version", event.versions.app),
            Attribute("os.description", event.versions.system),
        ])
        let record = LogRecord(
            // The JSON encoding requires text for 64-bit numbers. If the clock is set to a time before 1970, the
            // number is 0.
            timeUnixNano: String(UInt64(max(0, date.timeIntervalSince1970)) * 1_000_000_000),
            // These are the numbers of INFO and WARN.
            severityNumber: isGood ? 9 : 13,
            eventName: name,
            body: Value(stringValue: String(decoding: try encoder.encode(event), as: UTF8.self)),
            attributes: attributes
        )
        let scope = Scope(name: "pushbridge", version: event.versions.package)
        resourceLogs = [
            ResourceLogs(resource: resource, scopeLogs: [ScopeLogs(scope: scope, logRecords: [record])])
        ]
    }

    struct ResourceLogs: Encodable {
        let resource: Resource
        let scopeLogs: [ScopeLogs]
    }

    struct Resource: Encodable {
        let attributes: [Attribute]
    }

    struct ScopeLogs: Encodable {
        let scope: Scope
        let logRecords: [LogRecord]
    }

    struct Scope: Encodable {
        let name: String
        let version: String
    }

    struct LogRecord: Encodable {
        let timeUnixNano: String
        let severityNumber: Int
        let eventName: String
        let body: Value
        let attributes: [Attribute]
    }

    struct Attribute: Encodable {
        let key: String
        let value: Value

        init(_ key: String, _ value: String) {
            (self.key, self.value) = (key, Value(stringValue: value))
        }
    }

    struct Value: Encodable {
        let stringValue: String
    }
}
