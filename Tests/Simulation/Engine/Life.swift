import PushBridgeTestSupport

/// The result of a simulated life.
package struct LifeReport: Sendable {
    package let setup: Setup
    package let steps: [Step]
    package let complaint: Complaint?
    package let trace: [String]
    package let operations: Int
}

/// A simulated life of a phone: a sequence of steps of the user, the servers, the app and the system.
///
/// The steps are either generated from a seed or repeated from an earlier life.
package enum Life {
    /// Generates a life step by step, from the actions that are possible at each step.
    /// - Parameters:
    ///   - seed: The seed, which determines the whole life.
    ///   - isTraced: Whether each operation is recorded.
    ///   - ignored: The kinds of complaint to ignore.
    ///   - coverage: Receives the counts of the life; `nil` discards the counts.
    ///   - rehearses: Whether processes rehearse and compare between the steps.
    /// - Returns: The steps, and the first complaint.
    package static func run(
        seed: UInt64,
        isTraced: Bool = false,
        ignoring ignored: Set<Complaint.Kind> = [],
        coverage: Coverage? = nil,
        rehearses: Bool = true
    ) -> LifeReport {
        var random = SeededGenerator(seed: seed)
        var setup = Setup(seed: seed, store: store(&random))
        if setup.store != .ownStorage {
            setup.isSealed = random.below(8) == 0
            setup.keepsEnrolments = random.below(8) == 0
            if random.below(8) == 0 {
                let others: [Setup.StoreKind] = [.memory, .keychain, .sqlite].filter { $0 != setup.store }
                setup.later = others[random.below(2)]
            }
        }
        if !seed.isMultiple(of: 2) { setup.isWatched = true }
        let phone = Phone(setup)
        phone.gate.isTraced = isTraced
        var generator = Generator(random, phone.setup)
        var rehearsals = Rehearsals(seed: seed)
        var steps: [Step] = []
        func perform(_ step: Step) {
            steps.append(step)
            phone.perform(step)
            phone.complaints.removeAll { ignored.contains($0.kind) }
        }
        while phone.complaints.isEmpty, let step = generator.next(phone) {
            if rehearses, let rehearsal = rehearsals.next(phone) { perform(rehearsal) }
            if phone.complaints.isEmpty { perform(step) }
        }
        coverage?.add(phone.gate.coverage)
        return report(phone, steps)
    }

    /// Repeats the steps of an earlier life.
    package static func replay(
        _ setup: Setup,
        _ steps: [Step],
        isTraced: Bool = false,
        ignoring ignored: Set<Complaint.Kind> = []
    ) -> LifeReport {
        let phone = Phone(setup)
        phone.gate.isTraced = isTraced
        for step in steps where phone.complaints.isEmpty {
            phone.perform(step)
            phone.complaints.removeAll { ignored.contains($0.kind) }
        }
        return report(phone, steps)
    }

    private static func store(_ random: inout SeededGenerator) -> Setup.StoreKind {
        switch random.below(32) {
        case 0: .sqlite
        case 1, 2: .ownStorage
        case 3..<10: .keychain
        default: .memory
        }
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

/// Generates rehearsals between the steps.
///
/// The rehearsals use a separate generator, so that rehearsals without interruptions do not change the steps.
private struct Rehearsals {
    private var random: SeededGenerator
    /// Whether rehearsals may be interrupted.
    ///
    /// An interruption can end the process, and then the later steps differ from those of the life without
    /// rehearsals.
    private let isDisturbed: Bool

    init(seed: UInt64) {
        random = SeededGenerator(seed: ~seed)
        isDisturbed = seed.isMultiple(of: 4)
    }

    mutating func next(_ phone: Phone) -> Step? {
        guard random.below(4) == 0 else { return nil }
        let party: Party = random.below(4) == 0 ? .helper : .app
        guard phone.isRunning(party) else { return nil }
        var step = Step(.rehearse(party))
        if isDisturbed, random.below(4) == 0 {
            let what: [Disturbance.What] = [.killBefore, .killAfter, .fault(-25308), .fault(-34018)]
            step.disturbances = [Disturbance(at: 1 + random.below(40), what: what[random.below(4)])]
        }
        return step
    }
}

/// Generates the steps of a life.
struct Generator {
    /// The kinds of event.
    private enum Choice: CaseIterable {
        case enrol, enrolBoth, remove, removeAccount, code, rename, removeName, look, push, receive, answer,
            scanAgain,
            setLock
        case async, successor
        case start, startHelper, end, release, followStore, returnToFirstStore, move, moveBack, migrateFile,
            copyItem, moveItems
        case lock, blind, hideGroup, refuse, refuseAccount, refuseStored, loseKey, admit, disk, restore, jump,
            policy
    }

    private var random: SeededGenerator
    private var left: Int
    private var weights: [(choice: Choice, weight: Int)] = []
    private var isCalm = false
    /// The percentage of actions for which the generator plans to kill the process.
    private var kills = 0
    private var faults = 0
    private var meanwhiles = 0
    private var halfMoves = 0
    /// Whether the life prefers events that occur while the records are in two places.
    ///
    /// Without this preference, few events occur while the records are in two places.
    private let isHalfway: Bool
    /// The parties whose processes run in this life.
    private var parties: [Party] = [.app]
    private let kinds: [Slot.Kind]
    private let usesAsync: Bool
    /// The next action; `nil` if the generator still has to choose it.
    private var followUp: Step.Action?

    private static let statuses: [Int32] = [-25308, -25293, -50, -34018, -25291, -26275]

    init(_ random: SeededGenerator, _ setup: Setup) {
        var random = random
        left = 8 + random.below(28)
        isHalfway = setup.store != .ownStorage && random.below(4) == 0
        // Unless `isHalfway` is true, a life omits about half of the kinds of event. The other kinds have random
        // weights. A kind is also omitted if the life's setup makes it impossible.
        let impossible: Set<Choice> =
            setup.store == .ownStorage
            ? [
                .async, .release, .move, .moveBack, .migrateFile, .copyItem, .moveItems, .lock, .blind,
                .hideGroup, .refuse,
                .refuseAccount, .admit,
            ]
            : []
        for choice in Choice.allCases {
            let isOmitted = random.below(2) == 0 && !isHalfway
            let weight = isOmitted ? 0 : 1 + random.below(8)
            let isPossible =
                switch choice {
                case .loseKey: setup.isSealed == true
                case .refuseStored, .successor: setup.store == .keychain || setup.later == .keychain
                case .followStore, .returnToFirstStore: setup.later != nil
                default: !impossible.contains(choice)
                }
            if weight > 0, isPossible { weights.append((choice, weight)) }
        }
        if random.below(2) == 0 { kills = 1 + random.below(50) }
        if random.below(2) == 0 { faults = 1 + random.below(30) }
        if random.below(2) == 0 { halfMoves = 1 + random.below(80) }
        if random.below(2) == 0 { parties.append(.helper) }
        if random.below(2) == 0, setup.store != .ownStorage { parties.append(.previous) }
        if random.below(2) == 0, parties.contains(.helper) { meanwhiles = 1 + random.below(50) }
        if isHalfway {
            if !parties.contains(.helper) { parties.append(.helper) }
            (halfMoves, meanwhiles) = (100, max(meanwhiles, 25))
        }
        let kinds: [[Slot.Kind]] = [[.totp], [.hotp], [.totp, .hotp], [.push], [.totp, .hotp, .push]]
        self.kinds = kinds[random.below(5)]
        usesAsync = weights.contains { $0.choice == .async }
        self.random = random
    }

    mutating func next(_ phone: Phone) -> Step? {
        if left == 0 {
            guard !isCalm else { return nil }
            isCalm = true
            return Step(.calm(Step.Ending.allCases[random.below(3)]))
        }
        left -= 1
        let action = takeFollowUp() ?? asyncAction(phone) ?? halfMove(phone) ?? rare(phone) ?? action(phone)
        var step = Step(action, disturbances())
        switch action {
        case .move, .moveBack:
            // While a move is unfinished, more orders of events are possible than at other times, so many moves are
            // interrupted.
            if random.below(100) < halfMoves {
                let what: Disturbance.What = random.below(2) == 0 ? .killBefore : .killAfter
                step.disturbances = [Disturbance(at: 8 + random.below(120), what: what)]
            } else if case .moveBack = action, random.below(4) == 0 {
                step.disturbances.append(Disturbance(at: position(), what: .losesWrite))
            }
        case .removeAccount where kills > 0:
            // Only a few operations of a removal change items, so the process is killed at an early operation.
            let what: Disturbance.What = random.below(2) == 0 ? .killBefore : .killAfter
            step.disturbances = [Disturbance(at: 8 + random.below(24), what: what)]
            // Many later steps would hide the credentials that an interrupted removal left, so only a few steps
            // follow.
            left = min(left, random.below(6))
            if parties.contains(.previous), random.below(2) == 0,
                case .removeAccount(_, let account) = action, account != Slot.ofFile
            {
                // The previous release may enrol a credential before the next start completes the removal.
                let slots = phone.model.credentials.keys.filter { $0.account == account }.sorted()
                followUp = pick(slots).map { .enrol(.previous, $0) }
                left = max(left, 1)
            }
        default: break
        }
        if action.ours != nil, random.below(20) == 0 {
            step.disturbances.append(Disturbance(at: position(), what: .seesFrom))
        }
        if action.ours != nil, phone.itemKey != nil, random.below(12) == 0 {
            let count = [1, 2, 3, 12, 60][random.below(5)]
            step.disturbances.append(Disturbance(at: position(), what: .keyFails(count)))
        }
        // Few lives contain an answer to a push. So the other process, if there is one, often answers the same push at
        // the same time.
        let isAnswer = if case .answer = action { parties.contains(.helper) } else { false }
        if random.below(100) < (isAnswer ? max(meanwhiles, 50) : meanwhiles), let ours = action.ours {
            let other: Party = ours == .app ? .helper : .app
            for _ in 0..<4 {
                let meanwhile =
                    rival(of: action, by: other) ?? rare(phone, by: other) ?? self.action(phone, by: other)
                guard meanwhile.ours == other else { continue }
                // An answer consists of few operations, so the slices are short.
                let slices = (0..<(1 + random.below(6))).map { _ in
                    isAnswer ? 1 + random.below(16) : position()
                }
                step.meanwhile = Step.Meanwhile(
                    action: meanwhile,
                    disturbances: disturbances(),
                    slices: slices
                )
                break
            }
        }
        return step
    }

    /// If the life uses the async API, returns an action with it in about a quarter of the steps after a move.
    ///
    /// Most lives have few steps after the move.
    private mutating func asyncAction(_ phone: Phone) -> Step.Action? {
        guard usesAsync, phone.placing == .moved, random.below(4) == 0 else { return nil }
        return action(.async, phone, .app, ours())
    }

    private mutating func takeFollowUp() -> Step.Action? {
        defer { followUp = nil }
        return followUp
    }

    /// If `isHalfway` is true, often returns a move, a move back, or a push before a move back; the generator then
    /// interrupts the move.
    private mutating func halfMove(_ phone: Phone) -> Step.Action? {
        guard isHalfway, phone.placing == .inPlace || phone.placing == .moved, random.below(2) == 0 else {
            return nil
        }
        guard phone.placing == .moved else { return .move(.app) }
        // In most lives, the phone has no push when the records move back. So a push is often sent before the move
        // back.
        if phone.model.messages.isEmpty, random.below(2) == 0, let slot = known(phone, .push) {
            return .push(slot)
        }
        return .moveBack(.app, starts: false)
    }

    /// Returns an action of the other process that competes with `action`; `nil` if there is none.
    ///
    /// If `action` answers a push, the other process answers the same push. In half of the cases in which `action`
    /// makes a one-time password or removes a credential, the other process makes a one-time password with the same
    /// credential.
    private mutating func rival(of action: Step.Action, by other: Party) -> Step.Action? {
        if case .answer(_, let message, let approves) = action {
            return .answer(other, message: message, approves: !approves)
        }
        guard random.below(2) == 0 else { return nil }
        return switch action {
        case .code(_, let slot): .code(other, slot)
        case .remove(_, let slot): .code(other, slot)
        default: nil
        }
    }

    /// Returns an action that random choice would rarely produce during an interrupted move back; `nil` leaves the
    /// choice to chance.
    private mutating func rare(_ phone: Phone) -> Step.Action? {
        guard isHalfway, phone.placing == .movingBack, random.below(4) == 0 else { return nil }
        let choice: Choice = phone.isFollowing ? .returnToFirstStore : pick([.enrolBoth, .push]) ?? .push
        return action(choice, phone, .app, ours())
    }

    /// Returns an action of the process `other` that random choice would rarely produce during an interrupted move
    /// back; `nil` leaves the choice to chance.
    private mutating func rare(_ phone: Phone, by other: Party) -> Step.Action? {
        guard isHalfway, phone.placing == .movingBack, random.below(2) == 0 else { return nil }
        switch random.below(8) {
        case 0: return .migrateFile(other)
        case 1: return action(.scanAgain, phone, other, other)
        default:
            guard !phone.model.messages.isEmpty else { return action(.enrolBoth, phone, other, other) }
            return .receive(other, message: random.below(phone.model.messages.count))
        }
    }

    private mutating func disturbances() -> [Disturbance] {
        var disturbances: [Disturbance] = []
        if random.below(100) < kills {
            let what: Disturbance.What = random.below(2) == 0 ? .killBefore : .killAfter
            disturbances.append(Disturbance(at: position(), what: what))
        }
        while random.below(100) < faults {
            let status = Self.statuses[random.below(Self.statuses.count)]
            disturbances.append(Disturbance(at: position(), what: .fault(status)))
        }
        return disturbances
    }

    /// Returns the number of a random operation; small numbers are more likely than large ones.
    private mutating func position() -> Int { 1 + random.below(1 << (1 + random.below(7))) }

    private mutating func pick<Value>(_ values: [Value]) -> Value? {
        values.isEmpty ? nil : values[random.below(values.count)]
    }

    private mutating func ours() -> Party {
        parties.contains(.helper) && random.below(3) == 0 ? .helper : .app
    }

    private mutating func slot() -> Slot {
        Slot(account: random.below(Slot.accounts), kind: pick(kinds) ?? .totp)
    }

    private mutating func known(_ phone: Phone, _ kind: Slot.Kind? = nil) -> Slot? {
        pick(phone.model.credentials.keys.filter { kind == nil || $0.kind == kind }.sorted())
    }

    /// Returns an action that is possible now.
    ///
    /// If `party` is set, this party performs the action, unless only the app or no process can perform it.
    private mutating func action(_ phone: Phone, by party: Party? = nil) -> Step.Action {
        let who = party ?? pick(parties) ?? .app
        // A phone without credentials has nothing to lose, so a credential is enrolled first.
        if phone.model.credentials.isEmpty || random.below(10) == 0 {
            let slot = slot()
            if phone.model.credentials[slot] == nil, !phone.keychain.groupless.contains(who) {
                return .enrol(who, slot)
            }
        }
        let total = weights.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return .look(party ?? .app) }
        var number = random.below(total)
        for (choice, weight) in weights {
            number -= weight
            guard number < 0 else { continue }
            return action(choice, phone, who, party ?? ours()) ?? .look(party ?? ours())
        }
        return .look(party ?? .app)
    }

    private mutating func action(
        _ choice: Choice,
        _ phone: Phone,
        _ who: Party,
        _ ours: Party
    ) -> Step.Action? {
        let keychain = phone.keychain
        switch choice {
        case .enrol:
            let slot = slot()
            // An extension that lacks the app's group would enrol a credential that no other process sees.
            guard phone.model.credentials[slot] == nil, !keychain.groupless.contains(who) else { return nil }
            return .enrol(who, slot)
        case .enrolBoth:
            let account = random.below(Slot.accounts)
            let slots = [Slot.Kind.push, .totp].map { Slot(account: account, kind: $0) }
            guard kinds.contains(.push), slots.allSatisfy({ phone.model.credentials[$0] == nil }),
                !keychain.groupless.contains(ours)
            else { return nil }
            return .enrolBoth(ours, account)
        case .remove: return known(phone).map { .remove(who, $0) }
        case .removeAccount:
            // An account with several credentials is preferred, because its removal can be interrupted
            // between two credentials.
            let slots = phone.model.credentials.keys
            let several = slots.filter { one in slots.count { $0.account == one.account } > 1 }.sorted()
            return (pick(several) ?? known(phone)).map { .removeAccount(who, $0.account) }
        case .code: return known(phone, .hotp).map { .code(who, $0) }
        case .rename: return known(phone).map { .rename(who, $0.account) }
        case .removeName: return known(phone).map { .removeName(who, $0.account) }
        case .look: return .look(who)
        case .scanAgain:
            return keychain.groupless.contains(who)
                ? nil : pick(phone.codes.keys.sorted()).map { .scanAgain(who, $0) }
        case .setLock:
            let accounts = phone.model.accounts.filter { !$0.value.hasPolicy }.keys.sorted()
            return pick(accounts).map { .setLock(who, $0, isLocked: random.below(4) > 0) }
        case .push: return known(phone, .push).map { .push($0) }
        case .receive:
            return phone.model.messages.isEmpty
                ? known(phone, .push).map { .push($0) }
                : .receive(ours, message: random.below(phone.model.messages.count))
        case .answer:
            guard !phone.model.messages.isEmpty else { return known(phone, .push).map { .push($0) } }
            let message = random.below(phone.model.messages.count)
            return .answer(ours, message: message, approves: random.below(2) == 0)
        case .async:
            guard phone.mayUseAsync else { return nil }
            switch random.below(4) {
            case 0: return known(phone).map { .removeAsync(ours, $0) }
            case 1: return known(phone, .hotp).map { .codeAsync(ours, $0) }
            default: break
            }
            guard !phone.model.messages.isEmpty else { return known(phone, .push).map { .push($0) } }
            let message = random.below(phone.model.messages.count)
            return .answerAsync(ours, message: message, approves: random.below(2) == 0)
        case .successor:
            guard phone.placing == .moved else { return nil }
            return known(phone).flatMap { slot in
                pick(Step.SuccessorChange.allCases).map { .changeAsSuccessor(slot, $0) }
            }
        case .start: return .start(.app)
        case .startHelper: return .start(ours)
        case .end: return .end(ours)
        case .release: return pick(Step.Mode.allCases).map { .release($0) }
        case .followStore: return phone.isFollowing ? nil : .followStore
        case .returnToFirstStore: return phone.isFollowing ? .returnToFirstStore : nil
        case .move: return .move(ours)
        case .moveBack: return .moveBack(ours, starts: random.below(2) == 0)
        case .migrateFile:
            let slot = Slot(account: Slot.ofFile, kind: .totp)
            return phone.isFileMigrated || phone.model.credentials[slot] != nil ? nil : .migrateFile(.app)
        case .copyItem: return known(phone, .totp).map { .copyItem($0, isEqual: random.below(2) == 0) }
        case .moveItems: return known(phone).map { .moveItems($0.account) }
        case .lock: return keychain.isLocked ? .unlock : .lock
        case .blind: return keychain.blind.contains(ours) ? .see(ours) : .blind(ours)
        case .hideGroup:
            let party: Party = keychain.hasItemsInSharedGroup && random.below(2) == 0 ? .app : .helper
            return keychain.groupless.contains(party) ? .showGroup(party) : .hideGroup(party)
        case .refuse: return known(phone).flatMap { slot in pick(Self.statuses).map { .refuse(slot, $0) } }
        case .refuseAccount:
            return known(phone).flatMap { slot in
                pick(Self.statuses).map { .refuseAccount(slot.account, $0) }
            }
        case .refuseStored:
            guard !keychain.storedItems.isEmpty else { return nil }
            // The last status, which means that an item is undecryptable, is not used, because the simulation does not
            // support undecryptable items in the store.
            return .refuseStored(random.below(16), Self.statuses[random.below(5)])
        case .loseKey:
            guard !keychain.isKeyGone else { return nil }
            // Few lives lose the key during a move back or with a SQLite store. So a loss is always allowed there, and
            // elsewhere only in a quarter of the cases.
            let isRare = phone.placing == .movingBack || phone.setup.store == .sqlite
            return isRare || random.below(4) == 0 ? .loseKey : nil
        case .admit: return keychain.refusals.isEmpty ? nil : .admit
        case .disk: return phone.gate.isDiskFull ? .freeDisk : .fillDisk
        case .restore: return random.below(4) == 0 ? .restore(withKeychain: random.below(3) > 0) : nil
        case .jump: return .jump([-90_000, -400, -60, 60, 700, 90_000][random.below(6)])
        case .policy: return phone.model.complies ? .breakPolicy : .keepPolicy
        }
    }
}
