import CredentialMigration
import Crypto
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

// The actions of the system, and the checks at the end of a life.

extension Phone {
    func restore(_ withKeychain: Bool) {
        running = [:]
        model.halfRemoved = [:]
        if withKeychain {
            keychain.items = keychain.items.filter { $0.value.accessibility.travels }
            // The new phone has a different Secure Enclave, so the key is lost.
            if itemKey != nil { loseKey() }
            return
        }
        keychain.items = [:]
        // The tombstones are lost, so a copy that could not be removed while the disk was full may return.
        removedOnFullDisk.forEach { model.mayReturn($0) }
        // A store in a file is restored, so the credentials that are known to be in it still exist.
        losesItems(keepsStore: storeKind != .keychain)
    }

    /// Notes that the legacy items, or their contents, no longer exist.
    private func losesItems(keepsStore: Bool) {
        for (slot, credential) in model.credentials {
            let wasInStore = credential.wasInStore && !isInPlace || credential.presence == .inStore
            if !keepsStore || !wasInStore { model.credentials[slot]?.presence = .perhaps }
            model.credentials[slot]?.counter = min(credential.counter, credential.counterInStore)
            // If the account's item was rejected or hidden when the credential moved, the store may lack the account's
            // changes.
            guard !wasInStore || hadRefused || hadHiddenGroup else { continue }
            model.renamed(slot.account, Slot.names[slot.account], surely: false)
            model.refusedAccount(slot.account)
            model.mayLackProtection(slot.account)
        }
    }

    /// Deletes the sealing key.
    ///
    /// The items that were sealed with the key remain, but they can no longer be decrypted.
    func loseKey() {
        guard itemKey != nil, !keychain.isKeyGone else { return }
        keychain.isKeyGone = true
        // A process that has already decrypted the items would still have their contents. So all processes
        // end.
        running = [:]
        model.halfRemoved = [:]
        losesItems(keepsStore: true)
        (hadUndecryptable, hadRefused) = (true, true)
    }

    func refuse(_ item: String, of account: Int, _ status: Int32) {
        keychain.refusals[item] = status
        hadRefused = true
        if status == -26275 { hadUndecryptable = true }
    }

    /// Makes the keychain refuse an item of the store.
    func refuseStored(_ number: Int, _ status: Int32) {
        let keys = keychain.storedItems
        guard !keys.isEmpty else { return }
        keychain.refusals[keys[number % keys.count].account] = status
        keychain.refusesStored = true
        hadRefused = true
    }

    /// Ends all disturbances, and checks that all credentials are shown, before and after restarts of the app.
    ///
    /// If `ending` is a move or a move back, this method also checks that the move completes.
    func calm(_ ending: Step.Ending) {
        keychain.isLocked = false
        keychain.blind = []
        keychain.keyFailures = 0
        gate.isDiskFull = false
        isFollowing = isFollowing || hasFollowed
        if ending == .move { mode = .atOnce }
        checkOthersThanRefused(ending)
        keychain.admit()
        guard complaints.isEmpty else { return }
        keychain.groupless = []
        // After ten minutes, no answer is in progress.
        gate.now += 600
        // A process that ran during the disturbances must now show all credentials.
        for party in [Party.app, .helper] where running[party] != nil && complaints.isEmpty {
            let shown = act(party, Turn()) { release in
                _ = release.shown()
                return release.shown()
            }.value
            if grouplessSinceStart.contains(party) || running[party]?.waitsForStart == true { continue }
            // A process whose move failed still uses the first store. Until its next start, the other
            // processes do not see its changes.
            if running.values.contains(where: { $0.process.usesFirstStore }) { continue }
            // Records that the move to the later store left behind are moved by the next start.
            if running[party]?.process.leavesRecords == true { continue }
            // A process is not checked if it may have to restart before it can read some items, or if a file may have
            // been migrated into a store that was not in charge.
            if hadUndecryptable || hasTriedFile || hadRefused && party == .helper { continue }
            let found = model.complaints(about: shown, in: .calm, isMoved: !isInPlace)
            // A process may have to restart before it can read names and locks in other groups.
            complaints += found.filter { $0.kind != .renamed && $0.kind != .lockOpened }.map {
                $0.kind == .lost
                    ? Complaint(.stale, "\($0.text) for the \(party), which was not restarted") : $0
            }
        }
        if ending == .moveBack, mode != .closedGate { mode = .inPlace }
        startAgain(3)
        guard complaints.isEmpty else { return }
        check("at last")
        // The app cannot complete a transaction that the extension began in the extension's own group.
        let isHalfDone = keychain.items.contains { key, item in
            key.service.hasSuffix(".inPlace") && key.account == "state" && key.group != Group.helper
                && String(decoding: item.data, as: UTF8.self).contains("\"unfinished\":[{")
        }
        if isHalfDone {
            complaints.append(Complaint(.notDone, "a transaction on the legacy items is incomplete"))
        }
        switch ending {
        case .stay: break
        case .move:
            let isNothing =
                keychain.items.keys.allSatisfy { LegacyService(rawValue: $0.service) == nil }
                || keychain.items.keys.contains { $0.group == Group.helper }
                // A release that knows only the first store must not use this store after its records have left.
                || !isFollowing && inspect(setup.store, false) { try $0.hasMovedAway }
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
                // The legacy items cannot contain two credentials with the same key.
                if Set(slots).count < slots.count, (error as? StoreError)?.code == .notWritable { return }
                // An extension stored an item in a group to which the app has no access.
                if keychain.items.keys.contains(where: { $0.group == Group.helper }) { return }
                return complaints.append(Complaint(.notDone, "moving back does not end: \(error)"))
            }
            // The records that were migrated from a file are now legacy items.
            for (slot, credential) in model.credentials where credential.presence == .inStore {
                model.credentials[slot]?.presence = .perhaps
            }
            startAgain(1)
            check("after moving back")
            let after = Set(act(.app, Turn()) { $0.shown() }.value.map(\.secret))
            for one in before where !after.contains(one.secret) {
                complaints.append(Complaint(.lost, "\(one.slot) is gone after moving back"))
            }
            // Without the key, the previous release cannot decrypt the items that were sealed with it.
            if !keychain.isKeyGone {
                check(actAsPrevious(Turn()) { $0.shown() }.value, "for the previous release")
            }
        }
    }

    /// Checks that an unlocked device shows all credentials except those whose items the keychain rejects.
    ///
    /// If the life ends with a move, this method also checks that a refused item does not delay the move.
    func checkOthersThanRefused(_ ending: Step.Ending) {
        let refused = keychain.refusals
        guard !refused.isEmpty, !refused.values.contains(-25308), setup.store != .ownStorage,
            !keychain.groupless.contains(.app), !keychain.refusesStored
        else { return }
        let (before, grouplessBefore) = (running, grouplessSinceStart)
        startAgain(1)
        let shown = Set(act(.app, Turn()) { $0.shown() }.value.map(\.slot))
        (running, grouplessSinceStart) = (before, grouplessBefore)
        // A refused item with a counter may delay the move, and so may an answer in progress.
        let isDelayed = refused.keys.contains { $0.hasSuffix("-hotp") } || !model.messages.isEmpty
        if ending == .move, isInPlace, !isDelayed,
            !keychain.itemNames(visibleTo: .app).isEmpty,
            !keychain.items.keys.contains(where: { $0.group == Group.helper })
        {
            let text = "the move does not end while an item is refused: \(outcome)"
            complaints.append(Complaint(.notDone, text))
        }
        for (slot, credential) in model.credentials.sorted(by: { $0.key < $1.key })
        where credential.presence == .certain && !shown.contains(slot) && refused[slot.itemName] == nil {
            complaints.append(Complaint(.hostage, "\(slot) is not shown while other items are refused"))
        }
    }

    var outcome: String { running[.app]?.outcome ?? "not run" }

    func startAgain(_ times: Int) {
        for _ in 0..<times where complaints.isEmpty {
            running = [:]
            act(.app, Turn(starts: false)) { release in
                // The guard held the migration after the process had died twice. The migration is retried, as the next
                // version of the app would do.
                try? release.migration.rollout?.retry()
                release.start(mode, alone: true)
                _ = release.client.getAllAccounts()
            }
        }
    }

    func check(_ when: String) {
        check(act(.app, Turn()) { $0.shown() }.value, when)
        guard setup.store != .ownStorage else { return }
        let pushes = act(.app, Turn()) { $0.shownPushes() }.value
        complaints += model.complaints(aboutPushes: pushes, of: server.devices.mapValues(\.uid)).map {
            Complaint($0.kind, "\(when), \($0.text)")
        }
    }

    func check(_ shown: [Shown], _ when: String) {
        if !isInPlace { model.showedFromStore(shown) }
        complaints += model.complaints(about: shown, in: .calm, isMoved: !isInPlace).map {
            Complaint($0.kind, "\(when), \($0.text)")
        }
    }
}
