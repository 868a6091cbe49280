import CredentialMigration
public import Foundation

/// The results of a simulated release, day by day.
public struct FleetRehearsal: Sendable {
    /// The events and the verdict of one day.
    public struct Day: Sendable {
        /// The number of the day, from 1.
        public let number: Int
        /// The share of phones that are offered the release, in percent.
        public let percent: Int
        /// The number of events that arrived.
        public internal(set) var events = 0
        /// The number of token updates that servers received.
        public internal(set) var tokenUpdates = 0
        /// The maximum number of token updates in a minute.
        public internal(set) var mostInAMinute = 0
        /// The policy's verdict at the end of the day; `nil` without a policy.
        public internal(set) var verdict: FleetVerdict?

        /// The token updates per second in the busiest minute.
        public var peak: Double { Double(mostInAMinute) / 60 }
    }

    /// The simulated days, in order.
    public private(set) var days: [Day] = []

    /// The first day at whose end the policy stops the release; `nil` if the policy never stops it.
    public var stopped: Day? { days.first { $0.verdict?.decision == .stop } }

    /// Simulates a release and judges it at the end of each day.
    /// - Parameters:
    ///   - simulation: The simulated release.
    ///   - policy: The policy that judges the release at the end of each day; `nil` for none.
    ///   - write: Receives the events as lines, many in each call.
    ///   - progress: Called occasionally with the number of events.
    /// - Throws: The errors of `write` and of the database.
    public init(
        _ simulation: FleetSimulation,
        policy: FleetPolicy?,
        write: (Data) throws -> Void,
        progress: (Int) -> Void = { _ in }
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let database = try policy.map { _ in try FleetDatabase() }
        var (count, minute, inMinute) = (0, -1, 0)
        var block = Data()
        days = [Self.day(1)]
        func end(of index: Int) throws {
            guard let policy, let database else { return }
            let percent = days[index].percent
            let phase = policy.phases.last { $0.percent <= percent } ?? policy.phases[0]
            days[index].verdict = FleetVerdict(
                try database.answers(),
                lines: database.lines,
                policy: policy,
                phase: phase,
                release: FleetSimulation.release
            )
        }
        try simulation.play { arrival in
            while days.count < arrival.day {
                try end(of: days.count - 1)
                days.append(Self.day(days.count + 1))
            }
            let line = try encoder.encode(arrival.event)
            block.append(line)
            block.append(0x0A)
            if block.count > 1 << 16 {
                try write(block)
                block.removeAll(keepingCapacity: true)
            }
            count += 1
            if count.isMultiple(of: 1000) { progress(count) }
            try database?.add(String(decoding: line, as: UTF8.self), number: count, of: "rehearsal")
            let index = arrival.day - 1
            if arrival.second / 60 != minute { (minute, inMinute) = (arrival.second / 60, 0) }
            inMinute += arrival.tokenUpdates
            days[index].events += 1
            days[index].tokenUpdates += arrival.tokenUpdates
            days[index].mostInAMinute = max(days[index].mostInAMinute, inMinute)
        }
        try write(block)
        while days.count < FleetSimulation.days {
            try end(of: days.count - 1)
            days.append(Self.day(days.count + 1))
        }
        try end(of: days.count - 1)
    }

    static func day(_ number: Int) -> Day {
        let phases = FleetSimulation.phases
        return Day(number: number, percent: phases[min(number, phases.count) - 1])
    }
}
