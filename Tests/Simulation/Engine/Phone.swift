import CredentialMigration
import Crypto
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

/// Where the records are, as one sees from outside.
package enum PlacingState: String, CaseIterable, Sendable {
    case inPlace = "in place"
    case moving
    case moved
    case movingBack = "moving back"
}

/// What decides a life beside its steps.
package struct Setup: Codable, Equatable, Sendable {
    /// The store that the records move into, or are in from the beginning.
    package enum StoreKind: String, Codable, CaseIterable, Sendable {
        case memory, keychain, sqlite, ownStorage
    }

    package var seed: UInt64
    package var store: StoreKind
    /// Whether the legacy items are sealed with a key of the Secure Enclave; `nil` as `false`.
    package var isSealed: Bool?
    /// The store that a later release of the app moves the first one into; `nil` if there is none.
    package var later: StoreKind?
    /// Whether the app keeps enrolments that its store failed to save; `nil` as `false`.
    package var keepsEnrolments: Bool?
}

/// A phone with its records, and the processes that run on it.
package final class Phone: @unchecked Sendable {
    // Only the holder of the baton touches it.
    package let setup: Setup
    package let gate = Gate()
    package let keychain = KeychainContents()
    package let server = Server()
    package var model = Model()
    package var complaints: [Complaint] = []
    /// The mode of the present release.
    package var mode = Step.Mode.inPlace
    var running: [Party: Release] = [:]
    var enrolments = 0
    /// Whether the present release moves the first store into the later one.
    var isFollowing = false
    /// The code that the user scanned last for each credential.
    var codes: [Slot: Code] = [:]
    /// The key of sealed items.
    let itemKey: SimulatedItemKey?
    var steps: UInt64 = 0
    let memory = MemoryCredentialStore()
    let file: StoreInFile?
    let own = OwnStorageContents()
    var hasToken = false
    var hadUndecryptable = false
    /// Whether an item was refused, which an extension that ran all the time imports at its next start.
    var hadRefused = false
    var hasClockGoneBack = false
    /// The processes that lacked the app's group at a time since their start.
    var grouplessSinceStart: Set<Party> = []
    /// The credentials that a process enrolled while another one ran.
    var enrolledInStep: Set<Slot> = []
    /// The accounts that a process removed while another one ran.
    var removedInStep: Set<Int> = []
    /// Whether a process moved the records into the later store.
    var hasFollowed = false
    /// Whether another file was migrated into the store; once is enough, since it is the same.
    var isFileMigrated = false

    package init(_ setup: Setup) {
        self.setup = setup
        gate.seed = setup.seed
        file = setup.store == .sqlite || setup.later == .sqlite ? StoreInFile(setup.seed) : nil
        itemKey = setup.isSealed == true ? SimulatedItemKey(keychain) : nil
        server.accepted = { [unowned self] message in
            if let complaint = model.answered(message) { complaints.append(complaint) }
        }
    }

    // MARK: - From outside

    package var placing: PlacingState {
        // The state is not read while a transaction runs.
        if let known { return known }
        return setup.store == .ownStorage ? .moved : placingState(of: self)
    }

    var known: PlacingState?
    /// The items removed during a move while the store could not be written.
    var removedOnFullDisk: [Slot] = []

    /// Whether the legacy items are authoritative.
    var isInPlace: Bool { placing == .inPlace || placing == .moving }

    package func isRunning(_ party: Party) -> Bool { running[party] != nil }

    /// Whether something keeps a process from seeing everything.
    package var isStormy: Bool {
        keychain.isLocked || !keychain.blind.isEmpty || !keychain.groupless.isEmpty
            || !keychain.refusals.isEmpty || gate.isDiskFull
    }

    /// Where the records are that are not legacy items, as one sees from outside.
    var storeKind: Setup.StoreKind {
        guard isFollowing, let later = setup.later else { return setup.store }
        let isEnded = inspect(setup.store, false) { try $0.hasMovedAway }
        return isEnded ? later : setup.store
    }

    /// A look at the store without a process.
    func inspect<Value>(_ fallback: Value, _ body: (any CredentialReading) throws -> Value) -> Value {
        inspect(storeKind, fallback, body)
    }

    private func inspect<Value>(
        _ kind: Setup.StoreKind,
        _ fallback: Value,
        _ body: (any CredentialReading) throws -> Value
    ) -> Value {
        let outside: any CredentialStore
        switch kind {
        case .memory, .ownStorage: outside = memory
        case .sqlite: outside = file?.outside ?? memory
        case .keychain:
            let all = InMemoryKeychain()
            for (key, item) in keychain.items where key.service.hasPrefix("com.pingidentity") {
                let name = KeychainItem.Name(
                    service: key.service,
                    account: key.account,
                    accessGroup: key.group
                )
                try? all.add(KeychainItem(name, data: item.data))
            }
            outside = KeychainCredentialStore(keychain: all, accessGroup: Group.shared)
        }
        return (try? outside.read(body)) ?? fallback
    }

    /// Opens the store for a process; in a release whose store follows the app, the one that the move selects.
    func storeOpener(
        for process: Process,
        _ keychain: SimulatedKeychain
    ) -> @Sendable () throws -> any CredentialStore {
        let source = opener(of: setup.store, for: process, keychain)
        guard isFollowing, let later = setup.later else { return source }
        let target = opener(of: later, for: process, keychain)
        return { [unowned self] in
            let (source, target) = (try source(), try target())
            // An app decides once for each process.
            if process.usesFirstStore { return source }
            do {
                try StoreMove(from: source, to: target).run()
                hasFollowed = true
                return target
            } catch {
                process.usesFirstStore = true
                return source
            }
        }
    }

    private func opener(
        of kind: Setup.StoreKind,
        for process: Process,
        _ keychain: SimulatedKeychain
    ) -> @Sendable () throws -> any CredentialStore {
        let (gate, memory, file, own) = (gate, memory, file, own)
        switch kind {
        case .memory: return { GatedStore(memory, process, gate) }
        case .sqlite: return { GatedStore(try file?.open() ?? memory, process, gate) }
        case .keychain: return { KeychainCredentialStore(keychain: keychain, accessGroup: Group.shared) }
        case .ownStorage: return { StorageClientStore(OwnStorage(own, process, gate)) }
        }
    }

    // MARK: - Steps

    package func perform(_ step: Step) {
        if case .rehearse(let party) = step.action { return rehearse(party, step) }
        gate.now += 5
        steps += 1
        (enrolledInStep, removedInStep) = ([], [])
        gate.coverage.count(.event(step.action.event, in: placing))
        gate.coverage.count(.store(setup.store, step.action.event))
        gate.note("- \(step.story)", "")
        if let second = step.meanwhile, let one = step.action.ours, let other = second.action.ours,
            one != other
        {
            gate.coverage.count(.event("\(second.action.event) at once", in: placing))
            let seeds = (seed(1), seed(2))
            known = placing
            defer { known = nil }
            gate.together(
                [
                    { [self] in
                        Randomness.seeded(seeds.0) { carryOut(step.action, step.disturbances, alone: false) }
                    },
                    { [self] in
                        Randomness.seeded(seeds.1) {
                            carryOut(second.action, second.disturbances, alone: false)
                        }
                    },
                ],
                of: [one, other],
                slices: second.slices
            )
        } else {
            Randomness.seeded(seed(0)) { carryOut(step.action, step.disturbances, alone: true) }
        }
        if let party = gate.endless { complaints.append(Complaint(.endless, "\(party) does not end")) }
    }

    /// Lets a running process rehearse or compare, which changes no later step unless the process dies.
    private func rehearse(_ party: Party, _ step: Step) {
        guard isRunning(party), setup.store != .ownStorage else { return }
        gate.coverage.count(.event(step.action.event, in: placing))
        gate.note("- \(step.story)", "")
        let before = keychain.legacyItems
        Randomness.seeded(seed(3)) {
            _ = act(party, Turn(disturbances: step.disturbances)) {
                _ = try? $0.migration.checkNow(on: $0.authenticator)
            }
        }
        if keychain.legacyItems != before {
            complaints.append(Complaint(.rehearsalWrote, "\(party) changed items in a rehearsal"))
        }
    }

    func seed(_ part: UInt64) -> UInt64 { setup.seed &* 1_000_003 &+ steps &* 8 &+ part }

    func carryOut(_ action: Step.Action, _ disturbances: [Disturbance], alone: Bool) {
        let turn = Turn(disturbances: disturbances, isAlone: alone)
        switch action {
        case .enrol(let party, let slot): enrol(slot, by: party, turn)
        case .remove(let party, let slot): remove([slot], by: party, turn, wholeAccount: false)
        case .removeAccount(let party, let account):
            let slots = Slot.Kind.allCases.map { Slot(account: account, kind: $0) }
            remove(slots, by: party, turn, wholeAccount: true)
        case .code(let party, let slot): makeCode(slot, by: party, turn)
        case .rename(let party, let account): rename(account, by: party, turn)
        case .scanAgain(let party, let slot): enrol(slot, by: party, turn, again: true)
        case .setLock(let party, let account, let isLocked): setLock(isLocked, of: account, by: party, turn)
        case .look(let party): look(party, turn)
        case .push(let slot): sendPush(slot)
        case .receive(let party, let message): receive(message, in: party, turn)
        case .answer(let party, let message, let approves): answer(message, approves, in: party, turn)
        case .start(let party):
            running[party] = nil
            act(party, turn) { _ in }
        case .end(let party): running[party] = nil
        case .release(let mode):
            self.mode = mode
            running = [:]
        case .followStore:
            isFollowing = setup.later != nil
            running = [:]
        case .move(let party): act(party, turn) { $0.migration.run(on: $0.authenticator) }
        case .moveBack(let party, let starts): moveBack(party, turn, starts: starts)
        case .rehearse: break
        case .migrateFile(let party): migrateFile(party, turn)
        case .copyItem(let slot, let isEqual): copyItem(slot, isEqual)
        case .lock: keychain.isLocked = true
        case .unlock: keychain.isLocked = false
        case .blind(let party): keychain.blind.insert(party)
        case .see(let party): keychain.blind.remove(party)
        case .hideGroup(let party):
            keychain.groupless.insert(party)
            grouplessSinceStart.insert(party)
        case .showGroup(let party): keychain.groupless.remove(party)
        case .refuse(let slot, let status): refuse(slot.itemName, of: slot.account, status)
        case .refuseAccount(let account, let status):
            if placing == .moving { model.refusedAccount(account) }
            refuse(Slot(account: account, kind: .totp).accountItemName, of: account, status)
        case .loseKey: loseKey()
        case .admit: keychain.refusals = [:]
        case .fillDisk: gate.isDiskFull = true
        case .freeDisk: gate.isDiskFull = false
        case .restore(let withKeychain): restore(withKeychain)
        case .jump(let seconds):
            gate.now += Double(seconds)
            if seconds < 0 { hasClockGoneBack = true }
        case .breakPolicy: model.complies = false
        case .keepPolicy: model.complies = true
        case .calm(let ending): calm(ending)
        }
    }

    /// What goes for one action.
    struct Turn {
        var disturbances: [Disturbance] = []
        var isAlone = true
        var starts = true
    }

    /// Does something in a process of our release, which is launched if it does not run.
    /// - Returns: The result; `isSure` if the process did not die.
    @discardableResult
    func act<Value>(
        _ party: Party,
        _ turn: Turn,
        _ body: (Release) -> Value
    ) -> (value: Value, isSure: Bool, release: Release) {
        let isNew = running[party] == nil
        if isNew, !keychain.groupless.contains(party) { grouplessSinceStart.remove(party) }
        let release = running[party] ?? Release(Process(party), self)
        running[party] = release
        let process = release.process
        process.thread = pthread_self()
        process.operations = 0
        process.disturbances = turn.disturbances
        process.wasDisturbed = false
        let starts = isNew && turn.starts && setup.store != .ownStorage
        if starts { release.start(mode, alone: turn.isAlone) }
        let value = body(release)
        process.waiting {}
        if starts, turn.isAlone { gate.coverage.count(.outcome(release.outcome, in: placing)) }
        if process.isDead { running[party] = nil }
        return (value, !process.isDead, release)
    }

    /// Does something in the previous release; ends the other processes.
    func actAsPrevious<Value>(
        _ turn: Turn,
        _ body: (OldRelease) -> Value
    ) -> (value: Value, isSure: Bool) {
        running = [:]
        // It does not complete what ours began.
        model.halfRemoved = [:]
        let process = Process(.previous)
        process.disturbances = turn.disturbances
        let value = body(OldRelease(SimulatedKeychain(keychain, process, gate), itemKey, at: gate.now))
        return (value, !process.isDead)
    }
}

/// Where the records are; the only place that knows how the product writes that down.
func placingState(of phone: Phone) -> PlacingState {
    phone.inspect(PlacingState.inPlace) { view in
        switch try view.move()?.state {
        case nil: .inPlace
        case .moving: .moving
        case .moved: .moved
        case .movingBack: .movingBack
        }
    }
}
