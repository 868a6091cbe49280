import CredentialMigration
import Crypto
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

/// The place of the records.
package enum PlacingState: String, CaseIterable, Sendable {
    case inPlace = "in place"
    case moving
    case moved
    case movingBack = "moving back"
}

/// The properties of a life that its steps do not determine.
package struct Setup: Codable, Equatable, Sendable {
    /// A kind of store into which the records move; `ownStorage` contains the records from the beginning.
    package enum StoreKind: String, Codable, CaseIterable, Sendable {
        case memory, keychain, sqlite, ownStorage
    }

    package var seed: UInt64
    package var store: StoreKind
    /// Whether the legacy items are sealed with a key of the Secure Enclave; `nil` means `false`.
    package var isSealed: Bool?
    /// The store into which a later release of the app moves the first store; `nil` if there is no later
    /// store.
    package var later: StoreKind?
    /// Whether the app keeps enrolments that its store failed to save; `nil` means `false`.
    package var keepsEnrolments: Bool?
    /// Whether the process that performs a step shows its records after the step; `nil` means `false`.
    package var isWatched: Bool?
}

/// A phone with its records, and the processes that run on it.
///
/// It is `@unchecked`, because only one thread at a time uses it: the thread whose turn it is (see `Scheduler`).
package final class Phone: @unchecked Sendable {
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
    /// Whether the present release moves the first store into the later store.
    var isFollowing = false
    /// The last code that the user scanned for each credential.
    var codes: [Slot: Code] = [:]
    /// The key of sealed items; `nil` if the items are not sealed.
    let itemKey: SimulatedItemKey?
    var steps: UInt64 = 0
    let memory = MemoryCredentialStore()
    let file: StoreInFile?
    let own = OwnStorageContents()
    var hasToken = false
    var hadUndecryptable = false
    /// Whether an item was ever refused or undecryptable.
    ///
    /// An extension that was running at that time imports the item only at its next start.
    var hadRefused = false
    var hasClockGoneBack = false
    /// Whether a process ever lacked an access group.
    var hadHiddenGroup = false
    /// The accounts whose removal was interrupted in a process that lacked an access group.
    ///
    /// The process that completes the removal removes the account's item. Without this item, the previous release does
    /// not show the items that it has since added to that group.
    var removedWithoutGroup: Set<Int> = []
    /// The processes that have lacked a keychain group at any time since they started.
    var grouplessSinceStart: Set<Party> = []
    /// The credentials that a process enrolled in this step, while another process ran.
    var enrolledInStep: Set<Slot> = []
    /// The accounts that a process removed, or tried to remove, in this step, while another process ran.
    var removedInStep: Set<Int> = []
    /// Whether a process moved the records into the later store.
    var hasFollowed = false
    /// Whether the migration of a file into the store was completed.
    ///
    /// The file is then not migrated again, because its contents are always the same.
    var isFileMigrated = false
    /// Whether a migration of a file into the store began.
    var hasTriedFile = false

    package init(_ setup: Setup) {
        self.setup = setup
        gate.seed = setup.seed
        file = setup.store == .sqlite || setup.later == .sqlite ? StoreInFile(setup.seed) : nil
        itemKey = setup.isSealed == true ? SimulatedItemKey(keychain) : nil
        server.accepted = { [unowned self] message in
            if let complaint = model.answered(message) { complaints.append(complaint) }
        }
    }

    // MARK: - State, read directly and not through a simulated process

    package var placing: PlacingState {
        // While two processes run at once, a transaction of one of them can make the state unreadable. So the state
        // before the step is used.
        if let known { return known }
        return setup.store == .ownStorage ? .moved : placingState(of: self)
    }

    var known: PlacingState?
    /// A cache of the credentials that were decoded from legacy items, by the items' data.
    var decoded: [Data: Shown] = [:]
    /// The credentials that were removed during a move while the disk was full.
    var removedOnFullDisk: [Slot] = []

    /// Whether the legacy items are in charge.
    var isInPlace: Bool { placing == .inPlace || placing == .moving }

    package func isRunning(_ party: Party) -> Bool { running[party] != nil }

    /// Whether a disturbance prevents a process from reading or writing some of the records.
    package var isStormy: Bool {
        keychain.isLocked || !keychain.blind.isEmpty || !keychain.groupless.isEmpty
            || !keychain.refusals.isEmpty || keychain.keyFailures > 0 || gate.isDiskFull
    }

    /// The kind of store that contains the records outside the legacy items.
    var storeKind: Setup.StoreKind {
        guard isFollowing || hasFollowed, let later = setup.later else { return setup.store }
        let isEnded = inspect(setup.store, false) { try $0.hasMovedAway }
        return isEnded ? later : setup.store
    }

    /// Reads the store directly and not through a simulated process; returns `fallback` if the read fails.
    func inspect<Value>(_ fallback: Value, _ body: (any CredentialReading) throws -> Value) -> Value {
        inspect(storeKind, fallback, body)
    }

    func inspect<Value>(
        _ kind: Setup.StoreKind,
        _ fallback: Value,
        _ body: (any CredentialReading) throws -> Value
    ) -> Value {
        let outside: any CredentialStore
        switch kind {
        case .memory: outside = memory
        case .ownStorage: outside = StorageClientStore(OwnStorage(own, Process(.app), Gate()))
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

    /// Returns a closure that opens a process's store.
    ///
    /// In a release that moves the first store into the later store, the closure runs the move. It returns
    /// the later store or, if the move fails, the first store.
    func storeOpener(
        for process: Process,
        _ keychain: SimulatedKeychain
    ) -> @Sendable () throws -> any CredentialStore {
        let source = opener(of: setup.store, for: process, keychain)
        guard isFollowing, let later = setup.later else {
            process.usesFirstStore = hasFollowed
            return source
        }
        let target = opener(of: later, for: process, keychain)
        return { [unowned self] in
            let (source, target) = (try source(), try target())
            // A process whose move failed uses the first store until it ends.
            if process.usesFirstStore { return source }
            do {
                process.leavesRecords = try !StoreMove(from: source, to: target).run().isComplete
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
        // The disturbance `seesFrom` simulates a restart before the step; a restart ends all processes.
        let disturbances = step.disturbances + (step.meanwhile?.disturbances ?? [])
        if disturbances.contains(where: { $0.what == .seesFrom }) { running = [:] }
        let before = beforeStep()
        (enrolledInStep, removedInStep) = ([], [])
        gate.coverage.count(.event(step.action.event, in: placing))
        gate.coverage.count(.store(setup.store, step.action.event))
        gate.record("- \(step.story)", "")
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
                        Randomness.seeded(seeds.0) { perform(step.action, step.disturbances, alone: false) }
                    },
                    { [self] in
                        Randomness.seeded(seeds.1) {
                            perform(second.action, second.disturbances, alone: false)
                        }
                    },
                ],
                of: [one, other],
                slices: second.slices
            )
        } else {
            Randomness.seeded(seed(0)) { perform(step.action, step.disturbances, alone: true) }
        }
        if let party = gate.endless { complaints.append(Complaint(.endless, "\(party) does not end")) }
        settleInvisible(before)
        watch(step)
        checkPermission(step, before)
    }

    /// Lets a running process rehearse or compare.
    ///
    /// This does not count as a step, so the later steps have the same times and random numbers as without it. Only a
    /// kill of the process changes later steps.
    private func rehearse(_ party: Party, _ step: Step) {
        guard isRunning(party), setup.store != .ownStorage else { return }
        gate.coverage.count(.event(step.action.event, in: placing))
        gate.record("- \(step.story)", "")
        let before = keychain.legacyItems
        let isInterrupted = keychain.hasUnfinishedTransaction
        Randomness.seeded(seed(3)) {
            _ = act(party, Turn(disturbances: step.disturbances)) {
                _ = try? $0.migration.checkNow(on: $0.authenticator)
            }
        }
        // Each reading of the items first completes an interrupted transaction of the user.
        if keychain.legacyItems != before, !isInterrupted {
            complaints.append(Complaint(.rehearsalWrote, "\(party) changed items in a rehearsal"))
        }
    }

    func seed(_ part: UInt64) -> UInt64 { setup.seed &* 1_000_003 &+ steps &* 8 &+ part }

    func perform(_ action: Step.Action, _ disturbances: [Disturbance], alone: Bool) {
        let turn = Turn(disturbances: disturbances, isAlone: alone)
        switch action {
        case .enrol(let party, let slot): enrol(slot, by: party, turn)
        case .enrolBoth(let party, let account): enrolBoth(account, by: party, turn)
        case .remove(let party, let slot): remove([slot], by: party, turn, wholeAccount: false)
        case .removeAccount(let party, let account):
            let slots = Slot.Kind.allCases.map { Slot(account: account, kind: $0) }
            remove(slots, by: party, turn, wholeAccount: true)
        case .code(let party, let slot): makeCode(slot, by: party, turn)
        case .rename(let party, let account): rename(account, by: party, turn)
        case .removeName(let party, let account): rename(account, by: party, turn, removesName: true)
        case .scanAgain(let party, let slot): enrol(slot, by: party, turn, again: true)
        case .setLock(let party, let account, let isLocked): setLock(isLocked, of: account, by: party, turn)
        case .look(let party): look(party, turn)
        case .codeAsync(let party, let slot): makeCode(slot, by: party, turn, isAsync: true)
        case .removeAsync(let party, let slot):
            remove([slot], by: party, turn, wholeAccount: false, isAsync: true)
        case .answerAsync(let party, let message, let approves):
            answer(message, approves, in: party, turn, isAsync: true)
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
        case .returnToFirstStore:
            isFollowing = false
            running = [:]
        case .move(let party): act(party, turn) { $0.migration.run(on: $0.authenticator) }
        case .moveBack(let party, let starts): moveBack(party, turn, starts: starts)
        case .rehearse: break
        case .migrateFile(let party): migrateFile(party, turn)
        case .changeAsSuccessor(let slot, let change): changeAsSuccessor(slot, change)
        case .copyItem(let slot, let isEqual): copyItem(slot, isEqual)
        case .moveItems(let account): moveItems(of: account)
        case .lock: keychain.isLocked = true
        case .unlock: keychain.isLocked = false
        case .blind(let party): keychain.blind.insert(party)
        case .see(let party): keychain.blind.remove(party)
        case .hideGroup(let party):
            keychain.groupless.insert(party)
            grouplessSinceStart.insert(party)
            hadHiddenGroup = true
        case .showGroup(let party): keychain.groupless.remove(party)
        case .refuse(let slot, let status): refuse(slot.itemName, of: slot.account, status)
        case .refuseAccount(let account, let status):
            if placing == .moving { model.refusedAccount(account) }
            refuse(Slot(account: account, kind: .totp).accountItemName, of: account, status)
        case .refuseStored(let number, let status): refuseStored(number, status)
        case .loseKey: loseKey()
        case .admit: keychain.admit()
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

    /// The circumstances of one action.
    struct Turn {
        var disturbances: [Disturbance] = []
        var isAlone = true
        var starts = true
    }

    /// Runs an action in a process of the release with PushBridge.
    ///
    /// If the process is not running, it is launched.
    /// - Returns: The result, the process, and `isSure`, which is `true` if the process did not die.
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
        process.begin(turn.disturbances)
        let starts = isNew && turn.starts && setup.store != .ownStorage
        if starts { release.start(mode, alone: turn.isAlone) }
        let value = body(release)
        process.waiting {}
        if process.hasKeyBegunToFail { (hadUndecryptable, hadRefused) = (true, true) }
        if starts, turn.isAlone { gate.coverage.count(.outcome(release.outcome, in: placing)) }
        if process.isDead { running[party] = nil }
        return (value, !process.isDead, release)
    }

    /// Ends all running processes, and then runs an action in the previous release.
    func actAsPrevious<Value>(
        _ turn: Turn,
        _ body: (OldRelease) -> Value
    ) -> (value: Value, isSure: Bool) {
        running = [:]
        // The previous release does not complete an interrupted removal.
        model.halfRemoved = [:]
        let process = Process(.previous)
        process.disturbances = turn.disturbances
        let value = body(OldRelease(SimulatedKeychain(keychain, process, gate), itemKey, at: gate.now))
        return (value, !process.isDead)
    }
}

/// Returns the place of the records, read directly from the store.
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
