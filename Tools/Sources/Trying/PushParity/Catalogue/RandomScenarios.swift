@_spi(PushBridgeTools) import PingAMSimulator
import PushBridgeCore

/// Generates random scenarios.
///
/// The same seed always generates the same scenarios.
public struct RandomScenarios: Sequence, IteratorProtocol, Sendable {
    private let seed: UInt64
    private let count: Int
    private var made = 0

    /// Creates a sequence of `count` scenarios.
    ///
    /// Each scenario is generated when the iteration reaches it.
    public init(count: Int, seed: UInt64) {
        self.count = count
        self.seed = seed
    }

    /// Generates the next scenario; returns `nil` after `count` scenarios.
    public mutating func next() -> Scenario? {
        guard made < count else { return nil }
        made += 1
        var author = ScenarioAuthor(seed: seed &+ UInt64(made) &* 0x9E37_79B9)
        return author.scenario(named: "Random \(seed).\(made)")
    }
}

/// Generates one scenario.
///
/// Most enrolments and pushes succeed. Otherwise, many later steps would be skipped, because the credential or push
/// that they name would be missing.
private struct ScenarioAuthor {
    private var chance: Chance
    private var credentials: [String] = []
    private var pushes: [String] = []
    /// The deleted pushes, which scenarios do not answer.
    ///
    /// Only the legacy API answers a deleted push, so all later steps would differ.
    private var deleted: Set<String> = []
    /// The credentials that scenarios may lock, because their accounts have policies.
    ///
    /// For all other credentials, only the async API would save a lock.
    private var lockable: [String] = []
    private var token = ""
    private var evaluatesPolicies = false
    /// Whether the device complies with all policies.
    ///
    /// If the device does not comply, the async API rejects registration codes that the legacy API accepts.
    private var isSound = true

    init(seed: UInt64) {
        chance = Chance(seed: seed)
    }

    mutating func scenario(named name: String) -> Scenario {
        var settings = ScenarioSettings()
        settings.seed = chance.next()
        settings.store = one(in: 6) ? .sqlite : .memory
        settings.addresses = pick(ScenarioSettings.Addresses.allCases)
        settings.nodes = pick(ScenarioSettings.Nodes.allCases)
        evaluatesPolicies = one(in: 3)
        settings.policies = evaluatesPolicies ? true : nil
        var steps: [Step] = one(in: 20) ? [] : [.token(anyToken())]
        steps.append(enrolment())
        for _ in 0..<Int.random(in: 4...14, using: &chance) { steps += moreSteps() }
        steps += [.list(.credentials), .list(.notifications)]
        return Scenario(name, settings: settings, steps: steps)
    }

    /// Returns one step, or a step and a list of the credentials.
    ///
    /// The list follows a step that may lock or unlock accounts, because both APIs update the locks when an app lists
    /// accounts. Otherwise, only the async API would unlock an account when a push is answered, and all later steps
    /// would differ.
    private mutating func moreSteps() -> [Step] {
        let step = step()
        return [.device, .lock, .unlock].contains(step.verb) ? [step, .list(.credentials)] : [step]
    }

    private mutating func step() -> Step {
        switch Int.random(in: 0..<30, using: &chance) {
        case 0..<7: push()
        case 7..<15: answer()
        case 15..<17: enrolment()
        case 17..<19: fault()
        case 19..<21: one(in: 3) ? .token(otherToken(), .text) : .token(anyToken())
        case 21: account()
        case 22: .advance(pick([0.5, 1, 60, 121, 3600]))
        case 23: device()
        case 24: pushes.isEmpty ? .readToken : .receiveAgain(pick(pushes))
        case 25: deletion()
        case 26: .list(pick(Step.List.allCases))
        case 27: .restart
        case 28: one(in: 3) ? .forget(pick(credentials)) : .rename(pick(credentials), issuer: "Mine")
        default: migration()
        }
    }

    private mutating func enrolment() -> Step {
        let name = "c\(credentials.count + 1)"
        let known = credentials
        credentials.append(name)
        var enrol = Step.Enrol(credential: name)
        enrol.policies =
            isSound && one(in: 3) ? #"{"biometricAvailable":{},"deviceTampering":{"score":0.5}}"# : nil
        enrol.userId = one(in: 2) ? "user-\(name)" : nil
        enrol.standardBase64 = one(in: 3) ? true : nil
        let isAgain = isSound && one(in: 6)
        enrol.again = isAgain ? known.last : nil
        enrol.realm = one(in: 3) ? "/" : nil
        if enrol.policies != nil, !isAgain { lockable.append(name) }
        return .enrol(enrol)
    }

    private mutating func device() -> Step {
        let (biometrics, tampering) = (one(in: 2), pick([0, 0.5, 1]))
        isSound = biometrics && tampering < 0.5
        return .device(biometrics: biometrics, tampering: tampering)
    }

    private mutating func push() -> Step {
        let name = "p\(pushes.count + 1)"
        pushes.append(name)
        let type = pick(PushType.allCases)
        var receive = Step.Receive(push: name, credential: "")
        receive.type = type.rawValue
        receive.numbers = type == .challenge ? "34,43,57" : nil
        receive.isForged = one(in: 15) ? true : nil
        receive.claims = one(in: 4) ? ["d": "user"] : nil
        receive.ttl = one(in: 4) ? 30 : nil
        receive.credential = pick(credentials)
        return .receive(receive)
    }

    private mutating func answer() -> Step {
        let shown = pushes.suffix(3).filter { !deleted.contains($0) }
        guard !shown.isEmpty else { return push() }
        let kind = pick(Step.AnswerKind.allCases)
        let meanwhile = one(in: 6) ? pick(Step.AnswerKind.allCases) : nil
        return .answer(pick(shown), kind, number: pick(["34", "43"]), meanwhile: meanwhile)
    }

    private mutating func deletion() -> Step {
        guard !pushes.isEmpty else { return .list(.pending) }
        let name = pick(pushes)
        deleted.insert(name)
        return .deleteNotification(name)
    }

    private mutating func fault() -> Step {
        // A phone sends its token to its servers in any order. A fault of a token update must therefore name
        // the credential whose update fails.
        let action = pick([PushRequest.Action.register, .authenticate, .refresh])
        let credential = action == .refresh ? pick(credentials) : nil
        return .fault(
            pick(Step.FaultOrder.Kind.allCases),
            times: pick([1, 1, 2]),
            action: action.rawValue,
            credential: credential
        )
    }

    private mutating func account() -> Step {
        let name = pick(credentials)
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: return .deleteCredential(name)
        case 1: return .deleteAccount(name)
        // The policy must be known, because only the async API stores the lock of an unknown policy.
        case 2 where evaluatesPolicies && !lockable.isEmpty:
            return .lock(pick(lockable), policy: "biometricAvailable")
        case 2: return .rename(name, account: "Me")
        default: return evaluatesPolicies ? .unlock(name) : .rename(name, issuer: "Bank", account: "You")
        }
    }

    private mutating func migration() -> Step {
        let name = "m\(credentials.count + 1)"
        credentials.append(name)
        let isStandard = one(in: 2)
        return .migrate(name) { $0.standardBase64 = isStandard ? true : nil }
    }

    private mutating func anyToken() -> String {
        token = pick(Self.tokens)
        return token
    }

    /// Returns a token that differs from the previous token.
    ///
    /// If a scenario set the same token again, the legacy API would send it to all servers, and the async API
    /// would send it to no server.
    private mutating func otherToken() -> String {
        token = pick(Self.tokens.filter { $0 != token })
        return token
    }

    private static let tokens = ["0a1b2c", "ff00", "ee11dd22"]

    private mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &chance) == 0 }

    private mutating func pick<Element>(_ elements: some Collection<Element>) -> Element {
        let offset = Int.random(in: 0..<elements.count, using: &chance)
        return elements[elements.index(elements.startIndex, offsetBy: offset)]
    }
}
