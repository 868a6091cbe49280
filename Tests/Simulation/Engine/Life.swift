import PushBridgeTestSupport

/// What a life came to.
package struct LifeReport: Sendable {
    package let setup: Setup
    package let steps: [Step]
    package let complaint: Complaint?
    package let trace: [String]
    package let operations: Int
}

/// A life of a phone, made of a seed, or made again of its steps.
package enum Life {
    /// Makes a life, step by step, of what is possible.
    package static func run(seed: UInt64, isTraced: Bool = false, coverage: Coverage? = nil) -> LifeReport {
        var random = SeededGenerator(seed: seed)
        let setup = Setup(
            seed: seed,
            store: random.below(4) == 0 ? .keychain : .memory
        )
        let phone = Phone(setup)
        phone.gate.isTraced = isTraced
        var generator = Generator(random)
        var steps: [Step] = []
        while phone.complaints.isEmpty, let step = generator.next(phone) {
            steps.append(step)
            phone.perform(step)
        }
        coverage?.add(phone.gate.coverage)
        return report(phone, steps)
    }

    /// Makes a life again.
    package static func replay(_ setup: Setup, _ steps: [Step], isTraced: Bool = false) -> LifeReport {
        let phone = Phone(setup)
        phone.gate.isTraced = isTraced
        for step in steps where phone.complaints.isEmpty { phone.perform(step) }
        return report(phone, steps)
    }

    private static func report(_ phone: Phone, _ steps: [Step]) -> LifeReport {
        LifeReport(
            setup: phone.setup,
            steps: steps,
            complaint: phone.complaints.first,
            trace: phone.gate.trace,
            operations: phone.gate.operations
        )
    }
}

/// Makes steps.
struct Generator {
    private var random: SeededGenerator
    private var left: Int
    private var weights: [Int] = []
    private var isCalm = false
    private var dangers: (kill: Int, fault: Int)

    private static let choices = 17
    private static let statuses: [Int32] = [-25308, -25293, -50, -34018, -25291, -26275]

    init(_ random: SeededGenerator) {
        var random = random
        left = 8 + random.below(24)
        // Half of all that can happen is left out of a life, and the rest weighs what chance says.
        for _ in 0..<Self.choices {
            weights.append(random.below(2) == 0 ? 0 : 1 + random.below(8))
        }
        dangers = (random.below(2) * random.below(50), random.below(2) * random.below(30))
        self.random = random
    }

    mutating func next(_ phone: Phone) -> Step? {
        if left == 0 {
            guard !isCalm else { return nil }
            isCalm = true
            return Step(.calm)
        }
        left -= 1
        return Step(action(phone), disturbances())
    }

    private mutating func disturbances() -> [Disturbance] {
        var disturbances: [Disturbance] = []
        if random.below(100) < dangers.kill {
            disturbances.append(Disturbance(at: position(), what: random.below(2) == 0 ? .killBefore : .killAfter))
        }
        while random.below(100) < dangers.fault {
            let status = Self.statuses[random.below(Self.statuses.count)]
            disturbances.append(Disturbance(at: position(), what: .fault(status)))
        }
        return disturbances
    }

    /// The number of an operation: small ones are as likely as great ones.
    private mutating func position() -> Int { 1 + random.below(1 << (1 + random.below(8))) }

    private mutating func party() -> Party { Party.allCases[random.below(3)] }
    private mutating func ours() -> Party { random.below(3) == 0 ? .helper : .app }

    private mutating func slot() -> Slot {
        Slot(account: random.below(Slot.names.count), kind: random.below(2) == 0 ? .totp : .hotp)
    }

    private mutating func known(_ phone: Phone) -> Slot {
        let slots = phone.model.credentials.keys.sorted()
        return slots.isEmpty ? slot() : slots[random.below(slots.count)]
    }

    private mutating func action(_ phone: Phone) -> Step.Action {
        // There has to be something that can be lost.
        if phone.model.credentials.isEmpty || random.below(8) == 0 {
            let slot = slot()
            if phone.model.credentials[slot] == nil { return .enrol(random.below(2) == 0 ? .app : .previous, slot) }
        }
        let total = weights.reduce(0, +)
        guard total > 0 else { return .look(.app) }
        var choice = random.below(total)
        var index = 0
        while choice >= weights[index] {
            choice -= weights[index]
            index += 1
        }
        switch index {
        case 0: return .remove(party(), known(phone))
        case 1: return .removeAccount(party(), known(phone).account)
        case 2: return .code(party(), known(phone))
        case 3: return .start(ours())
        case 4: return .end(ours())
        case 5: return .move(ours())
        case 6: return .moveBack(.app)
        case 7: return .look(ours())
        case 8: return .mode(isAtOnce: random.below(2) == 0)
        case 9: return phone.keychain.isLocked ? .unlock : .lock
        case 10:
            let party = ours()
            return phone.keychain.blind.contains(party) ? .see(party) : .blind(party)
        case 11:
            return phone.keychain.groupless.contains(.helper) ? .showGroup(.helper) : .hideGroup(.helper)
        case 12: return .refuse(known(phone), Self.statuses[random.below(Self.statuses.count)])
        case 13: return .admit
        case 14: return .start(.helper)
        case 15: return .start(.app)
        default: return .look(.app)
        }
    }
}
