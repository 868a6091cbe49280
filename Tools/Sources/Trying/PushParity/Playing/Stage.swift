/// Plays the steps of a scenario on both sides: all at once for a comparison, one by one for the lab.
///
/// Steps must not overlap. The main queue must not be blocked, because the legacy API calls back there.
package actor Stage {
    private let plays: [Side: Play]
    let isShared: Bool

    /// Sets up the servers, the stores and the clients.
    ///
    /// - Throws: ``ParityError`` and the errors of stores and clients that cannot be created.
    package init(
        _ settings: ScenarioSettings,
        in surroundings: Surroundings = Surroundings(),
        legacyWrapping: Wrapping = Wrapping(),
        asyncWrapping: Wrapping = Wrapping()
    ) async throws {
        let legacy: SideMaker = { try LegacySide(in: $0) }
        let async: SideMaker = { try await AsyncSide(in: $0) }
        isShared = settings.shared == true
        if isShared {
            let makers: [Side: SideMaker] = [.legacy: legacy, .async: async]
            let play = try await Play.start(
                settings,
                wrapping: legacyWrapping,
                in: surroundings,
                makers: makers
            )
            plays = [.legacy: play, .async: play]
        } else {
            let one = try await Play.start(
                settings,
                wrapping: legacyWrapping,
                in: surroundings,
                makers: [.legacy: legacy]
            )
            do {
                var settings = settings
                // Only the legacy API works on the legacy SDK's items.
                if settings.store == .inPlace { settings.store = .memory }
                let other = try await Play.start(
                    settings,
                    wrapping: asyncWrapping,
                    in: surroundings,
                    makers: [.async: async]
                )
                plays = [.legacy: one, .async: other]
            } catch {
                one.world.abandon()
                throw error
            }
        }
    }

    /// The events of one step on each side.
    package typealias Moments = (legacy: Moment, async: Moment)

    /// Plays a step on its side, or on both; on the legacy side if the sides share everything.
    ///
    /// - Throws: ``ParityError`` if the step is invalid, and the errors of a store that cannot be read.
    package func play(_ step: Step) async throws -> Moments {
        guard !isShared else {
            let side = step.side ?? .legacy
            let moment = try await play(side).moment(step, on: side)
            return side == .legacy ? (moment, moment.withoutEvents) : (moment.withoutEvents, moment)
        }
        return (try await moment(step, on: .legacy), try await moment(step, on: .async))
    }

    private func moment(_ step: Step, on side: Side) async throws -> Moment {
        let play = try play(side)
        guard step.side == nil || step.side == side else { return try await play.idle(step) }
        return try await play.moment(step, on: side)
    }

    func play(_ side: Side) throws -> Play {
        guard let play = plays[side] else {
            throw ParityError(code: .notPlayable, reason: "The stage has no side \(side.rawValue).")
        }
        return play
    }

    /// Plays all steps and ends.
    func timelines(
        of steps: [Step]
    ) async throws -> (legacy: Timeline, async: Timeline, items: [ItemDifference]) {
        do {
            var (legacy, async) = (Timeline(), Timeline())
            for step in steps {
                let moments = try await play(step)
                legacy.moments.append(moments.legacy)
                async.moments.append(moments.async)
            }
            let items = try await play(.legacy).itemDifferences()
            try end()
            return (legacy, async, items)
        } catch {
            abandon()
            throw error
        }
    }

    /// Ends the servers and removes the stores.
    package func end() throws {
        for world in worlds { try world.end() }
    }

    /// Ends after a failure; a further error of ending is ignored.
    package func abandon() {
        for world in worlds { world.abandon() }
    }

    private var worlds: [World] {
        Side.allCases.prefix(isShared ? 1 : 2).compactMap { plays[$0]?.world }
    }
}

extension Moment {
    /// The moment of a side that performs no step while the other one does.
    fileprivate var withoutEvents: Moment {
        Moment(
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
