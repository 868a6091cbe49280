import Foundation
@_spi(PushBridgeTools) public import PingAMSimulator
import PushBridgeCore
import PushBridgeInternals

/// Plays steps in one environment, which one side or both sides use, and records the results.
actor StepPlayer {
    let environment: SideEnvironment
    private let makers: [APISide: SideMaker]
    private var sides: [APISide: any ParitySide]
    /// The side that performs the current step.
    private(set) var side: any ParitySide
    private var names: Names
    private var requestsRead = 0
    private var recorder = StoreRecorder()
    /// The records of the store after the last step; `nil` before the first step.
    private(set) var contents: StoreContents?

    /// The registration URIs, by the names of their credentials in the scenario.
    var codes: [String: String] = [:]
    var accounts: [String: AccountKey] = [:]
    var credentials: [String: String] = [:]
    var messages: [String: (id: String, payload: JSONValue)] = [:]
    var signers: [String: SharedSecret] = [:]
    /// The names of the pushes, in the order in which the pushes were sent.
    var pushOrder: [String] = []
    /// The numbers that login pages show, by the names of the pushes.
    var numbers: [String: Int] = [:]

    /// Creates the environment and its sides.
    ///
    /// The caller must end the environment.
    static func start(
        _ settings: ScenarioSettings,
        changes: SideChanges,
        in options: PlayOptions,
        makers: [APISide: SideMaker]
    ) async throws -> StepPlayer {
        let environment = try SideEnvironment(settings, changes: changes, in: options)
        do {
            return try await StepPlayer(environment, makers: makers)
        } catch {
            environment.abandon()
            throw error
        }
    }

    private init(_ environment: SideEnvironment, makers: [APISide: SideMaker]) async throws {
        self.environment = environment
        self.makers = makers
        sides = try await Self.sides(in: environment, makers)
        guard let side = sides.values.first else {
            throw ParityError(code: .notPlayable, reason: "The player has no side.")
        }
        self.side = side
        names = Names(base: environment.server.base)
    }

    private static func sides(
        in environment: SideEnvironment,
        _ makers: [APISide: SideMaker]
    ) async throws -> [APISide: any ParitySide] {
        var sides: [APISide: any ParitySide] = [:]
        for (side, make) in makers { sides[side] = environment.changes.side(try await make(environment)) }
        return sides
    }

    /// Performs a step on a side, and records the results.
    ///
    /// If this environment does not have the side, the step is only recorded.
    func stepRecord(_ step: Step, on side: APISide) async throws -> StepRecord {
        guard let performer = sides[side] else { return try idle(step) }
        self.side = performer
        let calls = try await perform(step)
        // Each step takes a second. The times therefore show the order of events.
        defer { environment.phone.advance(1) }
        return try stepRecord(step, calls)
    }

    /// Records a step that this side does not perform, and advances the time by one second.
    func idle(_ step: Step) throws -> StepRecord {
        defer { environment.phone.advance(1) }
        return try stepRecord(step, [])
    }

    private func stepRecord(_ step: Step, _ calls: [[Delivery]]) throws -> StepRecord {
        let (entries, count) = environment.server.requests(after: requestsRead)
        requestsRead = count
        // The name of an id that first appears in this step begins with the name of the credential or push that the
        // step creates, or else with the step's verb.
        let subject = step.made.credential ?? step.made.push ?? step.verb.rawValue
        let requests = entries.map { named($0.record(signers: signers), subject) }
        let results = calls.map { $0.map { named($0.json, subject) } }
        let contents = try environment.contents()
        self.contents = contents
        return StepRecord(
            step: step,
            calls: results,
            requests: requests.inComparableOrder,
            timeouts: environment.takeTimeouts().sorted(),
            store: recorder.record(contents, at: environment.phone.now) { named($0, subject) },
            server: named(environment.server.record(pushes: messages.values.map(\.id)), subject),
            isDeviceLocked: environment.phone.isLocked
        )
    }

    private func named(_ value: JSONValue, _ subject: String) -> JSONValue {
        names.applied(to: value, subject: subject)
    }

    func name(_ text: String, as name: String) {
        names.name(text, as: name)
    }

    /// Returns the differences between the legacy side's records and the legacy SDK's items; empty if the side does not
    /// work in place.
    func itemDifferences() throws -> [ItemDifference] {
        guard let keychain = environment.keychain else { return [] }
        environment.change(Step.Device(isLocked: false))
        let legacy = try LegacySide(in: environment)
        let token = try environment.contents().deviceToken
        // The token's archive is written only after every server has the token. Until then, the token is not
        // compared.
        let isConfirmed = token?.unconfirmedCredentialIds.isEmpty ?? true
        let reported = try legacy.objects(token: isConfirmed ? token : nil)
        var decoded = try SDKItems.decoded(keychain)
        if !isConfirmed, case .object(var services) = decoded {
            services["pushDeviceToken"] = [:]
            decoded = .object(services)
        }
        return JSONValue.differences(reported, decoded).map {
            ItemDifference(path: $0.path, api: $0.one, item: $0.other)
        }
    }

    func restart() async throws {
        try environment.reopenStore()
        sides = try await Self.sides(in: environment, makers)
    }
}

extension [JSONValue] {
    /// The requests in an order that can be compared.
    ///
    /// If all requests are token updates, they are sorted, because token updates are independent of each
    /// other. Otherwise the order is kept.
    fileprivate var inComparableOrder: [JSONValue] {
        let isUpdates = allSatisfy { request in
            guard case .string(let url)? = request["url"] else { return false }
            return url.contains("_action=refresh")
        }
        return isUpdates ? sorted { $0.text < $1.text } : self
    }
}

/// Plays scenarios on both APIs and compares the results.
///
/// Each side has its own simulated server, store and device, unless the scenario requires that both sides share them.
/// Both sides start in the same state. Time passes only in steps of the scenario.
public struct ParityRunner: Sendable {
    private let legacyChanges: SideChanges
    private let asyncChanges: SideChanges
    private let version: ServerVersion?
    private let isInPlace: Bool

    /// Creates a runner with the register of divergences.
    /// - Parameters:
    ///   - version: The server's version for scenarios that do not name a version; `nil` means 8.0.2.
    ///   - inPlace: Whether the legacy API works on the legacy SDK's items. This also applies to scenarios
    ///     that name another store.
    public init(version: ServerVersion? = nil, inPlace: Bool = false) {
        self.init(
            legacyChanges: SideChanges(),
            asyncChanges: SideChanges(),
            version: version,
            inPlace: inPlace
        )
    }

    package init(
        legacyChanges: SideChanges = SideChanges(),
        asyncChanges: SideChanges = SideChanges(),
        version: ServerVersion? = nil,
        inPlace: Bool = false
    ) {
        self.version = version
        isInPlace = inPlace
        self.legacyChanges = legacyChanges
        self.asyncChanges = asyncChanges
    }

    /// Plays a scenario on both APIs, step by step.
    ///
    /// Throws ``ParityError`` if the scenario cannot be played. Errors of the APIs are part of the result.
    /// The main queue must not be blocked during the run, because the legacy API calls back on this queue.
    public func run(_ scenario: Scenario) async throws -> ScenarioResult {
        do {
            let played = try prepared(scenario)
            let player = try await ScenarioPlayer(
                played.settings,
                in: PlayOptions(folder: scenario.folder),
                legacyChanges: legacyChanges,
                asyncChanges: asyncChanges
            )
            let (legacy, async, items) = try await player.timelines(of: played.steps)
            return ScenarioResult(
                scenario,
                legacy: legacy,
                async: async,
                items: items,
                settings: played.settings,
                register: Divergence.register
            )
        } catch let error as ParityError {
            throw ParityError(code: error.code, reason: "\(scenario.name): \(error.reason)")
        } catch {
            throw ParityError(code: .notPlayable, reason: "\(scenario.name) cannot be played: \(error)")
        }
    }

    /// Plays a scenario only on the legacy API, and compares the API's records with the legacy SDK's items.
    /// - Parameter scenario: The scenario. Steps that name the async side are skipped.
    /// - Returns: The differences between the API's records and the items at the end of the scenario.
    /// - Throws: ``ParityError`` if the scenario cannot be played, and the errors of the store and the keychain.
    package func itemDifferences(after scenario: Scenario) async throws -> [ItemDifference] {
        let played = try prepared(scenario)
        let player = try await StepPlayer.start(
            played.settings,
            changes: legacyChanges,
            in: PlayOptions(folder: scenario.folder),
            makers: [.legacy: { try LegacySide(in: $0) }]
        )
        defer { player.environment.abandon() }
        for step in played.steps {
            _ =
                step.side == .async
                ? try await player.idle(step) : try await player.stepRecord(step, on: .legacy)
        }
        return try await player.itemDifferences()
    }

    private func prepared(_ scenario: Scenario) throws -> Scenario {
        var played = scenario
        played.settings.version = scenario.settings.version ?? version
        if isInPlace { played.settings.store = .inPlace }
        try played.validate()
        return played
    }
}
