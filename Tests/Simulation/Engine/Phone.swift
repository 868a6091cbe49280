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
    private var running: [Party: Release] = [:]
    private var enrolments = 0
    private var steps: UInt64 = 0
    private let memory = MemoryCredentialStore()
    private let file: StoreInFile?
    private let own = OwnStorageContents()
    private var hasToken = false
    private var hadUndecryptable = false
    /// Whether an item was refused, which an extension that ran all the time imports at its next start.
    private var hadRefused = false
    private var hasClockGoneBack = false
    /// The processes that lacked the app's group at a time since their start.
    private var grouplessSinceStart: Set<Party> = []
    /// The credentials that a process enrolled while another one ran.
    private var enrolledInStep: Set<Slot> = []
    /// Whether another file was migrated into the store; once is enough, since it is the same.
    private(set) var isFileMigrated = false

    package init(_ setup: Setup) {
        self.setup = setup
        gate.seed = setup.seed
        file = setup.store == .sqlite ? StoreInFile(setup.seed) : nil
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

    private var known: PlacingState?
    /// The items removed during a move while the store could not be written.
    private var removedOnFullDisk: [Slot] = []

    /// Whether the legacy items are authoritative.
    var isInPlace: Bool { placing == .inPlace || placing == .moving }

    package func isRunning(_ party: Party) -> Bool { running[party] != nil }

    /// Whether something keeps a process from seeing everything.
    package var isStormy: Bool {
        keychain.isLocked || !keychain.blind.isEmpty || !keychain.groupless.isEmpty
            || !keychain.refusals.isEmpty || gate.isDiskFull
    }

    /// A look at the store without a process.
    func inspect<Value>(_ fallback: Value, _ body: (any CredentialReading) throws -> Value) -> Value {
        let outside: any CredentialStore
        switch setup.store {
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

    /// Opens the store for a process.
    func storeOpener(
        for process: Process,
        _ keychain: SimulatedKeychain
    ) -> @Sendable () throws -> any CredentialStore {
        let (gate, memory, file, own) = (gate, memory, file, own)
        switch setup.store {
        case .memory: return { GatedStore(memory, process, gate) }
        case .sqlite: return { GatedStore(try file?.open() ?? memory, process, gate) }
        case .keychain: return { KeychainCredentialStore(keychain: keychain, accessGroup: Group.shared) }
        case .ownStorage: return { StorageClientStore(OwnStorage(own, process, gate)) }
        }
    }

    // MARK: - Steps

    package func perform(_ step: Step) {
        gate.now += 5
        steps += 1
        enrolledInStep = []
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

    private func seed(_ part: UInt64) -> UInt64 { setup.seed &* 1_000_003 &+ steps &* 8 &+ part }

    private func carryOut(_ action: Step.Action, _ disturbances: [Disturbance], alone: Bool) {
        let turn = Turn(disturbances: disturbances, isAlone: alone)
        switch action {
        case .enrol(let party, let slot): enrol(slot, by: party, turn)
        case .remove(let party, let slot): remove([slot], by: party, turn, wholeAccount: false)
        case .removeAccount(let party, let account):
            let slots = Slot.Kind.allCases.map { Slot(account: account, kind: $0) }
            remove(slots, by: party, turn, wholeAccount: true)
        case .code(let party, let slot): makeCode(slot, by: party, turn)
        case .rename(let party, let account): rename(account, by: party, turn)
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
        case .move(let party): act(party, turn) { $0.migration.run(on: $0.authenticator) }
        case .moveBack(let party, let starts): moveBack(party, turn, starts: starts)
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
        case .refuse(let slot, let status):
            keychain.refusals[slot.itemName] = status
            // A transaction is completed without the items that are refused.
            model.halfRemoved[slot.account] = nil
            hadRefused = true
            if status == -26275 { hadUndecryptable = true }
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
    private struct Turn {
        var disturbances: [Disturbance] = []
        var isAlone = true
        var starts = true
    }

    /// Does something in a process of our release, which is launched if it does not run.
    /// - Returns: The result; `isSure` if the process did not die.
    @discardableResult
    private func act<Value>(
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
    private func actAsPrevious<Value>(
        _ turn: Turn,
        _ body: (OldRelease) -> Value
    ) -> (value: Value, isSure: Bool) {
        running = [:]
        // It does not complete what ours began.
        model.halfRemoved = [:]
        let process = Process(.previous)
        process.disturbances = turn.disturbances
        let value = body(OldRelease(SimulatedKeychain(keychain, process, gate), at: gate.now))
        return (value, !process.isDead)
    }

    // MARK: - What the user does

    private func enrol(_ slot: Slot, by party: Party, _ turn: Turn) {
        enrolments += 1
        model.halfRemoved[slot.account] = nil
        let bytes = Data(
            SHA256.hash(data: Data("\(setup.seed) \(enrolments)".utf8)).prefix(20)
        )
        let secret = slot.kind == .push ? bytes.base64URL : bytes.base32
        let counter = 3
        if party == .previous {
            let id = "OLD-\(setup.seed)-\(enrolments)"
            let hasPolicy = enrolments % 2 == 0
            let (isDone, isSure) = actAsPrevious(turn) {
                $0.enrol(slot, id: id, secret: secret, counter: counter, hasPolicy: hasPolicy)
            }
            if !turn.disturbances.isEmpty, model.accounts[slot.account] != nil {
                // Without a list of the accounts, the SDK overwrites the account.
                model.renamed(slot.account, slot.accountName, surely: false)
                model.accounts[slot.account]?.hasPolicy = false
            }
            if isDone, slot.kind == .push { server.devices[slot] = Server.Device(uid: id, secret: bytes) }
            if isDone && isSure {
                model.enrolled(
                    slot,
                    secret,
                    counter: counter,
                    surely: true,
                    withPolicy: hasPolicy,
                    byPrevious: true
                )
                if placing != .inPlace { model.enrolledBesideCopies(slot) }
            } else {
                if !isSure { model.enrolled(slot, secret, counter: counter, surely: false) }
                // The account may be stored without its mechanism, and without this policy.
                model.mayHaveAccount(slot)
                if placing != .inPlace { model.enrolledBesideCopies(slot) }
            }
            return
        }
        let message = "REGISTER:\(enrolments)"
        server.pending[message] = (slot, bytes)
        let uri = Wire.code(slot, secret: bytes, counter: counter, message: message)
        let needsToken = slot.kind == .push && !hasToken
        let (isDone, isSure, release) = act(party, turn) { release in
            if needsToken, release.handler.deviceToken == nil {
                release.handler.didRegister(Data([0xAB, 0xCD]))
            }
            return release.enrol(uri)
        }
        if needsToken { hasToken = true }
        if setup.store == .ownStorage, release.process.wasDisturbed {
            // A storage that does not find an account gets a new one.
            model.renamed(slot.account, slot.accountName, surely: false)
        }
        if isDone == nil { complaints.append(Complaint(.hangs, "scanning \(slot) is not answered")) }
        if !turn.isAlone, isDone == true, !enrolledInStep.insert(slot).inserted {
            // The two processes enrolled the same, and either may be the later one.
            model.credentials[slot]?.secrets.append(secret)
        } else if isDone == true {
            let hasProtection = setup.store != .ownStorage
            model.enrolled(slot, secret, counter: counter, surely: isSure && (turn.isAlone || hasProtection))
            if placing == .moving { model.enrolledBesideCopies(slot) }
            model.credentials[slot]?.wasInStore = isSure && turn.isAlone && !isInPlace
        } else if !isSure || release.process.wasDisturbed || isStormy || slot.kind == .push {
            model.enrolled(slot, secret, counter: counter, surely: false)
            // The next start may complete it.
            if placing == .moving { model.enrolledBesideCopies(slot) }
        }
    }

    private func remove(_ slots: [Slot], by party: Party, _ turn: Turn, wholeAccount: Bool) {
        // After a completed move the store is in charge, and a credential that the previous release removes may be shown
        // again; during a move, one whose account or last item remains.
        let wasInCharge = placing == .inPlace || placing == .moving && wholeAccount && !hasClockGoneBack
        let account = slots[0].account
        model.halfRemoved[account] = nil
        var removed: [Slot] = []
        var present: Set<Slot> = []
        var isTried = false
        var isOneOfSeveral = false
        let isSure: Bool
        if party == .previous {
            (_, isSure) = actAsPrevious(turn) { old in
                isTried = true
                removed = wholeAccount ? old.remove(account: account) : old.remove(slots[0])
            }
        } else {
            (_, isSure, _) = act(party, turn) { release in
                guard let found = release.account(account) else { return }
                let mechanisms = found.mechanisms.filter { mechanism in
                    slots.contains { $0.kind.rawValue == mechanism.type }
                }
                guard let first = mechanisms.first else { return }
                isTried = true
                present = Set(
                    mechanisms.compactMap { Slot(accountName: found.accountName, kind: $0.type) }
                )
                isOneOfSeveral = mechanisms.count > 1 && !wholeAccount
                let isDone =
                    wholeAccount
                    ? release.client.removeAccount(account: found)
                    : release.client.removeMechanism(mechanism: first)
                if isDone { removed = present.sorted() }
            }
        }
        guard isTried else { return }
        let isWhole = wholeAccount && turn.isAlone && !isStormy && setup.store != .ownStorage
        if isWhole, party != .previous, !isSure, !present.contains(where: isCopied) {
            model.halfRemoved[account] = present
        }
        // During a move, an account of which the previous release leaves an item is kept.
        let isPartial =
            placing == .moving
            && slots.contains { slot in keychain.items.keys.contains { $0.account == slot.itemName } }
        for slot in slots {
            let isRemoved = removed.contains(slot)
            // An enrolment that was killed is completed later, if its record is still there.
            let isCertain = model.credentials[slot]?.presence == .certain
            let isLast =
                placing == .moving
                && !keychain.items.keys.contains { LegacyService(rawValue: $0.service) != nil }
            let counts =
                party == .previous ? wasInCharge && isInPlace && isCertain && !isLast && !isPartial : true
            if party == .previous, !wasInCharge, let known = model.credentials[slot] {
                // The store never saw the codes that the removed item counted.
                model.credentials[slot]?.counter = min(known.counter, known.counterInStore)
            }
            // Of items that a process does not see, it removes none.
            let sees = !keychain.groupless.contains(party) && keychain.refusals.isEmpty
            // Another file may be migrated again.
            let stays = slot.account != Slot.ofFile
            // An item that cannot be decrypted, or that an app's own storage does not find, is not removed.
            let isFound = !turn.disturbances.contains { disturbance in
                if case .fault(let status) = disturbance.what {
                    status == -26275 || setup.store == .ownStorage
                } else {
                    false
                }
            }
            // Between processes nothing protects an app's own storage.
            let hasProtection = setup.store != .ownStorage
            let isProtected = (turn.isAlone || hasProtection) && !isOneOfSeveral
            model.removed(
                slot,
                surely: isFound && isProtected && isRemoved && isSure && counts && sees && stays
                    && !isCopied(slot),
                byPrevious: party == .previous
            )
        }
        let hasItems = keychain.items.keys.contains { LegacyService(rawValue: $0.service) != nil }
        if party == .previous, placing == .moving, !hasItems { model.removedLastItem() }
        if gate.isDiskFull, placing == .moving { removedOnFullDisk += slots }
        if wholeAccount { model.removedAccount(account) }
        if wholeAccount, isStormy {
            // What remains of the account may have no name and no policy.
            model.renamed(account, Slot.names[account], surely: false)
            model.accounts[account]?.hasPolicy = false
        }
    }

    private func makeCode(_ slot: Slot, by party: Party, _ turn: Turn) {
        let counter: Int?
        if party == .previous {
            let made = actAsPrevious(turn) { $0.code(slot) }.value
            // It may have a credential that ours replaced.
            guard let made, model.credentials[slot]?.secrets.contains(made.secret) == true else { return }
            counter = made.counter
        } else {
            counter =
                act(party, turn) { release -> Int? in
                    guard let hotp = release.mechanism(slot) as? HOTPMechanism,
                        (try? hotp.generateCode()) != nil
                    else { return nil }
                    return hotp.counter - 1
                }.value
        }
        guard let counter, let known = model.credentials[slot] else { return }
        if party != .previous, turn.isAlone, model.made.contains("\(known.secrets) \(counter)") {
            complaints.append(Complaint(.codeTwice, "\(slot) made its code \(counter) twice"))
        }
        if party != .previous { model.made.insert("\(known.secrets) \(counter)") }
        model.credentials[slot]?.counter = max(known.counter, counter + 1)
    }

    private func rename(_ account: Int, by party: Party, _ turn: Turn) {
        let name = "\(Slot.names[account]) \(steps)"
        // A process that does not see the item may rename its own copy of the account.
        let isInCharge = isInPlace && keychain.blind.isEmpty && keychain.groupless.isEmpty
        if party == .previous {
            let (isDone, isSure) = actAsPrevious(turn) { $0.rename(account, to: name) }
            if isDone || !isSure {
                let surely = isDone && isSure && isInCharge
                model.renamed(account, name, surely: surely, beside: !isInCharge)
            }
            return
        }
        let (isDone, isSure, release) = act(party, turn) { release -> Bool in
            guard let found = release.account(account) else { return false }
            found.displayAccountName = name
            return (try? release.client.updateAccount(account: found)) ?? false
        }
        if isDone || !isSure || release.process.wasDisturbed || isStormy {
            let sees = !keychain.groupless.contains(party)
            let isCertain = isDone && isSure && turn.isAlone && sees
            model.renamed(account, name, surely: isCertain, beside: !sees)
        }
    }

    private func look(_ party: Party, _ turn: Turn) {
        if party == .previous {
            _ = actAsPrevious(turn) { $0.shown() }
            return
        }
        let ((shown, isFromStore), isSure, _) = act(party, turn) { ($0.shown(), $0.isOnStore) }
        guard isSure, turn.isAlone else { return }
        complaints += model.complaints(about: shown, isCalm: false, isMoved: !isInPlace)
        if isFromStore { model.showedFromStore(shown) }
    }

    // MARK: - What servers do

    private func sendPush(_ slot: Slot) {
        guard let device = server.devices[slot], model.messages.count < 20 else { return }
        model.messages.append(Model.Message(slot: slot, uid: device.uid))
    }

    private func receive(_ number: Int, in party: Party, _ turn: Turn) {
        guard model.messages.indices.contains(number),
            let device = server.devices[model.messages[number].slot], device.uid == model.messages[number].uid
        else { return }
        let payload = Wire.payload(number, device, at: gate.now)
        let (isShown, isSure, release) = act(party, turn) { release in
            _ = release.handler.application(.shared, didReceiveRemoteNotification: payload)
            return release.shownPushes().contains(number)
        }
        if isShown, isSure, turn.isAlone, !release.process.wasDisturbed, !isStormy {
            model.messages[number].isReceived = true
        }
    }

    private func answer(_ number: Int, _ approves: Bool, in party: Party, _ turn: Turn) {
        guard model.messages.indices.contains(number) else { return }
        let before = model.messages[number].answers
        var isTried = false
        let (isDone, isSure, release) = act(party, turn) { release -> Bool? in
            let all = release.client.getAllNotifications()
            guard let push = all.first(where: { $0.messageId == "AUTHENTICATE:\(number)" }), push.isPending
            else { return false }
            isTried = true
            return release.waitForReport { report in
                if approves {
                    push.accept(onSuccess: { report(true) }, onError: { _ in report(false) })
                } else {
                    push.deny(onSuccess: { report(true) }, onError: { _ in report(false) })
                }
            }
        }
        guard isTried else { return }
        if isDone == nil {
            complaints.append(Complaint(.hangs, "the answer to push \(number) is not reported"))
        }
        let isAccepted = model.messages[number].answers > before
        if !isSure || release.process.wasDisturbed || isStormy {
            model.messages[number].isOpenQuestion = true
        }
        guard isSure, turn.isAlone, !release.process.wasDisturbed else { return }
        if isAccepted != (isDone == true) {
            let said = isDone == true ? "succeeded" : "failed"
            complaints.append(Complaint(.wrongReport, "the answer to push \(number) is said to have \(said)"))
        }
    }

    // MARK: - What the app does

    private func moveBack(_ party: Party, _ turn: Turn, starts: Bool) {
        if !starts { running[party] = nil }
        var turn = turn
        turn.starts = starts
        let wasMoved = !isInPlace
        let (isDone, isSure, _) = act(party, turn) {
            (try? $0.migration.moveBack(on: $0.authenticator)) != nil
        }
        // A store that another file filled counts as moved once a process looks at it.
        guard party != .helper, wasMoved || isFileMigrated else { return }
        // The legacy items have the only copies now, or may have.
        for (slot, credential) in model.credentials {
            model.credentials[slot]?.wasInStore = false
            guard credential.presence == .inStore else { continue }
            model.credentials[slot]?.presence = wasMoved && isDone && isSure ? .certain : .perhaps
        }
    }

    private func migrateFile(_ party: Party, _ turn: Turn) {
        guard setup.store != .ownStorage, !isFileMigrated else { return }
        let source = InMemoryKeychain()
        let process = Process(.previous)
        let contents = KeychainContents()
        // The file is the same whenever it is migrated.
        let old = OldRelease(SimulatedKeychain(contents, process, Gate()), at: Self.dayOfFile)
        let slot = Slot(account: Slot.ofFile, kind: .totp)
        let bytes = Data(SHA256.hash(data: Data("\(setup.seed) file".utf8)).prefix(20))
        _ = old.enrol(slot, id: "FILE-\(setup.seed)", secret: bytes.base32, counter: 0, hasPolicy: false)
        for (key, item) in contents.items.sorted(by: { $0.key < $1.key }) {
            let name = KeychainItem.Name(service: key.service, account: key.account)
            try? source.add(KeychainItem(name, data: item.data))
        }
        let (isDone, isSure, release) = act(party, turn) { release -> Bool in
            guard let store = try? release.openStore() else { return false }
            let receipt = try? CredentialMigration(from: .keychain(source), to: store).migrate()
            return receipt?.isComplete ?? false
        }
        isFileMigrated = isDone
        guard model.credentials[slot]?.presence != .inStore else { return }
        if isDone || !isSure || release.process.wasDisturbed {
            model.credentials[slot] = nil
            model.enrolled(slot, bytes.base32, counter: 0, surely: isDone && isSure)
            if isDone && isSure { model.credentials[slot]?.presence = .inStore }
        }
    }

    private static let dayOfFile = Date(timeIntervalSince1970: 1_700_000_000)

    private func isCopied(_ slot: Slot) -> Bool {
        keychain.items.keys.contains { $0.account == slot.itemName && $0.group == Group.shared }
    }

    private func copyItem(_ slot: Slot, _ isEqual: Bool) {
        let service = LegacyService.mechanism.rawValue
        let key = KeychainContents.Key(service: service, account: slot.itemName, group: Group.own)
        let other = KeychainContents.Key(service: service, account: slot.itemName, group: Group.shared)
        guard let item = keychain.items[key], keychain.items[other] == nil, slot.kind == .totp else { return }
        if isEqual { return keychain.put(other, item.data, item.accessibility) }
        guard isInPlace, let known = model.credentials[slot], known.presence == .certain else { return }
        enrolments += 1
        let bytes = Data(SHA256.hash(data: Data("\(setup.seed) \(enrolments)".utf8)).prefix(20))
        let contents = KeychainContents()
        let old = OldRelease(SimulatedKeychain(contents, Process(.previous), Gate()), at: gate.now)
        _ = old.enrol(slot, id: "COPY-\(enrolments)", secret: bytes.base32, counter: 0, hasPolicy: false)
        guard let copy = contents.items.first(where: { $0.key.service == service })?.value else { return }
        keychain.put(other, copy.data, copy.accessibility)
        model.credentials[slot]?.secrets.append(bytes.base32)
    }

    // MARK: - What the system does

    private func restore(_ withKeychain: Bool) {
        running = [:]
        model.halfRemoved = [:]
        if withKeychain {
            keychain.items = keychain.items.filter { $0.value.accessibility.travels }
            return
        }
        keychain.items = [:]
        // The tombstones are lost, and a copy on a full disk stayed.
        removedOnFullDisk.forEach { model.mayReturn($0) }
        // A file is restored, with all that was in it for sure.
        let isFile = setup.store != .keychain
        for (slot, credential) in model.credentials {
            let wasInFile = credential.wasInStore && !isInPlace || credential.presence == .inStore
            if !isFile || !wasInFile { model.credentials[slot]?.presence = .perhaps }
            model.credentials[slot]?.counter = min(credential.counter, credential.counterInStore)
            guard !wasInFile else { continue }
            model.renamed(slot.account, Slot.names[slot.account], surely: false)
            model.accounts[slot.account]?.hasPolicy = false
        }
    }

    /// The storm is over: everything is readable, and the app is started until nothing changes.
    private func calm(_ ending: Step.Ending) {
        keychain.isLocked = false
        keychain.blind = []
        gate.isDiskFull = false
        checkOthersThanRefused()
        keychain.refusals = [:]
        guard complaints.isEmpty else { return }
        keychain.groupless = []
        // The answers in progress end.
        gate.now += 600
        // A process that went through the storm sees again what there is.
        for party in [Party.app, .helper] where running[party] != nil && complaints.isEmpty {
            let shown = act(party, Turn()) { release in
                _ = release.shown()
                return release.shown()
            }.value
            if grouplessSinceStart.contains(party) || running[party]?.waitsForStart == true { continue }
            // An item that could not be decrypted is read again at the next start; and another file may have been imported
            // into a store that was not in charge.
            if hadUndecryptable || isFileMigrated || hadRefused && party == .helper { continue }
            let found = model.complaints(about: shown, isCalm: true, isMoved: !isInPlace)
            // It may learn of names and locks in other groups at its next start.
            complaints += found.filter { $0.kind != .renamed && $0.kind != .lockOpened }.map {
                $0.kind == .lost
                    ? Complaint(.stale, "\($0.text) for the \(party), which ran all the time") : $0
            }
        }
        if ending == .move { mode = .atOnce }
        if ending == .moveBack, mode != .gateSaysWait { mode = .inPlace }
        startAgain(3)
        guard complaints.isEmpty else { return }
        check("at last")
        let notes = keychain.items.first { $0.key.service.hasSuffix(".inPlace") && $0.key.account == "state" }
        if let notes, String(decoding: notes.value.data, as: UTF8.self).contains("\"unfinished\":[{") {
            complaints.append(Complaint(.notDone, "a transaction on the legacy items is half done"))
        }
        switch ending {
        case .stay: break
        case .move:
            let isNothing =
                keychain.items.keys.allSatisfy { LegacyService(rawValue: $0.service) == nil }
                || keychain.items.keys.contains { $0.group == Group.helper }
            if setup.store != .ownStorage, placing != .moved, !isNothing, complaints.isEmpty {
                complaints.append(Complaint(.notDone, "the move does not end: \(outcome)"))
            }
        case .moveBack:
            guard setup.store != .ownStorage, complaints.isEmpty else { return }
            let before = act(.app, Turn()) { $0.shown() }.value
            let error = act(.app, Turn()) { release -> (any Error)? in
                do {
                    _ = try release.migration.moveBack(on: release.authenticator)
                    return nil
                } catch {
                    return error
                }
            }.value
            if let error {
                let slots = act(.app, Turn()) { $0.shown().map(\.slot) }.value
                // The legacy items have no place for two credentials of one key.
                if Set(slots).count < slots.count, (error as? StoreError)?.code == .notWritable { return }
                // An extension recorded a group that the app has no access to.
                if keychain.items.keys.contains(where: { $0.group == Group.helper }) { return }
                return complaints.append(Complaint(.notDone, "moving back does not end: \(error)"))
            }
            // The records of another file are among the legacy items now.
            for (slot, credential) in model.credentials where credential.presence == .inStore {
                model.credentials[slot]?.presence = .perhaps
            }
            startAgain(1)
            check("after moving back")
            let after = Set(act(.app, Turn()) { $0.shown() }.value.map(\.secret))
            for one in before where !after.contains(one.secret) {
                complaints.append(Complaint(.lost, "\(one.slot) is gone after moving back"))
            }
            check(actAsPrevious(Turn()) { $0.shown() }.value, "for the previous release")
        }
    }

    /// All credentials are shown but those whose items the keychain refuses while the device is unlocked.
    private func checkOthersThanRefused() {
        let refused = keychain.refusals
        guard !refused.isEmpty, !refused.values.contains(-25308), setup.store != .ownStorage else { return }
        let before = running
        startAgain(1)
        let shown = Set(act(.app, Turn()) { $0.shown() }.value.map(\.slot))
        running = before
        for (slot, credential) in model.credentials.sorted(by: { $0.key < $1.key })
        where credential.presence == .certain && !shown.contains(slot) && refused[slot.itemName] == nil {
            complaints.append(Complaint(.hostage, "\(slot) is not shown while other items are refused"))
        }
    }

    private var outcome: String { running[.app]?.outcome ?? "not run" }

    private func startAgain(_ times: Int) {
        for _ in 0..<times where complaints.isEmpty {
            running = [:]
            act(.app, Turn(starts: false)) { release in
                // What two deaths held back is tried again, as the next version of the app would.
                try? release.migration.rollout?.retry()
                release.start(mode, alone: true)
                _ = release.client.getAllAccounts()
            }
        }
    }

    private func check(_ when: String) {
        check(act(.app, Turn()) { $0.shown() }.value, when)
        guard setup.store != .ownStorage else { return }
        let pushes = act(.app, Turn()) { $0.shownPushes() }.value
        complaints += model.complaints(aboutPushes: pushes, of: server.devices.mapValues(\.uid)).map {
            Complaint($0.kind, "\(when), \($0.text)")
        }
    }

    private func check(_ shown: [Shown], _ when: String) {
        if !isInPlace { model.showedFromStore(shown) }
        complaints += model.complaints(about: shown, isCalm: true, isMoved: !isInPlace).map {
            Complaint($0.kind, "\(when), \($0.text)")
        }
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
