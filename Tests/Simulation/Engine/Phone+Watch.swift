import CredentialMigration
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeTestSupport

// The checks after every step.

extension Phone {
    /// Compares the phone with the model after a step.
    ///
    /// The stored records are checked in every life. A process shows its records only in half of the lives, because
    /// a process that shows its records also repairs them.
    func watch(_ step: Step) {
        guard complaints.isEmpty else { return }
        checkStored()
        if step.meanwhile == nil { checkReceipt(of: step.action) }
        guard setup.isWatched == true, complaints.isEmpty else { return }
        for party in [step.action.ours ?? step.action.asyncParty, step.meanwhile?.action.ours].compactMap(
            \.self
        ) { watch(party) }
    }

    /// Checks that each credential that must exist is in the legacy items or in one of the stores.
    private func checkStored() {
        complaints += model.complaints(aboutStored: storedItems() + storedRecords())
    }

    /// Checks that the store contains each credential that the receipt of a start or a move lists as stored.
    private func checkReceipt(of action: Step.Action) {
        guard complaints.isEmpty, setup.store != .ownStorage else { return }
        let party: Party
        switch action {
        case .start(let one), .move(let one): party = one
        default: return
        }
        let receipt: MigrationReceipt
        switch running[party]?.migration.outcome {
        case .done(let all), .later(let all?): receipt = all
        default: return
        }
        let ids = Set(storedRecords().map(\.id))
        for record in receipt.records where record.isRetirable && record.kind.isOfCredential {
            guard let id = record.result.credentialId, !ids.contains(id) else { continue }
            let outcome = record.result.outcome
            let text = "the receipt of the \(party) lists \(record.key) as \(outcome), but the store lacks it"
            complaints.append(Complaint(.wrongReport, text))
        }
    }

    /// The state before a step.
    struct Before {
        let placing: PlacingState
        let mode: Step.Mode
        /// The names of the legacy items in the app's groups.
        let items: Set<String>
        /// The secrets that a move has copied into the store, if the app lacks a group during this move; otherwise
        /// empty.
        let copied: Set<String>
        /// Whether the store that the app uses later contains the state of a move.
        ///
        /// If the phone lost the keychain with the first store, the app resumes this move in the later store.
        let hasLaterMove: Bool
    }

    /// Returns the state before a step.
    func beforeStep() -> Before {
        let placing = placing
        let isHalfSeen = placing == .moving && keychain.groupless.contains(.app)
        return Before(
            placing: placing,
            mode: mode,
            items: keychain.itemNames(visibleTo: .app),
            copied: isHalfSeen ? Set(storedRecords().map(\.secret)) : [],
            hasLaterMove: hasLaterMove
        )
    }

    private var hasLaterMove: Bool {
        guard let later = setup.later, later != storeKind else { return false }
        return inspect(later, false) { try $0.move() != nil }
    }

    /// Notes that a move may have removed the copies of accounts whose items it could not see.
    ///
    /// The items of such an account are in the shared group, which the app lost before an attempt could see the items.
    /// Without a marker in this group, the move cannot distinguish the account from an account that the previous
    /// release removed.
    func settleInvisible(_ before: Before) {
        guard !before.copied.isEmpty, !isInPlace else { return }
        let hasMarker = keychain.items.keys.contains { key in
            key.service.hasSuffix(".inPlace") && key.account == "here" && key.group == Group.shared
        }
        guard !hasMarker else { return }
        for (slot, credential) in model.credentials
        where credential.presence == .certain && !before.copied.isDisjoint(with: credential.secrets) {
            let account = slot.accountItemName
            let isVisible = before.items.contains { $0 == account || $0.hasPrefix("\(account)-") }
            let isInSharedGroup = keychain.legacyItems.keys.contains { key in
                key.account == slot.itemName && key.group == Group.shared
            }
            if !isVisible, isInSharedGroup { model.credentials[slot]?.presence = .perhaps }
        }
    }

    /// Complains if a move began although the release does not allow it.
    func checkPermission(_ step: Step, _ before: Before) {
        guard complaints.isEmpty, before.placing == .inPlace, placing == .moving || placing == .moved,
            before.mode == .inPlace || before.mode == .closedGate, !before.hasLaterMove
        else { return }
        for action in [step.action, step.meanwhile?.action] {
            switch action {
            case .move, .migrateFile, .calm(.move): return
            default: continue
            }
        }
        // A store with the records of a file is in charge if there are no legacy items, or if the file's records are
        // among the legacy items. The step may have removed the last item.
        let file = Slot(account: Slot.ofFile, kind: .totp).itemName
        let hadNoItems = before.items.isEmpty || keychain.itemNames(visibleTo: .app).isEmpty
        if hasTriedFile, hadNoItems || before.items.contains(file) { return }
        complaints.append(Complaint(.movedUnasked, "the records move although the release stays in place"))
    }

    /// Checks that a process shows each credential that must exist, if the process can read all records.
    private func checkAllShown(_ shown: [Shown], _ party: Party) {
        // After a hidden group, a refused item, the migration of a file or a failed move, a process may have to restart
        // before it can read some items.
        guard !grouplessSinceStart.contains(party), !hadUndecryptable, !hasTriedFile,
            !(hadRefused && party == .helper), !running.values.contains(where: { $0.process.usesFirstStore })
        else { return }
        let slots = Set(shown.map(\.slot))
        for (slot, credential) in model.credentials.sorted(by: { $0.key < $1.key })
        where credential.presence == .certain && !slots.contains(slot) {
            complaints.append(
                Complaint(.stale, "after the step, the \(party) does not show the credential \(slot)")
            )
        }
    }

    /// The credentials in the legacy items, read directly and not through a simulated process.
    func storedItems() -> [Shown] {
        keychain.items.sorted { $0.key < $1.key }.compactMap { key, item in
            guard key.service == LegacyService.mechanism.rawValue else { return nil }
            let isSealed = itemKey != nil && item.data.first == 4
            if isSealed, keychain.isKeyGone { return nil }
            if let known = decoded[item.data] { return known }
            let data = isSealed ? try? itemKey?.open(item.data) : item.data
            guard let data, let record = try? LegacyRecord(archive: data, service: .mechanism),
                case .mechanism(let mechanism) = record, let shown = Shown(mechanism)
            else { return nil }
            decoded[item.data] = shown
            return shown
        }
    }

    /// The credentials in the stores, read directly and not through a simulated process.
    func storedRecords() -> [Shown] {
        let kinds = [setup.store] + [setup.later].compactMap(\.self)
        return kinds.flatMap { kind in
            inspect(kind, []) { view in
                try view.pushCredentials().values.compactMap(Shown.init)
                    + view.oathCredentials().values.compactMap(Shown.init)
            }
        }
    }

    /// Compares the model with the records that a running process shows, if the process can read all records.
    private func watch(_ party: Party) {
        guard isRunning(party), !isStormy, complaints.isEmpty else { return }
        Randomness.seeded(seed(party == .app ? 4 : 5)) {
            let (seen, isSure, release) = act(party, Turn()) { release in
                // The first call may import records.
                _ = release.shown()
                return (shown: release.shown(), pushes: release.pendingPushes())
            }
            guard isSure, !release.process.usesFirstStore || !hasFollowed else { return }
            // A process that retries an import only at its next start may not show the previous release's changes.
            let phase: Model.Phase = release.waitsForStart ? .disturbed : .afterStep
            let found =
                model.complaints(about: seen.shown, in: phase, isMoved: !isInPlace)
                + model.complaints(aboutPending: seen.pushes)
            complaints += found.map { Complaint($0.kind, "after the step, for the \(party), \($0.text)") }
            if phase == .afterStep { checkAllShown(seen.shown, party) }
            if release.isOnStore { model.showedFromStore(seen.shown) }
            guard complaints.isEmpty, mayUseAsync, let listed = release.asyncShown(on: self) else { return }
            let foundThere = model.complaints(about: listed, in: .disturbed, isMoved: true)
            complaints += foundThere.map {
                Complaint($0.kind, "after the step, in the async API, \($0.text)")
            }
            let ids = Set(listed.map(\.id))
            let missing = seen.shown.filter { !ids.contains($0.id) }
            guard !missing.isEmpty else { return }
            // The async API opens a new store, whose first transaction may complete a removal that another process left
            // unfinished. From then on, no API of this process shows the credential.
            let remaining = Set(release.shown().map(\.id))
            for one in missing
            where model.credentials[one.slot]?.presence != .perhaps || remaining.contains(one.id) {
                complaints.append(Complaint(.lost, "the async API does not list the credential \(one.slot)"))
            }
        }
    }
}

extension LegacyRecordKind {
    fileprivate var isOfCredential: Bool { self == .push || self == .totp || self == .hotp }
}

extension Shown {
    init?(_ mechanism: LegacyMechanism) {
        let kind = mechanism.kind.rawValue
        guard let slot = Slot(accountName: mechanism.account.accountName, kind: kind) else { return nil }
        let secret = mechanism.secret.withUTF8 { $0 }.plainSecret
        self.init(slot: slot, id: mechanism.mechanismUUID, secret: secret)
        if case .hotp(_, let counter) = mechanism.factor { self.counter = counter }
    }

    init?(_ credential: PushCredential) {
        guard let slot = Slot(accountName: credential.account.accountName, kind: "push") else { return nil }
        let secret = credential.secretSpelling.withUTF8 { $0 }.plainSecret
        self.init(slot: slot, id: credential.id, secret: secret)
    }

    init?(_ credential: OathCredential) {
        let kind = credential.oathType == .hotp ? "hotp" : "totp"
        guard let slot = Slot(accountName: credential.account.accountName, kind: kind) else { return nil }
        self.init(slot: slot, id: credential.id, secret: credential.withSecret { $0 }.plainSecret)
        if slot.kind == .hotp { counter = credential.counter }
    }
}
