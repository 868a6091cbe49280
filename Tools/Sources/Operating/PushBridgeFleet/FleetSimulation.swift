@_spi(PushBridgeTools) public import CredentialMigration
import Foundation
import PushBridgeCore

/// A simulated phased release: phones, their stores, their launches, and their events.
///
/// With the same phones, seed and defect, the simulation produces the same events in the same order on every machine.
public struct FleetSimulation: Sendable {
    /// A defect of the simulated release.
    public struct Defect: Equatable, Sendable {
        /// The effect of the defect on a phone.
        public enum Kind: String, CaseIterable, Sendable {
            /// The app crashes twice; then the guard holds back the migration.
            case crash
            /// The attempt fails as a whole.
            case fail
            /// Records arrive without verification.
            case unproven
            /// Records are refused.
            case refuse
            /// Legacy records are reported as damaged.
            case unreadable
            /// Records stay locked.
            case locked
            /// The attempt takes a minute.
            case slow
        }

        /// The days on which the defect has an effect.
        public enum Course: Equatable, Sendable {
            /// The defect has an effect on every day.
            case always
            /// The defect has an effect from the given day on; the first day is 1.
            case step(from: Int)
            /// The affected share of the phones doubles every two days, and reaches the full share on the last day.
            case growth
            /// From the given day on, phones with the defect send no events; the kind of the defect has no effect.
            case silence(from: Int)
            /// From the given day on, phones with the defect have another system version; the kind of the defect has
            /// no effect.
            case update(from: Int, to: String)
        }

        /// The effect of the defect on a phone.
        public var kind: Kind
        /// The affected system version; `nil` for all.
        public var system: String?
        /// Of the phones with ``system``, the share that has the defect, from 0 to 1.
        public var share: Double

        /// The days on which the defect has an effect.
        public var course: Course

        /// Creates a defect.
        public init(kind: Kind, system: String?, share: Double, course: Course = .always) {
            (self.kind, self.system, self.share, self.course) = (kind, system, share, course)
        }

        /// Whether the kind of the defect has no effect on attempts.
        fileprivate var isHarmless: Bool {
            switch course {
            case .silence, .update: true
            case .always, .step, .growth: false
            }
        }

        /// Returns the system version that phones with the defect have at the given time; `nil` for their own version.
        fileprivate func system(at second: Int) -> String? {
            guard case .update(let first, let system) = course, second / 86_400 + 1 >= first else {
                return nil
            }
            return system
        }

        /// Returns whether phones with the defect send no events at the given time.
        fileprivate func silences(_ second: Int) -> Bool {
            if case .silence(let first) = course { second / 86_400 + 1 >= first } else { false }
        }

        /// Returns the affected share on a day.
        fileprivate func share(on day: Int) -> Double {
            switch course {
            case .always, .silence, .update: share
            case .step(let first): day >= first ? share : 0
            case .growth: share * pow(2, Double(day - FleetSimulation.days) / 2)
            }
        }
    }

    /// A system version, and its share of the phones.
    public struct System: Sendable {
        /// The name of the version.
        public let name: String
        /// The share of phones that have this version.
        public let share: Double
    }

    /// The system versions of the simulated phones.
    public static let systems = [
        System(name: "iOS 26.1.0", share: 0.34), System(name: "iOS 26.0.1", share: 0.14),
        System(name: "iOS 18.7.2", share: 0.22), System(name: "iOS 18.6.2", share: 0.11),
        System(name: "iOS 17.7.10", share: 0.09), System(name: "iOS 16.7.12", share: 0.06),
        System(name: "iOS 18.5.0", share: 0.04),
    ]
    /// The share of phones that are offered the release, by day, in percent.
    public static let phases = [1, 2, 5, 10, 20, 50, 100]
    /// The number of simulated days.
    ///
    /// There are more days than phases, because phones also launch the app after the last phase has begun.
    public static let days = 14
    /// The release that is rolled out.
    public static let release = "5.0 (500)"
    /// An earlier test release, which some testers still use.
    static let beta = "4.9 (490)"

    /// The number of phones.
    public let phones: Int
    /// The seed of the pseudorandom numbers.
    public let seed: UInt64
    /// The defect; `nil` for a release without defects.
    public let defect: Defect?

    /// Describes a release without simulating it.
    /// - Parameters:
    ///   - phones: The number of phones, below 4,000,000,000.
    ///   - seed: The seed of the pseudorandom numbers.
    ///   - defect: The defect; `nil` for a release without defects.
    public init(phones: Int, seed: UInt64, defect: Defect? = nil) {
        (self.phones, self.seed, self.defect) = (phones, seed, defect)
    }

    /// One event that arrives at the collector.
    public struct Arrival: Sendable {
        /// The time of arrival, in seconds since the start of the release.
        public let second: Int
        /// The event that arrives.
        public let event: MigrationEvent
        /// The number of credentials whose servers receive the device token because of this event; 0 for a repeated
        /// event.
        public let tokenUpdates: Int

        /// The day of the roll-out, from 1.
        public var day: Int { second / 86_400 + 1 }
    }

    /// Simulates the release.
    /// - Parameter body: Receives each event, in order of arrival.
    /// - Throws: The errors of `body`.
    public func play(_ body: (Arrival) throws -> Void) rethrows {
        struct Place {
            let second: UInt32
            let phone: UInt32
            let index: UInt16
        }
        // Only the places of the events are stored, so that millions of phones fit into memory. Each phone is generated
        // again for each of its events.
        var places: [Place] = []
        places.reserveCapacity(phones)
        for phone in 0..<phones {
            for (index, arrival) in arrivals(of: phone).enumerated()
            where arrival.second < Self.days * 86_400 {
                places.append(
                    Place(second: UInt32(arrival.second), phone: UInt32(phone), index: UInt16(index))
                )
            }
        }
        places.sort { ($0.second, $0.phone, $0.index) < ($1.second, $1.phone, $1.index) }
        for place in places { try body(arrivals(of: Int(place.phone))[Int(place.index)]) }
    }

    /// Returns the events of one phone.
    func arrivals(of phone: Int) -> [Arrival] {
        var life = PhoneLife(self, phone: phone)
        life.live()
        return life.arrivals
    }

    /// Returns a phone's system version and the day of its first launch with the release, even if the phone sends no
    /// events.
    func start(of phone: Int) -> (system: String, day: Int) {
        var life = PhoneLife(self, phone: phone)
        let second = life.firstLaunch()
        return (life.system(at: second), second / 86_400 + 1)
    }

    /// Returns the date of a day of the release; the first day is 1.
    static func date(ofDay day: Int) -> String {
        // The release starts on Monday, 2 November 2026, and ends in the same month.
        "2026-11-\(day + 1 < 10 ? "0" : "")\(day + 1)"
    }
}

/// One phone of a fleet: its store, its launches, and the result of each launch.
private struct PhoneLife {
    private let simulation: FleetSimulation
    private var random: SplitMix
    let system: String
    private let release: String
    private let store: PhoneStore
    /// The random number that decides whether the phone has the defect; `nil` if there is no defect, or if the phone's
    /// system version or release excludes it.
    private let draw: Double?
    private let hasWrongClock: Bool
    private var attempts = 0
    private(set) var arrivals: [FleetSimulation.Arrival] = []

    init(_ simulation: FleetSimulation, phone: Int) {
        self.simulation = simulation
        random = SplitMix(seed: simulation.seed, stream: UInt64(phone) + 1)
        var place = random.share()
        system =
            FleetSimulation.systems.first { system in
                place -= system.share
                return place < 0
            }?.name ?? FleetSimulation.systems[0].name
        release = random.happens(0.02) ? FleetSimulation.beta : FleetSimulation.release
        store = PhoneStore(&random)
        let draw = random.share()
        let affected = simulation.defect != nil && (simulation.defect?.system ?? system) == system
        self.draw = affected && release == FleetSimulation.release ? draw : nil
        hasWrongClock = random.happens(0.002)
    }

    /// Returns whether the defect affects the phone at the given time.
    private func hasDefect(at second: Int) -> Bool {
        guard let draw, let defect = simulation.defect else { return false }
        return draw < defect.share(on: second / 86_400 + 1)
    }

    /// Returns the phone's system version at the given time.
    func system(at second: Int) -> String {
        hasDefect(at: second) ? simulation.defect?.system(at: second) ?? system : system
    }

    /// Returns the time of the phone's first launch with the release, in seconds since the start of the release.
    ///
    /// The launch is on the day when the phased release reaches the phone, or some days later.
    mutating func firstLaunch() -> Int {
        let place = random.share() * 100
        let offered = FleetSimulation.phases.firstIndex { place < Double($0) } ?? 0
        let late =
            random.happens(0.05) ? 3 + random.geometric(0.15, limit: 40) : random.geometric(0.55, limit: 10)
        return (offered + late) * 86_400 + secondOfDay()
    }

    /// Returns a random second of a day, usually in the daytime.
    private mutating func secondOfDay() -> Int {
        let hours = (random.share() + random.share() + random.share()) / 3 * 24
        return Int((hours + 2) * 3600) % 86_400
    }

    /// The outcome of one attempt.
    private enum Fate {
        case complete
        case locked
        case crash
        case fail(MigrationReason)
        case trouble(MigrationOutcome, MigrationReason, proven: Bool)
        case slow
    }

    mutating func live() {
        var second = firstLaunch()
        var crashes = 0
        for launch in 0..<4 {
            let fate = fate(of: launch, at: second)
            attempts += 1
            switch fate {
            case .locked:
                send(second, .locked, [locked], [.init(madeUp: store.records, .locked)])
                second += 3600 + Int(random.next() % 18_000)
                continue
            case .crash:
                // The crash is reported at the next launch.
                crashes += 1
                second += 3600 + Int(random.next() % 86_400)
                send(second, .interrupted, [], [], guardHeld: crashes >= 2)
                if crashes >= 2 { return send(second, .held, [], [], guardHeld: true) }
                continue
            case .fail(let reason):
                send(second, .failed, [], [.init(madeUp: 1, reason)])
                second += 3600 + Int(random.next() % 86_400)
                continue
            case .complete:
                send(second, .complete, store.counts(), [], updates: store.push)
                return retire(after: second)
            case .slow:
                send(second, .complete, store.counts(), [], updates: store.push, isSlow: true)
                return retire(after: second)
            case .trouble(let outcome, let reason, let proven):
                let counts = store.counts(troubled: outcome, proven: proven)
                let reasons = [MigrationEvent.Reason(madeUp: 1, reason)]
                return send(second, .partial, counts, reasons, updates: store.push - 1)
            }
        }
    }

    /// Retires the records of a complete migration at a launch at least three days later.
    private mutating func retire(after migration: Int) {
        var second = migration + (3 + random.geometric(0.5, limit: 10)) * 86_400
        if random.happens(0.0002) {
            attempts += 1
            let reason = MigrationEvent.Reason(madeUp: 1, .sourceNotWritable)
            send(second, .failed, [], [reason], step: .retire)
            second += 86_400
        }
        attempts += 1
        send(second, .complete, store.counts(), [], step: .retire)
    }

    private var locked: MigrationEvent.Count {
        .init(madeUp: store.records, .unknown, .locked, proven: false)
    }

    private mutating func fate(of launch: Int, at second: Int) -> Fate {
        let draw = random.share()
        if hasDefect(at: second), let defect = simulation.defect, !defect.isHarmless {
            switch defect.kind {
            case .crash: return .crash
            case .fail: return .fail(.storeFailed)
            case .unproven: return .trouble(.migrated, .notReadBack, proven: false)
            case .refuse: return .trouble(.conflict, .otherSecret, proven: false)
            case .unreadable: return .trouble(.damaged, .damaged, proven: false)
            case .locked: return .locked
            case .slow: return .slow
            }
        }
        // Attempts also go wrong without a defect, for example because a phone has not been unlocked, its battery is
        // empty, or a backup was restored whose key is on another phone.
        switch draw {
        case ..<0.02 where launch == 0: return .locked
        case ..<0.0202: return .crash
        case ..<0.0203: return .fail(.sourceUnreadable)
        case ..<0.0243: return .trouble(.undecryptable, .undecryptable, proven: false)
        case ..<0.0253: return .trouble(.damaged, .damaged, proven: false)
        case ..<0.0254: return .trouble(.conflict, .otherSecret, proven: false)
        case ..<0.0270: return .slow
        default: return .complete
        }
    }

    private mutating func send(
        _ second: Int,
        _ outcome: MigrationEvent.Outcome,
        _ counts: [MigrationEvent.Count],
        _ reasons: [MigrationEvent.Reason],
        updates: Int = 0,
        isSlow: Bool = false,
        guardHeld: Bool = false,
        step: MigrationGate.Step = .apply
    ) {
        var setting = MigrationEvent.Setting(
            versions: MigrationVersions(app: release, system: system(at: second)),
            day: hasWrongClock ? "1970-01-01" : FleetSimulation.date(ofDay: second / 86_400 + 1)
        )
        if outcome != .interrupted, outcome != .held {
            setting.duration = isSlow ? .longer : random.happens(0.9) ? .under100ms : .under1s
        }
        setting.guardHeld = guardHeld
        setting.step = step
        let event = MigrationEvent(
            madeUp: random.uuid(),
            attempt: attempts,
            outcome: outcome,
            counts: counts,
            reasons: reasons,
            setting: setting
        )
        // Most events arrive within half a minute, some within half a day, a few within five days, and some twice.
        let delay =
            switch random.share() {
            case ..<0.9: Int(random.next() % 30)
            case ..<0.98: Int(random.next() % 43_200)
            default: Int(random.next() % 432_000)
            }
        if hasDefect(at: second), simulation.defect?.silences(second) == true { return }
        arrivals.append(.init(second: second + delay, event: event, tokenUpdates: max(0, updates)))
        if random.happens(0.01) {
            let again = second + delay + Int(random.next() % 86_400)
            arrivals.append(.init(second: again, event: event, tokenUpdates: 0))
        }
    }
}

extension SplitMix {
    /// Returns a random UUID of version 4.
    fileprivate mutating func uuid() -> UUID {
        let (a, b) = (next(), next())
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (8 * index)) }
        return UUID(
            uuid: (
                byte(a, 0), byte(a, 1), byte(a, 2), byte(a, 3), byte(a, 4), byte(a, 5),
                byte(a, 6) & 0x0F | 0x40, byte(a, 7), byte(b, 0) & 0x3F | 0x80, byte(b, 1), byte(b, 2),
                byte(b, 3),
                byte(b, 4), byte(b, 5), byte(b, 6), byte(b, 7)
            )
        )
    }
}
