import CredentialMigration
import Foundation
import PingAMSimulator
@_spi(PushBridgeTools) import PushBridgeCore
import PushParity

/// One life of two phones, which the page shows and changes: a scenario that is written while it is played.
///
/// All windows show the same lab; what they ask for is done one after the other.
actor Lab {
    /// The scenario so far: its settings, and the steps that were played.
    private(set) var scenario: Scenario
    /// What happened in each step.
    private(set) var played: [PlayedStep] = []
    /// Whether the clock of both phones runs.
    private(set) var isClockRunning = false
    /// Counts changes; windows know from it whether they show the latest state.
    private(set) var revision = 0
    private(set) var judge: Judge
    private(set) var legacyScene: Scene
    private(set) var asyncScene: Scene
    private var stage: Stage
    private var last: Stage.Moments?
    /// The steps that were undone, the last one last.
    private(set) var taken: [Step] = []
    private var turn: Task<Void, Never>?
    /// How many things that windows asked for are not done, with the one whose turn it is.
    private var asked = 0
    private var clock: Task<Void, any Error>?
    private let windows: Windows
    private let stores: DroppedStores
    /// The address that the lab, and the server of a third lane, listen on.
    private let address: String
    /// The person's own app, if it takes part.
    private(set) var lane: Lane?
    private var laneWatch: Task<Void, any Error>?
    private let surroundings: Surroundings
    /// The receipts of the step that is being played.
    private let receipts: Lock<[MigrationReceipt]>

    /// Sets up a lab, and plays a scenario in it.
    ///
    /// - Throws: ``ParityError`` if the scenario is invalid or cannot be played.
    init(_ scenario: Scenario, on address: String) async throws {
        self.address = address
        if !scenario.steps.isEmpty { try scenario.validate() }
        var empty = scenario
        empty.steps = []
        self.scenario = empty
        judge = Judge(settings: scenario.settings)
        let (windows, stores) = (Windows(), try DroppedStores())
        self.windows = windows
        self.stores = stores
        var surroundings = Surroundings(folder: stores.folder)
        surroundings.progress = { windows.show($0) }
        let receipts = Lock<[MigrationReceipt]>([])
        surroundings.migrated = { receipt in receipts.withValue { $0.append(receipt) } }
        self.receipts = receipts
        self.surroundings = surroundings
        try stores.copy(from: scenario)
        stage = try await Stage(scenario.settings, in: surroundings)
        legacyScene = try await stage.scene(of: .legacy)
        asyncScene = try await stage.scene(of: .async)
        do {
            for step in scenario.steps { try await take(step) }
            try await look()
        } catch {
            await stage.abandon()
            throw error
        }
    }

    /// The verdict on everything that was played.
    var verdict: ScenarioResult.Verdict { judge.verdict }

    // MARK: - What windows ask for

    /// Plays a step and adds it to the scenario.
    ///
    /// - Parameter write: Writes the step, once everything that was asked for before is done: it may draw names.
    /// - Throws: ``ParityError`` if the step is invalid, and ``LabError``; the lab is then as it was.
    func play(_ write: @escaping @Sendable (isolated Lab) throws -> Step) async throws {
        try await inTurn { lab in
            let step = try write(lab)
            try await lab.add(step)
            lab.taken = []
            defer { lab.tell() }
            if case .receive(let receive) = step.content { try lab.lane?.send(receive) }
        }
    }

    /// Takes the last step back: everything else is played again, in new worlds.
    func undo() async throws {
        try await inTurn { lab in
            guard let step = lab.scenario.steps.last else { throw LabError("There is no step to undo.") }
            var shorter = lab.scenario
            shorter.steps.removeLast()
            try await lab.restart(shorter)
            lab.taken.append(step)
            lab.tell()
        }
    }

    /// Plays the step again that was undone last.
    func redo() async throws {
        try await inTurn { lab in
            guard let step = lab.taken.last else { throw LabError("There is no step to redo.") }
            try await lab.add(step)
            lab.taken.removeLast()
            lab.tell()
        }
    }

    /// Plays a scenario from the start in place of the present one.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - pause: How long to wait after each step, for people who watch; no longer once they ask for something else.
    /// - Throws: ``ParityError`` if it cannot be played; the present one is then played again.
    func load(_ scenario: Scenario, pause: Duration = .zero) async throws {
        try await inTurn { lab in
            try await lab.restart(scenario, pause: pause)
            lab.taken = []
            lab.tell()
        }
    }

    /// Plays the present steps again with other settings.
    func change(_ settings: ScenarioSettings) async throws {
        var changed = scenario
        changed.settings = settings
        try await load(changed)
    }

    /// Plays the present scenario again.
    func replay(pause: Duration) async throws { try await load(scenario, pause: pause) }

    /// Names the scenario.
    func rename(_ name: String) {
        scenario.name = name
        tell()
    }

    /// Lets the person's own app take part, in place of one that did; `nil` ends that.
    ///
    /// - Parameter side: The API that the app is built with.
    /// - Throws: `SimulatorError` if no port can be opened.
    func openLane(as side: Side?) async throws {
        try await inTurn { lab in
            defer { lab.tell() }
            lab.laneWatch?.cancel()
            await lab.lane?.stop()
            lab.lane = nil
            guard let side else { return }
            let lane = try await Lane.start(as: side, lab.scenario.settings, on: lab.address)
            lab.lane = lane
            lab.laneWatch = Task { try await lab.watch(lane) }
        }
    }

    /// Informs windows about the app's own actions.
    private func watch(_ lane: Lane) async throws {
        var seen = 0
        while true {
            try await Task.sleep(for: .milliseconds(200))
            let count = lane.journal.count
            guard count != seen else { continue }
            seen = count
            tell()
        }
    }

    /// Keeps a legacy store, and returns the expected results for its records.
    ///
    /// - Throws: ``LabError`` if it is none.
    func plan(_ store: Data, named name: String) throws -> JSONValue {
        try stores.plan(try stores.keep(store, as: name)) { windows.show($0) }
    }

    /// Does the same with an example store.
    func plan(fixture name: String) throws -> JSONValue {
        guard let kept = try stores.keepFixture(name) else { throw LabError("There is no store \(name).") }
        return try stores.plan(kept) { windows.show($0) }
    }

    /// Tells windows that they are still connected, and the server which are not.
    func repeatState() { windows.send(state.data) }

    /// Lets the clock of both phones run, or stops it.
    func runClock(_ runs: Bool) {
        clock?.cancel()
        isClockRunning = runs
        clock = runs ? Task { try await self.tick() } : nil
        tell()
    }

    /// The states from now on, the present one first, as JSON.
    func states() -> AsyncStream<Data> {
        // Writing to windows that were closed ends their connections.
        repeatState()
        return windows.open(first: state.data)
    }

    /// Ends the servers and removes all stores, also those that were dropped.
    func end() async {
        clock?.cancel()
        laneWatch?.cancel()
        await lane?.stop()
        windows.close()
        await stage.abandon()
        stores.end()
    }

    // MARK: - One after the other

    private func inTurn(
        byItself: Bool = false,
        _ body: @escaping @Sendable (isolated Lab) async throws -> Void
    ) async throws {
        let before = turn
        if !byItself { asked += 1 }
        let task = Task {
            await before?.value
            defer { if !byItself { asked -= 1 } }
            try await body(self)
        }
        turn = Task { _ = await task.result }
        try await task.value
    }

    private func add(_ step: Step) async throws {
        var longer = scenario
        longer.steps.append(step)
        try longer.validate()
        do {
            try await take(step)
            try await look()
        } catch {
            // One side may have done its part.
            longer.steps.removeLast()
            try await begin(longer, pause: .zero)
            throw error
        }
    }

    private func take(_ step: Step) async throws {
        receipts.withValue { $0 = [] }
        let moments = try await stage.play(step)
        scenario.steps.append(step)
        record(moments, as: scenario.steps.count)
        let sides = step.side.map { [$0] } ?? [.legacy, .async]
        played[scenario.steps.count - 1].receipts = Dictionary(
            zip(sides, receipts.withValue { $0 })
        ) { first, _ in first }
    }

    private func record(_ moments: Stage.Moments, as number: Int) {
        judge.compares = scenario.isComparable
        let findings = judge.compare(moments.legacy, moments.async, step: number)
        let step = PlayedStep(number: number, moments, after: last, findings: findings)
        if number <= played.count { played[number - 1].merge(step) } else { played.append(step) }
        last = moments
    }

    private func look() async throws {
        legacyScene = try await stage.scene(of: .legacy)
        asyncScene = try await stage.scene(of: .async)
    }

    /// Begins again.
    ///
    /// If it cannot be played to the end, what was there before is played again.
    private func restart(_ scenario: Scenario, pause: Duration = .zero) async throws {
        if !scenario.steps.isEmpty { try scenario.validate() }
        let before = self.scenario
        do {
            try await begin(scenario, pause: pause)
        } catch {
            try await begin(before, pause: .zero)
            tell()
            throw error
        }
    }

    private func begin(_ scenario: Scenario, pause: Duration) async throws {
        try stores.copy(from: scenario)
        let new = try await Stage(scenario.settings, in: surroundings)
        await stage.abandon()
        stage = new
        self.scenario = Scenario(scenario.name, settings: scenario.settings, steps: [])
        played = []
        last = nil
        judge = Judge(settings: scenario.settings)
        for step in scenario.steps {
            try await take(step)
            guard pause > .zero, asked < 2 else { continue }
            try await look()
            tell()
            try await Task.sleep(for: pause)
        }
        try await look()
    }

    /// Every second is part of one step that lets time pass, as long as nothing else happens.
    private func tick() async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            try await inTurn(byItself: true) { lab in
                try await lab.passSecond()
                lab.tell()
            }
        }
    }

    private func passSecond() async throws {
        guard case .advance(let seconds)? = scenario.steps.last else { return try await add(.advance(0)) }
        let step = Step.advance(seconds + 1)
        let moments = try await stage.passSecond(as: step)
        scenario.steps[scenario.steps.count - 1] = step
        record(moments, as: scenario.steps.count)
        try await look()
    }

    private func tell() {
        revision += 1
        windows.send(state.data)
    }
}

/// Why the lab does not do what it is asked; one sentence for the person who clicked.
struct LabError: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The windows that are open, each with a stream of states; a slow one gets the latest only.
final class Windows: Sendable {
    private let continuations = Lock<[UUID: AsyncStream<Data>.Continuation]>([:])
    private let nextProgress = Lock(ContinuousClock.now)

    func open(first: Data) -> AsyncStream<Data> {
        let id = UUID()
        let (stream, continuation) = AsyncStream.makeStream(
            of: Data.self,
            bufferingPolicy: .bufferingNewest(8)
        )
        continuation.onTermination = { [weak self] _ in
            self?.continuations.withValue { $0[id] = nil }
        }
        continuation.yield(Self.event(first))
        continuations.withValue { $0[id] = continuation }
        return stream
    }

    func send(_ state: Data) { sendEvent(Self.event(state)) }

    /// Shows how many records of a store were read or migrated; ten times a second at most.
    func show(_ progress: MigrationProgress) {
        let isDue = nextProgress.withValue { next in
            guard ContinuousClock.now >= next else { return false }
            next = ContinuousClock.now + .milliseconds(100)
            return true
        }
        guard isDue else { return }
        let value: JSONValue = [
            "completed": .integer(progress.completed),
            "total": progress.total.map(JSONValue.integer) ?? .null,
        ]
        sendEvent(Data("event: progress\ndata: ".utf8) + value.data + Data("\n\n".utf8))
    }

    private static func event(_ state: Data) -> Data { Data("data: ".utf8) + state + Data("\n\n".utf8) }

    private func sendEvent(_ event: Data) {
        for continuation in continuations.withValue({ Array($0.values) }) { continuation.yield(event) }
    }

    func close() {
        for continuation in continuations.withValue({ Array($0.values) }) { continuation.finish() }
    }
}
