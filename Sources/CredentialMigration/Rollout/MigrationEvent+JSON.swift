import Foundation
import PushBridgeCore

extension MigrationEvent.Reason {
    private enum Member: String, CodingKey {
        case code, number, count
    }

    /// Writes the reason, with the number of its code.
    ///
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(code, forKey: .code)
        try members.encode(code.number, forKey: .number)
        try members.encode(count, forKey: .count)
    }
}

extension MigrationEvent {
    /// Creates the event for one step of a push.
    init(_ push: PushMilestone, versions: MigrationVersions, day: String, id: UUID = UUID()) {
        self.init(
            schema: 1,
            attemptId: id,
            attempt: 0,
            step: .apply,
            outcome: .nothingToDo,
            counts: [],
            reasons: [],
            duration: nil,
            source: .other,
            versions: versions,
            day: day,
            guardHeld: false,
            push: push
        )
    }

    private enum Member: String, CodingKey {
        case schema, attemptId, attempt, step, outcome, counts, reasons, duration, source, versions, day,
            guardHeld
        case push
    }

    /// Reads an event.
    ///
    /// - Throws: `DecodingError` if a member is missing or invalid.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        let id = try members.decode(UUID.self, forKey: .attemptId)
        let versions = try members.decode(MigrationVersions.self, forKey: .versions)
        let day = try members.decode(String.self, forKey: .day)
        if let push = try members.decodeIfPresent(PushMilestone.self, forKey: .push) {
            self.init(push, versions: versions, day: day, id: id)
            return
        }
        self.init(
            schema: try members.decode(Int.self, forKey: .schema),
            attemptId: id,
            attempt: try members.decode(Int.self, forKey: .attempt),
            step: try members.decode(MigrationGate.Step.self, forKey: .step),
            outcome: try members.decode(Outcome.self, forKey: .outcome),
            counts: try members.decode([Count].self, forKey: .counts),
            reasons: try members.decode([Reason].self, forKey: .reasons),
            duration: try members.decodeIfPresent(Duration.self, forKey: .duration),
            source: try members.decode(Source.self, forKey: .source),
            versions: versions,
            day: day,
            guardHeld: try members.decode(Bool.self, forKey: .guardHeld),
            push: nil
        )
    }

    /// Writes an event.
    ///
    /// The event of a push contains only `schema`, `attemptId`, `versions`, `day` and `push`, so it is not counted as
    /// an attempt.
    ///
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(schema, forKey: .schema)
        try members.encode(attemptId, forKey: .attemptId)
        try members.encode(versions, forKey: .versions)
        try members.encode(day, forKey: .day)
        if let push { return try members.encode(push, forKey: .push) }
        try members.encode(attempt, forKey: .attempt)
        try members.encode(step, forKey: .step)
        try members.encode(outcome, forKey: .outcome)
        try members.encode(counts, forKey: .counts)
        try members.encode(reasons, forKey: .reasons)
        try members.encodeIfPresent(duration, forKey: .duration)
        try members.encode(source, forKey: .source)
        try members.encode(guardHeld, forKey: .guardHeld)
    }
}
