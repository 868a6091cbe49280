import Foundation
public import PingAMSimulator
import PushBridgeCore

/// Plays a scenario on one side, step by step, and records what happens.
final class Play {
    let world: World
    private let makeSide: SideMaker
    private(set) var side: any ParitySide
    private var names: Names
    private var journalEntriesRead = 0

    /// What the names of the scenario stand for on this side.
    var codes: [String: String] = [:]
    var accounts: [String: AccountKey] = [:]
    var credentials: [String: String] = [:]
    var messages: [String: (id: String, payload: JSONValue)] = [:]
    var signers: [String: SharedSecret] = [:]

    private init(_ world: World, side: any ParitySide, makeSide: @escaping SideMaker) {
        self.world = world
        self.side = side
        self.makeSide = makeSide
        names = Names(base: world.server.base)
    }

    static func timeline(
        of scenario: Scenario,
        wrapping: Wrapping,
        makeSide: @escaping SideMaker
    ) async throws -> Timeline {
        let world = try World(scenario.settings, wrapping: wrapping)
        do {
            let play = Play(world, side: wrapping.side(try await makeSide(world)), makeSide: makeSide)
            var timeline = Timeline()
            for step in scenario.steps { timeline.moments.append(try await play.moment(step)) }
            try world.end()
            return timeline
        } catch {
            world.abandon()
            throw error
        }
    }

    private func moment(_ step: Step) async throws -> Moment {
        let calls = try await perform(step)
        // What happens one after the other has times that tell the order.
        defer { world.phone.advance(1) }
        let entries = world.server.journal.dropFirst(journalEntriesRead)
        journalEntriesRead += entries.count
        // Ids that first appear in this step are named after what it makes.
        let subject = step.made.credential ?? step.made.push ?? step.verb.rawValue
        let requests = entries.map { named($0.record(signers: signers), subject) }
        return Moment(
            step: step,
            calls: calls.map { $0.map { named($0.json, subject) } },
            requests: requests.inComparableOrder,
            timeouts: world.takeTimeouts().sorted(),
            store: named(try world.store.record(at: world.phone.now), subject),
            server: named(world.server.record(pushes: messages.values.map(\.id)), subject)
        )
    }

    private func named(_ value: JSONValue, _ subject: String) -> JSONValue {
        names.applied(to: value, subject: subject)
    }

    func name(_ text: String, as name: String) {
        names.name(text, as: name)
    }

    func restart() async throws {
        try world.reopenStore()
        side = world.wrapping.side(try await makeSide(world))
    }
}

extension [JSONValue] {
    /// Token updates are independent of each other, so their order is none; all others stay in theirs.
    fileprivate var inComparableOrder: [JSONValue] {
        let isUpdates = allSatisfy { request in
            guard case .string(let url)? = request["url"] else { return false }
            return url.contains("_action=refresh")
        }
        return isUpdates ? sorted { $0.text < $1.text } : self
    }
}

/// Plays scenarios on both APIs and compares what happened.
///
/// Each side has a simulated server, a store and a device of its own, equal to those of the other; time passes only
/// when the scenario says so.
public struct ParityRunner: Sendable {
    private let legacyWrapping: Wrapping
    private let asyncWrapping: Wrapping
    private let version: ServerVersion?

    /// Creates a runner that knows the register of divergences.
    /// - Parameter version: The version of the server in scenarios that name none; `nil` is the newest.
    public init(version: ServerVersion? = nil) {
        self.init(legacyWrapping: Wrapping(), asyncWrapping: Wrapping(), version: version)
    }

    package init(
        legacyWrapping: Wrapping = Wrapping(),
        asyncWrapping: Wrapping = Wrapping(),
        version: ServerVersion? = nil
    ) {
        self.version = version
        self.legacyWrapping = legacyWrapping
        self.asyncWrapping = asyncWrapping
    }

    /// Plays a scenario, first on the legacy API and then on the new one.
    ///
    /// Throws ``ParityError`` if it cannot be played; whatever the APIs do is a result. The main queue has to be
    /// served meanwhile, because the legacy API calls back there.
    public func run(_ scenario: Scenario) async throws -> ScenarioResult {
        do {
            var played = scenario
            played.settings.version = scenario.settings.version ?? version
            try played.validate()
            let legacy = try await Play.timeline(of: played, wrapping: legacyWrapping) {
                try LegacySide(in: $0)
            }
            let async = try await Play.timeline(of: played, wrapping: asyncWrapping) {
                try await AsyncSide(in: $0)
            }
            return ScenarioResult(scenario, legacy: legacy, async: async, register: Divergence.register)
        } catch let error as ParityError {
            throw ParityError(code: error.code, reason: "\(scenario.name): \(error.reason)")
        } catch {
            throw ParityError(code: .notPlayable, reason: "\(scenario.name) cannot be played: \(error)")
        }
    }
}
