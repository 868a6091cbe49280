import CredentialMigration
import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals
import PushParity

/// The state of the two phones, which the page shows and changes.
///
/// The state is a scenario that grows while it is played.
///
/// All windows show the same lab. The steps that they request are played one after another.
actor Lab {
    /// The settings, and the steps that have been played so far.
    private(set) var scenario: Scenario
    /// The events of each played step.
    private(set) var played: [PlayedStep] = []
    /// Whether the clock of both phones runs.
    private(set) var isClockRunning = false
    /// The number of changes that have been made so far.
    ///
    /// A window ignores a state with the same number as the state that it shows.
    private(set) var revision = 0
    private(set) var judge: Judge
    private(set) var legacyScreen: ScreenContents
    private(set) var asyncScreen: ScreenContents
    private var player: ScenarioPlayer
    private var last: ScenarioPlayer.StepRecords?
    /// The steps that were undone.
    ///
    /// The step that was undone last is at the end.
    private(set) var taken: [Step] = []
    private var turn: Task<Void, Never>?
    /// The number of unfinished requests from windows, including the request that is being executed.
    private var asked = 0
    private var clock: Task<Void, any Error>?
    private let windows: Windows
    private let stores: DroppedStores
    /// The address of this machine on which the lab and the server of the user's own app listen.
    private let address: String
    /// The user's own app; `nil` if no app takes part.
    private(set) var lane: Lane?
    private var laneWatch: Task<Void, any Error>?
    private let options: PlayOptions
    /// The receipts of migrations in the step that is being played.
    private let receipts: Lock<[MigrationReceipt]>

    /// Creates a lab, and plays a scenario in it.
    ///
    /// - Throws: ``ParityError`` if the scenario is invalid or cannot be played, and another error if the lab cannot
    ///   create its folder.
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
        var options = PlayOptions(folder: stores.folder)
        options.progress = { windows.show($0) }
        let receipts = Lock<[MigrationReceipt]>([])
        options.migrated = { receipt in receipts.withValue { $0.append(receipt) } }
        self.receipts = receipts
        self.options = options
        try stores.copy(from: scenario)
        player = try await ScenarioPlayer(scenario.settings, in: options)
        legacyScreen = try await player.screen(of: .legacy)
        asyncScreen = try await player.screen(of: .async)
        do {
            for step in scenario.steps { try await take(step) }
            try await look()
        } catch {
            await player.abandon()
            throw error
        }
    }

    /// The verdict on all steps that have been played so far.
    var verdict: ScenarioResult.Verdict { judge.verdict }

    // MARK: - Requests of windows

    /// Plays a step and adds it to the scenario.
    ///
    /// - Parameter write: Creates the step. The closure is called after all earlier requests, because the
    ///   step may need new names.
    /// - Throws: ``ParityError`` or ``LabError`` if the step cannot be added; the lab is then unchanged.
    ///   `SimulatorError` if the server of the user's own app cannot send a push; the step has then been added.
    func play(_ write: @escaping @Sendable (isolated Lab) throws -> Step) async throws {
        try await inTurn { lab in
            let step = try write(lab)
            try await lab.add(step)
            lab.taken = []
            defer { lab.notify() }
            if case .receive(let receive) = step.content { try lab.lane?.send(receive) }
        }
    }

    /// Undoes the last step.
    ///
    /// All other steps are played again on new phones and servers.
    func undo() async throws {
        try await inTurn { lab in
            guard let step = lab.scenario.steps.last else { throw LabError("There is no step to undo.") }
            var shorter = lab.scenario
            shorter.steps.removeLast()
            try await lab.restart(shorter)
            lab.taken.append(step)
            lab.notify()
        }
    }

    /// Plays again the step that was undone last.
    func redo() async throws {
        try await inTurn { lab in
            guard let step = lab.taken.last else { throw LabError("There is no step to redo.") }
            try await lab.add(step)
            lab.taken.removeLast()
            lab.notify()
        }
    }

    /// Replaces the current scenario, and plays the new one from the start.
    ///
    /// - Parameters:
    ///   - scenario: The new scenario.
    ///   - pause: The pause after each step, for people who watch. The pause is skipped if a window sends
    ///     another request.
    /// - Throws: ``ParityError`` if the scenario is invalid or cannot be played. The lab then has the previous
    ///   scenario.
    func load(_ scenario: Scenario, pause: Duration = .zero) async throws {
        try await playAgain(pause: pause) { $0 = scenario }
    }

    /// Plays the current steps again with other settings.
    func change(_ settings: ScenarioSettings) async throws {
        try await playAgain { $0.settings = settings }
    }

    /// Plays the current scenario again.
    func replay(pause: Duration) async throws { try await playAgain(pause: pause) }

    /// Changes the current scenario with `change`, and plays it from the start.
    ///
    /// The scenario is read after all earlier requests, because an earlier request may still add steps to it.
    private func playAgain(
        pause: Duration = .zero,
        _ change: @escaping @Sendable (inout Scenario) -> Void = { _ in }
    ) async throws {
        try await inTurn { lab in
            var scenario = lab.scenario
            change(&scenario)
            try await lab.restart(scenario, pause: pause)
            lab.taken = []
            lab.notify()
        }
    }

    /// Renames the scenario.
    func rename(_ name: String) {
        scenario.name = name
        notify()
    }

    /// Adds the user's own app in place of an earlier one; if `side` is `nil`, only removes the earlier app.
    ///
    /// - Parameter side: The API that the app uses.
    /// - Throws: `SimulatorError` if no port can be opened.
    func openLane(as side: APISide?) async throws {
        try await inTurn { lab in
            defer { lab.notify() }
            lab.laneWatch?.cancel()
            await lab.lane?.stop()
            lab.lane = nil
            guard let side else { return }
            let lane = try await Lane.start(as: side, lab.scenario.settings, on: lab.address)
            lab.lane = lane
            lab.laneWatch = Task { try await lab.watch(lane) }
        }
    }

    /// Sends the new state to windows whenever the user's own app has sent requests.
    private func watch(_ lane: Lane) async throws {
        var seen = 0
        while true {
            try await Task.sleep(for: .milliseconds(200))
            let count = lane.journal.count
            guard count != seen else { continue }
            seen = count
            notify()
        }
    }

    /// Saves a legacy store, and returns the expected outcomes of its records.
    ///
    /// - Throws: ``LabError`` if the data cannot be saved or read as a legacy store, or if there are too many stores.
    func plan(_ store: Data, named name: String) throws -> JSONValue {
        try stores.plan(try stores.keep(store, as: name)) { windows.show($0) }
    }

    /// Saves an example store, and returns the expected outcomes of its records.
    func plan(fixture name: String) throws -> JSONValue {
        guard let kept = try stores.keepFixture(name) else { throw LabError("There is no store \(name).") }
        return try stores.plan(kept) { windows.show($0) }
    }

    /// Sends the state again.
    ///
    /// Repeated sending keeps connections open, and lets the server find out which connections are closed.
    func repeatState() { windows.send(state.data) }

    /// Starts or stops the clock of both phones.
    func runClock(_ runs: Bool) {
        clock?.cancel()
        isClockRunning = runs
        clock = runs ? Task { try await self.tick() } : nil
        notify()
    }

    /// Returns a stream of the current state and all later states, as JSON.
    func states() -> AsyncStream<Data> {
        // Sending the state ends the connections of windows that were closed.
        repeatState()
        return windows.open(first: state.data)
    }

    /// Stops the servers and removes all stores, including dropped stores.
    func end() async {
        clock?.cancel()
        laneWatch?.cancel()
        await lane?.stop()
        windows.close()
        await player.abandon()
        stores.end()
    }

    // MARK: - Serial execution

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
            // One of the sides may have performed the step, so both sides are started again without the step.
            longer.steps.removeLast()
            try await begin(longer, pause: .zero)
            throw error
        }
    }

    private func take(_ step: Step) async throws {
        receipts.withValue { $0 = [] }
        let stepRecords = try await player.play(step)
        scenario.steps.append(step)
        record(stepRecords, as: scenario.steps.count)
        let sides = step.side.map { [$0] } ?? [.legacy, .async]
        played[scenario.steps.count - 1].receipts = Dictionary(
            zip(sides, receipts.withValue { $0 })
        ) { first, _ in first }
    }

    private func record(_ stepRecords: ScenarioPlayer.StepRecords, as number: Int) {
        judge.compares = scenario.isComparable
        let findings = judge.compare(stepRecords.legacy, stepRecords.async, step: number)
        let step = PlayedStep(number: number, stepRecords, after: last, findings: findings)
        if number <= played.count { played[number - 1].merge(step) } else { played.append(step) }
        last = stepRecords
    }

    private func look() async throws {
        legacyScreen = try await player.screen(of: .legacy)
        asyncScreen = try await player.screen(of: .async)
    }

    /// Starts a scenario from the beginning.
    ///
    /// If the scenario cannot be completed, plays the previous scenario again.
    private func restart(_ scenario: Scenario, pause: Duration = .zero) async throws {
        if !scenario.steps.isEmpty { try scenario.validate() }
        let before = self.scenario
        do {
            try await begin(scenario, pause: pause)
        } catch {
            try await begin(before, pause: .zero)
            notify()
            throw error
        }
    }

    private func begin(_ scenario: Scenario, pause: Duration) async throws {
        try stores.copy(from: scenario)
        let new = try await ScenarioPlayer(scenario.settings, in: options)
        await player.abandon()
        player = new
        self.scenario = Scenario(scenario.name, settings: scenario.settings, steps: [])
        played = []
        last = nil
        judge = Judge(settings: scenario.settings)
        for step in scenario.steps {
            try await take(step)
            guard pause > .zero, asked < 2 else { continue }
            try await look()
            notify()
            try await Task.sleep(for: pause)
        }
        try await look()
    }

    /// Advances the clock of both phones by one second, every second.
    ///
    /// Consecutive seconds form a single step. After any other step, a new step begins.
    private func tick() async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            try await inTurn(byItself: true) { lab in
                try await lab.passSecond()
                lab.notify()
            }
        }
    }

    private func passSecond() async throws {
        guard case .advance(let seconds)? = scenario.steps.last else { return try await add(.advance(0)) }
        let step = Step.advance(seconds + 1)
        let stepRecords = try await player.passSecond(as: step)
        scenario.steps[scenario.steps.count - 1] = step
        record(stepRecords, as: scenario.steps.count)
        try await look()
    }

    private func notify() {
        revision += 1
        windows.send(state.data)
    }
}

/// The reason why the lab rejects a request.
///
/// The reason is a sentence for the user.
struct LabError: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The open windows.
///
/// Each window has a stream of events, which contain states and progress.
///
/// A slow window gets only the latest eight events.
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

    /// Shows the number of records read or migrated, at most ten times a second.
    func show(_ progress: CredentialMigration.Progress) {
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
