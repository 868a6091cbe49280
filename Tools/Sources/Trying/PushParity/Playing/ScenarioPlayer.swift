/// Plays the steps of a scenario on both sides.
///
/// For a comparison, it plays all steps; for the lab, it plays one step at a time.
///
/// Two steps must not be played at the same time. The main queue must not be blocked, because the legacy API calls
/// back on this queue.
package actor ScenarioPlayer {
    private let players: [APISide: StepPlayer]
    let isShared: Bool

    /// Creates the servers, the stores and the clients.
    ///
    /// - Throws: ``ParityError``, and the errors of stores and clients that cannot be created.
    package init(
        _ settings: ScenarioSettings,
        in options: PlayOptions = PlayOptions(),
        legacyChanges: SideChanges = SideChanges(),
        asyncChanges: SideChanges = SideChanges()
    ) async throws {
        let legacy: SideMaker = { try LegacySide(in: $0) }
        let async: SideMaker = { try await AsyncSide(in: $0) }
        isShared = settings.shared == true
        if isShared {
            let makers: [APISide: SideMaker] = [.legacy: legacy, .async: async]
            let player = try await StepPlayer.start(
                settings,
                changes: legacyChanges,
                in: options,
                makers: makers
            )
            players = [.legacy: player, .async: player]
        } else {
            let one = try await StepPlayer.start(
                settings,
                changes: legacyChanges,
                in: options,
                makers: [.legacy: legacy]
            )
            do {
                var settings = settings
                // Only the legacy API works on the legacy SDK's items, so the async side gets a store in
                // memory.
                if settings.store == .inPlace { settings.store = .memory }
                let other = try await StepPlayer.start(
                    settings,
                    changes: asyncChanges,
                    in: options,
                    makers: [.async: async]
                )
                players = [.legacy: one, .async: other]
            } catch {
                one.environment.abandon()
                throw error
            }
        }
    }

    /// The events of one step on each side.
    package typealias StepRecords = (legacy: StepRecord, async: StepRecord)

    /// Plays a step on its side or on both sides.
    ///
    /// If the sides share everything, a step that names no side is played on the legacy side.
    ///
    /// - Throws: ``ParityError`` if the step is invalid, and the errors of a store that cannot be read.
    package func play(_ step: Step) async throws -> StepRecords {
        guard !isShared else {
            let side = step.side ?? .legacy
            let stepRecord = try await player(of: side).stepRecord(step, on: side)
            return side == .legacy
                ? (stepRecord, stepRecord.withoutEvents) : (stepRecord.withoutEvents, stepRecord)
        }
        return (try await stepRecord(step, on: .legacy), try await stepRecord(step, on: .async))
    }

    private func stepRecord(_ step: Step, on side: APISide) async throws -> StepRecord {
        let player = try player(of: side)
        guard step.side == nil || step.side == side else { return try await player.idle(step) }
        return try await player.stepRecord(step, on: side)
    }

    func player(of side: APISide) throws -> StepPlayer {
        guard let player = players[side] else {
            throw ParityError(code: .notPlayable, reason: "The player has no side \(side.rawValue).")
        }
        return player
    }

    /// Plays all steps, and then stops the servers and removes the stores.
    func timelines(
        of steps: [Step]
    ) async throws -> (legacy: Timeline, async: Timeline, items: [ItemDifference]) {
        do {
            var (legacy, async) = (Timeline(), Timeline())
            for step in steps {
                let stepRecords = try await play(step)
                legacy.stepRecords.append(stepRecords.legacy)
                async.stepRecords.append(stepRecords.async)
            }
            let items = try await player(of: .legacy).itemDifferences()
            try end()
            return (legacy, async, items)
        } catch {
            abandon()
            throw error
        }
    }

    /// Stops the servers and removes the stores.
    package func end() throws {
        for environment in worlds { try environment.end() }
    }

    /// Stops the servers and removes the stores after a failure.
    ///
    /// Further errors are ignored.
    package func abandon() {
        for environment in worlds { environment.abandon() }
    }

    private var worlds: [SideEnvironment] {
        APISide.allCases.prefix(isShared ? 1 : 2).compactMap { players[$0]?.environment }
    }
}

extension StepRecord {
    /// The record of a side that performs no step while the other side performs one.
    fileprivate var withoutEvents: StepRecord {
        StepRecord(
            step: step,
            calls: [],
            requests: [],
            timeouts: [],
            store: store,
            server: server,
            isDeviceLocked: isDeviceLocked
        )
    }
}
