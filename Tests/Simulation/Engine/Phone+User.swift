import CredentialMigration
import Crypto
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

// The actions of the user.

extension Phone {
    /// The user scans a new code or, if `again` is true, the last code, which the server accepts again.
    func enrol(_ slot: Slot, by party: Party, _ turn: Turn, again: Bool = false) {
        enrolments += 1
        model.halfRemoved[slot.account] = nil
        let known = again ? codes[slot] : nil
        let bytes =
            known?.bytes
            ?? Data(SHA256.hash(data: Data("\(setup.seed) \(enrolments)".utf8)).prefix(20))
        codes[slot] = Code(bytes: bytes)
        let secret = slot.kind == .push ? bytes.base64URL : bytes.base32
        let counter = 3
        if known != nil, model.credentials[slot] != nil, party == .previous || !turn.isAlone { return }
        if party == .previous {
            let id = "OLD-\(setup.seed)-\(enrolments)"
            let hasPolicy = enrolments % 2 == 0
            let (isDone, isSure) = actAsPrevious(turn) {
                $0.enrol(slot, id: id, secret: secret, counter: counter, hasPolicy: hasPolicy)
            }
            if !turn.disturbances.isEmpty, model.accounts[slot.account] != nil {
                // If the SDK could not list the accounts, it replaced the account's item. The new item has the name in
                // the code.
                model.renamed(slot.account, slot.accountName, surely: false)
                model.mayLackProtection(slot.account)
            }
            if isDone, known != nil { model.scannedAgain.insert(slot) }
            if isDone, slot.kind == .push { server.devices[slot] = Server.Device(uid: id, secret: bytes) }
            if isDone && isSure {
                model.enrolled(
                    slot,
                    secret,
                    counter: counter,
                    surely: !removedWithoutGroup.contains(slot.account),
                    withPolicy: hasPolicy,
                    byPrevious: true
                )
                if placing != .inPlace { model.enrolledBesideCopies(slot) }
            } else {
                if !isSure { model.enrolled(slot, secret, counter: counter, surely: false) }
                // The SDK may have stored the account without the mechanism. The model does not expect this account to
                // have the code's policy.
                model.mayHaveAccount(slot)
                if placing != .inPlace { model.enrolledBesideCopies(slot) }
            }
            return
        }
        let message = "REGISTER:\(enrolments)"
        server.pending[message] = (slot, bytes)
        let uri = Wire.code(slot, secret: bytes, counter: counter, message: message)
        let (isDone, isSure, release) = scan(uri, of: slot, by: party, turn)
        if known != nil, let before = model.credentials[slot] {
            // A process that sees the code's credential rejects the code, and nothing changes.
            if isDone == true || !isSure {
                model.credentials[slot]?.counter = min(counter, before.counter)
                model.scannedAgain.insert(slot)
                // If the process sees neither the credential nor the account's item, the new item has the name in the
                // code, and it lacks the policies and the lock.
                model.renamed(slot.account, Slot.names[slot.account], surely: false)
                if !keychain.blind.isEmpty || !turn.disturbances.isEmpty {
                    model.mayLackProtection(slot.account)
                }
                // This code may have been rejected at its first scan, because another process scanned another code at
                // the same time. Then the model lacks the code's secret.
                if !before.secrets.contains(secret) { model.credentials[slot]?.secrets.append(secret) }
                model.made = model.made.filter { !$0.contains(secret) }
            }
            return
        }
        if known != nil, isDone == true { model.scannedAgain.insert(slot) }
        enrolled(slot, secret, counter: counter, isDone, isSure, release, turn)
    }

    /// The user scans one new code for a push credential and a TOTP credential.
    func enrolBoth(_ account: Int, by party: Party, _ turn: Turn) {
        enrolments += 1
        model.halfRemoved[account] = nil
        let (push, oath) = (Slot(account: account, kind: .push), Slot(account: account, kind: .totp))
        for slot in [push, oath] {
            let seed = Data("\(setup.seed) \(enrolments) \(slot.kind)".utf8)
            codes[slot] = Code(bytes: Data(SHA256.hash(data: seed).prefix(20)))
        }
        guard let pushSecret = codes[push]?.bytes, let oathSecret = codes[oath]?.bytes else { return }
        let message = "REGISTER:\(enrolments)"
        server.pending[message] = (push, pushSecret)
        let uri = Wire.code(push, secret: pushSecret, oath: oathSecret, message: message)
        let (isDone, isSure, release) = scan(uri, of: push, by: party, turn)
        for (slot, secret) in [(push, pushSecret.base64URL), (oath, oathSecret.base32)] {
            let isOpen = server.devices[push]?.secret == pushSecret
            enrolled(slot, secret, counter: 0, isDone, isSure, release, turn, mayBeCompleted: isOpen)
        }
    }

    /// Scans a code in a process of the release with PushBridge.
    private func scan(
        _ uri: String,
        of slot: Slot,
        by party: Party,
        _ turn: Turn
    ) -> (isDone: Bool?, isSure: Bool, release: Release) {
        let needsToken = slot.kind == .push && !hasToken
        let (isDone, isSure, release) = act(party, turn) { release in
            if needsToken, release.handler.deviceToken == nil {
                release.handler.didRegister(Data([0xAB, 0xCD]))
            }
            return release.enrol(uri)
        }
        if needsToken { hasToken = true }
        if setup.store == .ownStorage, release.process.wasDisturbed {
            // If an app's own storage did not find the account, the process stored a new account with the name in the
            // code.
            model.renamed(slot.account, slot.accountName, surely: false)
            // Such a storage does not report that a read failed. So four refused operations can hide the account: the
            // process does not find it, cannot store it, finds no mechanisms, removes the account, and cannot restore it.
            if turn.disturbances.count > 3 { model.mayHide(slot.account) }
        }
        if isDone == nil {
            complaints.append(Complaint(.hangs, "no callback reports the scan of a code of \(slot)"))
        }
        return (isDone, isSure, release)
    }

    /// Records the result of the scan of a new code, for one of the code's credentials.
    private func enrolled(
        _ slot: Slot,
        _ secret: String,
        counter: Int,
        _ isDone: Bool?,
        _ isSure: Bool,
        _ release: Release,
        _ turn: Turn,
        mayBeCompleted: Bool = false
    ) {
        if !turn.isAlone, isDone == true, !enrolledInStep.insert(slot).inserted {
            // Both processes enrolled this credential. Either of the two enrolments may be the later one.
            model.credentials[slot]?.secrets.append(secret)
        } else if isDone == true {
            // Whether the process stored the credential in the first store although the other records have moved to the
            // later store. The credential may then be hidden for a time.
            let isBehind = release.process.usesFirstStore && hasFollowed
            let hasProtection = setup.store != .ownStorage
            // If the other process removed the account, this credential may be gone.
            let isKept = !removedInStep.contains(slot.account)
            let isCertain = isSure && !isBehind && isKept && (turn.isAlone || hasProtection)
            model.enrolled(slot, secret, counter: counter, surely: isCertain)
            if placing == .moving { model.enrolledBesideCopies(slot) }
            model.credentials[slot]?.wasInStore = isSure && turn.isAlone && !isInPlace
        } else if !isSure || release.process.wasDisturbed || isStormy || slot.kind == .push
            || mayBeCompleted
        {
            model.enrolled(slot, secret, counter: counter, surely: false)
            // If the next start completes the enrolment, removed credentials of the account may return.
            if placing == .moving { model.enrolledBesideCopies(slot) }
        }
    }

    func remove(
        _ slots: [Slot],
        by party: Party,
        _ turn: Turn,
        wholeAccount: Bool,
        isAsync: Bool = false
    ) {
        guard !isAsync || mayUseAsync else { return }
        // In place, a removal by the previous release lasts. During a move, only the removal of a whole account lasts,
        // and only if the clock never went back. After a move, the store is in charge, so the credential may be shown
        // again.
        let wasInCharge = placing == .inPlace || placing == .moving && wholeAccount && !hasClockGoneBack
        let account = slots[0].account
        model.halfRemoved[account] = nil
        if wholeAccount, !turn.isAlone { removedInStep.insert(account) }
        let lacksGroup = keychain.groupless.contains(party)
        var removed: [Slot] = []
        var present: Set<Slot> = []
        // The secrets of the account's credentials that the process shows.
        var shown: Set<String> = []
        var isTried = false
        var isOneOfSeveral = false
        // Whether the async API shows no other credential of the account, and so removes the account, too.
        var removesAccount = false
        let isSure: Bool
        if party == .previous {
            (_, isSure) = actAsPrevious(turn) { old in
                isTried = true
                removed = wholeAccount ? old.remove(account: account) : old.remove(slots[0])
            }
        } else {
            (_, isSure, _) = act(party, turn) { release in
                if isAsync {
                    let removal = release.asyncRemove(slots[0], on: self)
                    guard !removal.found.isEmpty else { return }
                    (isTried, isOneOfSeveral) = (true, removal.found.count > 1)
                    shown = Set(removal.found)
                    removesAccount = removal.isLast
                    if removal.isDone { removed = slots }
                    return
                }
                guard let found = release.account(account) else { return }
                let mechanisms = found.mechanisms.filter { mechanism in
                    slots.contains { $0.kind.rawValue == mechanism.type }
                }
                guard let first = mechanisms.first else { return }
                isTried = true
                shown = Set(release.shown(of: found).map(\.secret))
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
        if wholeAccount, lacksGroup, !isSure { removedWithoutGroup.insert(account) }
        let isWhole = wholeAccount && turn.isAlone && !isStormy && setup.store != .ownStorage
        if isWhole, party != .previous, !isSure, !present.contains(where: isCopied) {
            model.halfRemoved[account] = present
        }
        // During a move, PushBridge keeps an account if the previous release left one of its items, or if the attempt
        // that copied the account could not decrypt its items.
        let isPartial =
            placing == .moving
            && (hadUndecryptable
                || slots.contains { slot in
                    keychain.items.keys.contains {
                        [slot.itemName, slot.accountItemName].contains($0.account)
                    }
                })
        // The secrets of credentials that the user does not see, and therefore does not remove. After a move, the
        // process may not have imported a credential of the previous release. During a move, a copy in the store may
        // have a different secret from the item, if the previous release replaced the item.
        let copies = placing == .moving && party != .previous ? model.secrets(of: account) : []
        let unseen = Set(isInPlace ? copies : storedItems().map(\.secret)).subtracting(shown)
        for slot in slots {
            let isRemoved = removed.contains(slot)
            // An interrupted enrolment may be completed after this removal. So the removal of an uncertain credential
            // by the previous release does not count.
            let isCertain = model.credentials[slot]?.presence == .certain
            let isLast =
                placing == .moving
                && !keychain.items.keys.contains { LegacyService(rawValue: $0.service) != nil }
            let counts =
                party == .previous ? wasInCharge && isInPlace && isCertain && !isLast && !isPartial : true
            if party == .previous, !wasInCharge, let known = model.credentials[slot] {
                // The previous release may have raised the counter in the item. The store did not read that counter
                // before the item was removed, so the store may still have the counter that it showed last.
                model.credentials[slot]?.counter = min(known.counter, known.counterInStore)
            }
            // A process does not remove items that it cannot see or read.
            let sees = !keychain.groupless.contains(party) && keychain.refusals.isEmpty
            // If the migration of a file was interrupted, it is repeated, and adds the file's credential again.
            let stays = slot.account != Slot.ofFile
            // An undecryptable item is not removed. An item that an app's own storage does not find is not
            // removed either.
            let isFound = !turn.disturbances.contains { disturbance in
                if case .fault(let status) = disturbance.what {
                    status == -26275 || setup.store == .ownStorage
                } else {
                    false
                }
            }
            // An app's own storage is not protected against changes by two processes at the same time.
            let hasProtection = setup.store != .ownStorage
            let isProtected = (turn.isAlone || hasProtection) && !isOneOfSeveral
            model.removed(
                slot,
                surely: isFound && isProtected && isRemoved && isSure && counts && sees && stays
                    && !isCopied(slot),
                byPrevious: party == .previous,
                unseen: unseen
            )
        }
        let hasItems = keychain.items.keys.contains { LegacyService(rawValue: $0.service) != nil }
        if party == .previous, placing == .moving, !hasItems { model.removedLastItem() }
        if gate.isDiskFull, placing == .moving { removedOnFullDisk += slots }
        if wholeAccount, !turn.isAlone {
            for slot in model.credentials.keys where slot.account == account && !slots.contains(slot) {
                model.removed(slot, surely: false, byPrevious: party == .previous)
            }
        }
        if wholeAccount || removesAccount { model.mayHaveFormerName(account) }
        if removesAccount {
            // After the account's removal, another enrolment creates a new account with the name in the code.
            model.renamed(account, Slot.names[account], surely: false)
            model.mayLackProtection(account)
        }
        if wholeAccount, isStormy {
            // The removal may be incomplete, and the remaining parts of the account may lack its name or policy.
            model.renamed(account, Slot.names[account], surely: false)
            model.mayLackProtection(account)
        }
    }

    func makeCode(_ slot: Slot, by party: Party, _ turn: Turn, isAsync: Bool = false) {
        guard !isAsync || mayUseAsync else { return }
        let counter: Int?
        if party == .previous {
            let made = actAsPrevious(turn) { $0.code(slot) }.value
            // The previous release may still have a credential that PushBridge has replaced; the model does not check
            // the one-time passwords of this credential.
            guard let made, model.credentials[slot]?.secrets.contains(made.secret) == true else { return }
            counter = made.counter
        } else {
            counter =
                act(party, turn) { release -> Int? in
                    if isAsync { return release.asyncCode(slot, on: self) }
                    // After a move, the store may still contain a credential that the previous release removed. The
                    // user does not use this credential.
                    let removed = model.removedSecrets(of: slot)
                    guard let hotp = release.mechanism(slot, without: removed) as? HOTPMechanism,
                        (try? hotp.generateCode()) != nil
                    else { return nil }
                    return hotp.counter - 1
                }.value
        }
        guard let counter, let known = model.credentials[slot] else { return }
        // If a code was scanned twice, two credentials have its secret, each with its own counter.
        if party != .previous, turn.isAlone, !model.scannedAgain.contains(slot),
            model.made.contains("\(known.secrets) \(counter)")
        {
            complaints.append(Complaint(.codeTwice, "\(slot) made two passwords with the counter \(counter)"))
        }
        if party != .previous { model.made.insert("\(known.secrets) \(counter)") }
        model.credentials[slot]?.counter = max(known.counter, counter + 1)
    }

    /// The user gives an account a custom name or, if `removesName` is true, removes its custom name.
    func rename(_ account: Int, by party: Party, _ turn: Turn, removesName: Bool = false) {
        let name = removesName ? Slot.names[account] : "\(Slot.names[account]) \(steps)"
        // A rename by the previous release is certain to change the record in use only if the legacy items are in
        // charge and every process sees all of them.
        let isInCharge = isInPlace && keychain.blind.isEmpty && keychain.groupless.isEmpty
        // If the account has an item in each of two groups, a rename reaches only one of them.
        let item = Slot(account: account, kind: .totp).accountItemName
        let hasOneItem = keychain.legacyItems.keys.count { $0.account == item } < 2
        if party == .previous {
            let (before, hasCopy) = (model.accounts[account]?.names ?? [], placing == .moving)
            let (isDone, isSure) = actAsPrevious(turn) { $0.rename(account, to: name) }
            if isDone, hasCopy { model.accounts[account]?.copiedNames.formUnion(before) }
            if isDone || !isSure {
                let surely = isDone && isSure && isInCharge && hasOneItem
                model.renamed(account, name, surely: surely, beside: !isInCharge)
            }
            return
        }
        // During a move, a rename on a full disk does not reach the copy in the store.
        let hasStaleCopy = gate.isDiskFull && placing == .moving
        let before = model.accounts[account]?.names ?? []
        let isVisible = keychain.itemNames(visibleTo: party).contains(item)
        // A copy may contain a name that the successor SDK has set and that the API does not show. The removal of a name
        // that the API does not show keeps this name.
        var isShown = true
        let (isDone, isSure, release) = act(party, turn) { release -> Bool in
            guard let found = release.account(account) else { return false }
            isShown = !removesName || found.displayAccountName != found.accountName
            found.displayAccountName = removesName ? nil : name
            return (try? release.client.updateAccount(account: found)) ?? false
        }
        if isInPlace, !isVisible {
            // The process writes a second item of the account. It lacks the lock and the policies of the hidden item.
            model.accounts[account]?.isLocked = false
            model.accounts[account]?.hasPolicy = false
        }
        if isDone || !isSure || release.process.wasDisturbed || isStormy {
            let sees = !keychain.groupless.contains(party)
            // After a move, a rename does not reach an item that is refused; a move back then restores the item's name.
            // During a move, a rename does not reach a copy that is refused; if the copy is still refused at the end of
            // the move, it keeps its name.
            let isMissed = placing == .moving ? keychain.refusesStored : !isInPlace && hadRefused
            // While two processes run at once, one of them can hold the store, which `storeKind` reads.
            let keepsCopy = turn.isAlone && !isShown && storeKind == .keychain && !isInPlace
            let isCertain = isDone && isSure && turn.isAlone && sees && hasOneItem && !isMissed && !keepsCopy
            model.renamed(account, name, surely: isCertain, beside: !sees)
            if isCertain { model.accounts[account]?.copiedNames = [] }
            if hasStaleCopy { model.accounts[account]?.copiedNames.formUnion(before) }
        }
    }

    func setLock(_ isLocked: Bool, of account: Int, by party: Party, _ turn: Turn) {
        let isInCharge = isInPlace && keychain.blind.isEmpty && keychain.groupless.isEmpty
        let (isDone, isSure): (Bool, Bool)
        if party == .previous {
            (isDone, isSure) = actAsPrevious(turn) { $0.setLock(isLocked, of: account) }
            // After the move, a move back cannot distinguish the earlier name in the changed item from a new name.
            if !isInPlace { model.mayHaveFormerName(account) }
        } else {
            let act = act(party, turn) { release -> Bool in
                guard let found = release.account(account) else { return false }
                return isLocked
                    ? (try? release.client.lockAccount(account: found, policy: ManualPolicy())) ?? false
                    : (try? release.client.unlockAccount(account: found)) ?? false
            }
            (isDone, isSure) = (act.value, act.isSure)
        }
        let isCertain = isDone && isSure && turn.isAlone && (party != .previous || isInCharge)
        let sees = !keychain.groupless.contains(party) && !isStormy
        if isLocked, isCertain, sees, model.accounts[account] != nil {
            model.accounts[account]?.isLocked = true
        } else if !isLocked, isDone || !isSure || !turn.disturbances.isEmpty {
            model.accounts[account]?.isLocked = false
        }
    }

    func look(_ party: Party, _ turn: Turn) {
        if party == .previous {
            _ = actAsPrevious(turn) { $0.shown() }
            return
        }
        let ((shown, isFromStore), isSure, _) = act(party, turn) { ($0.shown(), $0.isOnStore) }
        guard isSure, turn.isAlone else { return }
        // A process whose move failed still uses the first store. Until its next start, it does not see the
        // changes of the other processes.
        if hasFollowed, running[party]?.process.usesFirstStore == true { return }
        complaints += model.complaints(about: shown, in: .disturbed, isMoved: !isInPlace)
        if isFromStore { model.showedFromStore(shown) }
    }
}
