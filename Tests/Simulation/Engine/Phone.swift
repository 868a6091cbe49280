import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
package import PushBridgeStore

/// Where the records are, as one sees from outside.
package enum PlacingState: String, CaseIterable, Sendable {
    case inPlace, moving, moved, movingBack
}

/// A process of our release.
final class Release: @unchecked Sendable {
    // Only the holder of the baton touches it.
    let process: Process
    let migration = FRAMigration()
    let authenticator: Authenticator
    let client: FRAClient
    let handler: FRAPushHandler

    init(_ process: Process, _ phone: Phone) {
        self.process = process
        let (gate, setup) = (phone.gate, phone.setup)
        let keychain = SimulatedKeychain(phone.keychain, process, gate)
        migration.source = .keychain(keychain)
        migration.mode = phone.isAtOnce ? .atOnce : .inPlace
        var configuration = Authenticator.Configuration()
        let durable = phone.store
        configuration.store = {
            switch setup.store {
            case .memory: GatedStore(durable, process, gate)
            case .keychain: KeychainCredentialStore(keychain: keychain, accessGroup: Group.shared)
            }
        }
        configuration.deviceName = { "Phone" }
        configuration.migration = migration
        configuration.now = { gate.now }
        authenticator = Authenticator(configuration)
        client = FRAClient(authenticator)
        handler = FRAPushHandler(authenticator)
    }

    /// What it shows.
    func shown() -> [Shown] {
        client.getAllAccounts().flatMap { account in
            account.mechanisms.compactMap { mechanism in
                guard let json = mechanism.toJson().flatMap({ JSONValue(json: Data($0.utf8)) }),
                    case .string(let secret)? = json["secret"],
                    let slot = Slot(accountName: account.accountName, kind: mechanism.type)
                else { return nil }
                var shown = Shown(slot: slot, id: mechanism.mechanismUUID, secret: secret)
                shown.counter = (mechanism as? HOTPMechanism)?.counter
                shown.name = account.displayAccountName
                shown.isLocked = account.lock
                return shown
            }
        }
    }
}

/// What decides a life beside its steps.
package struct Setup: Codable, Sendable {
    package enum StoreKind: String, Codable, CaseIterable, Sendable { case memory, keychain }

    package var seed: UInt64
    package var store: StoreKind
}

/// A phone with its records, and the processes that run on it.
package final class Phone: @unchecked Sendable {
    // Only the holder of the baton touches it.
    package let setup: Setup
    package let gate = Gate()
    package let keychain = KeychainContents()
    package let store = MemoryCredentialStore()
    package var model = Model()
    package var complaints: [Complaint] = []
    /// Whether starts of our release migrate.
    package var isAtOnce = false
    private var running: [Party: Release] = [:]
    private var enrolments: UInt64 = 0

    package init(_ setup: Setup) {
        self.setup = setup
    }

    // MARK: - From outside

    package var placing: PlacingState { placingState(of: self) }

    package func isRunning(_ party: Party) -> Bool { running[party] != nil }

    /// A look at the store without a process.
    func inspect<Value>(_ fallback: Value, _ body: (any CredentialReading) throws -> Value) -> Value {
        let outside: any CredentialStore
        switch setup.store {
        case .memory: outside = store
        case .keychain:
            let all = InMemoryKeychain()
            for (key, item) in keychain.items where key.service.hasPrefix("com.pingidentity") {
                let name = KeychainItem.Name(service: key.service, account: key.account, accessGroup: key.group)
                try? all.add(KeychainItem(name, data: item.data))
            }
            outside = KeychainCredentialStore(keychain: all, accessGroup: Group.shared)
        }
        return (try? outside.read(body)) ?? fallback
    }

    // MARK: - Steps

    package func perform(_ step: Step) {
        gate.now += 5
        let state = placing
        gate.coverage.count(.event(step.action.event, in: state))
        gate.note("- \(step.action.story)", "")
        switch step.action {
        case .enrol(let party, let slot): enrol(slot, by: party, step)
        case .remove(let party, let slot): remove(slot, by: party, step)
        case .removeAccount(let party, let account): remove(account: account, by: party, step)
        case .code(let party, let slot): makeCode(slot, by: party, step)
        case .start(let party): start(party, step)
        case .end(let party): running[party] = nil
        case .move(let party):
            act(party, step) { $0.migration.run(on: $0.authenticator) }
        case .moveBack(let party):
            act(party, step) { _ = try? $0.migration.moveBack(on: $0.authenticator) }
        case .look(let party): look(party, step)
        case .mode(let isAtOnce):
            self.isAtOnce = isAtOnce
            running = [:]
        case .lock: keychain.isLocked = true
        case .unlock: keychain.isLocked = false
        case .blind(let party): keychain.blind.insert(party)
        case .see(let party): keychain.blind.remove(party)
        case .hideGroup(let party): keychain.groupless.insert(party)
        case .showGroup(let party): keychain.groupless.remove(party)
        case .refuse(let slot, let status):
            keychain.refusals["\(Slot.issuer)-\(slot.accountName)-\(slot.kind)"] = status
        case .admit: keychain.refusals = [:]
        case .calm: calm(step)
        }
        if let party = gate.endless { complaints.append(Complaint(.endless, "\(party) does not end")) }
    }

    /// A process of our release; launched if it does not run.
    private func release(_ party: Party) -> Release {
        if let release = running[party] { return release }
        let release = Release(Process(party), self)
        running[party] = release
        return release
    }

    /// Does something in a process of our release.
    /// - Returns: What it did, and whether nothing happened to it meanwhile.
    @discardableResult
    private func act<Value>(
        _ party: Party,
        _ step: Step,
        _ body: (Release) -> Value
    ) -> (value: Value, isSure: Bool) {
        let isNew = running[party] == nil
        let release = release(party)
        let process = release.process
        process.operations = 0
        process.disturbances = step.disturbances
        process.wasDisturbed = false
        if isNew { release.migration.runIfDue(on: release.authenticator) }
        let value = body(release)
        if process.isDead { running[party] = nil }
        return (value, !process.isDead)
    }

    /// Does something in the previous release, with which none of ours runs.
    private func actAsPrevious<Value>(
        _ step: Step,
        _ body: (OldRelease) -> Value
    ) -> (value: Value, isSure: Bool) {
        running = [:]
        let process = Process(.previous)
        process.disturbances = step.disturbances
        let value = body(OldRelease(SimulatedKeychain(keychain, process, gate), at: gate.now))
        return (value, !process.isDead)
    }

    private func start(_ party: Party, _ step: Step) {
        running[party] = nil
        act(party, step) { _ in }
    }

    private func enrol(_ slot: Slot, by party: Party, _ step: Step) {
        enrolments += 1
        let secret = Self.secret(setup.seed, enrolments)
        let counter = 3
        if party == .previous {
            let id = "OLD-\(enrolments)"
            let before = model.credentials[slot]
            let (isDone, isSure) = actAsPrevious(step) {
                $0.enrol(slot, id: id, secret: secret, counter: counter)
            }
            if isDone && isSure {
                model.enrolled(slot, secret, counter: counter, surely: true)
            } else if !isSure, before == nil {
                model.enrolled(slot, secret, counter: counter, surely: false)
            }
            return
        }
        let counterText = slot.kind == .hotp ? "&counter=\(counter)" : ""
        let text =
            "otpauth://\(slot.kind)/\(Slot.issuer):\(slot.accountName)?secret=\(secret)&issuer=\(Slot.issuer)\(counterText)"
        guard let uri = URL(string: text) else { return }
        let (isDone, isSure) = act(party, step) { release in
            var isDone = false
            release.client.createMechanismFromUri(uri: uri, onSuccess: { _ in isDone = true }, onError: { _ in })
            return isDone
        }
        if isDone {
            model.enrolled(slot, secret, counter: counter, surely: isSure)
        } else if !isSure {
            model.enrolled(slot, secret, counter: counter, surely: false)
        }
    }

    private func remove(_ slot: Slot, by party: Party, _ step: Step) {
        let isInCharge = placing == .inPlace || placing == .moving
        let (isDone, isSure) =
            party == .previous
            ? actAsPrevious(step) { $0.remove(slot) }
            : act(party, step) { release in
                let account = release.client.getAllAccounts().first { $0.accountName == slot.accountName }
                guard let found = account?.mechanisms.first(where: { $0.type == slot.kind.rawValue }) else {
                    return false
                }
                return release.client.removeMechanism(mechanism: found)
            }
        guard isDone || !isSure else { return }
        model.removed(slot, surely: isDone && isSure && (party != .previous || isInCharge))
    }

    private func remove(account: Int, by party: Party, _ step: Step) {
        let isInCharge = placing == .inPlace || placing == .moving
        let name = Slot.names[account]
        let (isDone, isSure) =
            party == .previous
            ? actAsPrevious(step) { $0.remove(name) }
            : act(party, step) { release in
                guard let found = release.client.getAllAccounts().first(where: { $0.accountName == name }) else {
                    return false
                }
                return release.client.removeAccount(account: found)
            }
        guard isDone || !isSure else { return }
        for kind in Slot.Kind.allCases {
            model.removed(
                Slot(account: account, kind: kind),
                surely: isDone && isSure && (party != .previous || isInCharge)
            )
        }
    }

    private func makeCode(_ slot: Slot, by party: Party, _ step: Step) {
        let (counter, _) =
            party == .previous
            ? actAsPrevious(step) { $0.code(slot) }
            : act(party, step) { release in
                let account = release.client.getAllAccounts().first { $0.accountName == slot.accountName }
                guard let hotp = account?.mechanisms.compactMap({ $0 as? HOTPMechanism }).first,
                    (try? hotp.generateCode()) != nil
                else { return nil }
                return hotp.counter - 1
            }
        guard let counter, let known = model.credentials[slot] else { return }
        if counter < known.counter, party != .previous || placing == .inPlace {
            complaints.append(Complaint(.codeTwice, "\(slot) made a code of \(counter) twice"))
        }
        model.credentials[slot]?.counter = max(known.counter, counter + 1)
    }

    private func look(_ party: Party, _ step: Step) {
        if party == .previous {
            _ = actAsPrevious(step) { $0.shown() }
            return
        }
        let (shown, isSure) = act(party, step) { $0.shown() }
        guard isSure else { return }
        complaints += model.complaints(about: shown, isCalm: false)
    }

    /// The storm is over: everything is readable, and the app is started until nothing changes.
    private func calm(_ step: Step) {
        keychain.isLocked = false
        keychain.blind = []
        keychain.groupless = []
        keychain.refusals = [:]
        var quiet = step
        quiet.disturbances = []
        for _ in 0..<3 {
            running = [:]
            act(.app, quiet) { _ = $0.client.getAllAccounts() }
        }
        let (shown, _) = act(.app, quiet) { $0.shown() }
        complaints += model.complaints(about: shown, isCalm: true)
    }

    /// A secret in base32.
    private static func secret(_ seed: UInt64, _ number: UInt64) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var mixed = (seed &* 31 &+ number) &* 0x9E37_79B9_7F4A_7C15
        var text = ""
        for _ in 0..<16 {
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            text.append(alphabet[Int(mixed >> 59)])
        }
        return text
    }
}

/// Where the records are; the only place that knows how the product writes that down.
func placingState(of phone: Phone) -> PlacingState {
    phone.inspect(.inPlace) { view in
        let marks = try view.ids(of: .importMark, where: .all)
        if marks.contains("move of legacy items") { return .moving }
        return try view.count(of: .ledger, where: .all) > 0 ? .moved : .inPlace
    }
}
