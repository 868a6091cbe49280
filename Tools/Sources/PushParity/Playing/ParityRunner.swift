/// Plays scenarios on both APIs and compares what happened.
///
/// Each side has a simulated server, a store and a device of its own, equal to those of the other; time passes only
/// when the scenario says so.
public struct ParityRunner: Sendable {
    private let register: [Divergence]
    private let makeLegacySide: SideMaker
    private let makeAsyncSide: SideMaker
    private let legacyWrapping: Wrapping
    private let asyncWrapping: Wrapping

    /// Creates a runner that knows the register of divergences.
    public init() {
        self.init(legacyWrapping: Wrapping(), asyncWrapping: Wrapping())
    }

    package init(
        legacy: @escaping SideMaker = LegacySide.make,
        async: @escaping SideMaker = AsyncSide.make,
        legacyWrapping: Wrapping = Wrapping(),
        asyncWrapping: Wrapping = Wrapping()
    ) {
        register = Divergence.register
        makeLegacySide = legacy
        makeAsyncSide = async
        self.legacyWrapping = legacyWrapping
        self.asyncWrapping = asyncWrapping
    }

    /// Plays a scenario, first on the legacy API and then on the new one.
    ///
    /// Throws ``ParityError`` if it cannot be played; whatever the APIs do is a result. The main queue has to be
    /// served meanwhile, because the legacy API calls back there.
    public func run(_ scenario: Scenario) async throws -> ScenarioResult {
        do {
            try scenario.validate()
            return ScenarioResult(
                scenario,
                legacy: try await Play.timeline(
                    of: scenario,
                    wrapping: legacyWrapping,
                    makeSide: makeLegacySide
                ),
                async: try await Play.timeline(
                    of: scenario,
                    wrapping: asyncWrapping,
                    makeSide: makeAsyncSide
                ),
                register: register
            )
        } catch let error as ParityError {
            throw ParityError(code: error.code, reason: "\(scenario.name): \(error.reason)")
        } catch {
            throw ParityError(code: .notPlayable, reason: "\(scenario.name) cannot be played: \(error)")
        }
    }
}
