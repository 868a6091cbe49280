import CredentialMigration
import Crypto
import FRAuthenticator
import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport

// The actions of servers and of the app.

extension Phone {
    func sendPush(_ slot: Slot) {
        guard let device = server.devices[slot], model.messages.count < 20 else { return }
        model.messages.append(Model.Message(slot: slot, uid: device.uid))
    }

    func receive(_ number: Int, in party: Party, _ turn: Turn) {
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

    func answer(_ number: Int, _ approves: Bool, in party: Party, _ turn: Turn, isAsync: Bool = false) {
        guard model.messages.indices.contains(number), !isAsync || mayUseAsync else { return }
        let before = model.messages[number].answers
        var (isTried, isStillPending) = (false, false)
        let (isDone, isSure, release) = act(party, turn) { release -> Bool? in
            func pending() -> FRAuthenticator.PushNotification? {
                let all = release.client.getAllNotifications()
                return all.first { $0.messageId == "AUTHENTICATE:\(number)" && $0.isPending }
            }
            if isAsync {
                guard let answer = release.asyncAnswer(number, approves, on: self) else { return false }
                (isTried, isStillPending) = (true, answer.isStillPending)
                return answer.isDone
            }
            guard let push = pending() else { return false }
            isTried = true
            let isDone = release.waitForReport { report in
                if approves {
                    push.accept(onSuccess: { report(true) }, onError: { _ in report(false) })
                } else {
                    push.deny(onSuccess: { report(true) }, onError: { _ in report(false) })
                }
            }
            isStillPending = isDone == true && pending() != nil
            return isDone
        }
        guard isTried else { return }
        if isDone == nil {
            complaints.append(Complaint(.hangs, "no callback reports the answer to push \(number)"))
        }
        let isAccepted = model.messages[number].answers > before
        if !isSure || release.process.wasDisturbed || isStormy {
            model.messages[number].isOpenQuestion = true
        }
        guard isSure, turn.isAlone, !release.process.wasDisturbed else { return }
        if isAccepted != (isDone == true) {
            let outcome = isDone == true ? "succeeded" : "failed"
            let text = "the API wrongly reports that the answer to push \(number) \(outcome)"
            complaints.append(Complaint(.wrongReport, text))
        }
        if isStillPending {
            complaints.append(Complaint(.stale, "push \(number) is pending after an answer"))
        }
    }

    // MARK: - The app

    func moveBack(_ party: Party, _ turn: Turn, starts: Bool) {
        if !starts { running[party] = nil }
        var turn = turn
        turn.starts = starts
        let (wasMoved, refused) = (!isInPlace, keychain.refusals)
        let (isDone, isSure, _) = act(party, turn) {
            (try? $0.migration.moveBack(on: $0.authenticator)) != nil
        }
        // If a file was migrated into a store, the store is in charge as soon as a process has opened the store.
        guard party != .helper, wasMoved || isFileMigrated else { return }
        if keychain.groupless.contains(party) {
            // The process writes a second item of each account whose item is in the hidden group.
            for account in model.accounts.keys { model.mayHaveFormerName(account) }
        }
        // The legacy items now contain, or may contain, the only copies of the records.
        for (slot, credential) in model.credentials {
            model.credentials[slot]?.wasInStore = false
            // An undecryptable item is replaced by the store's copy. The previous release may have raised the counter in
            // this item.
            if refused[slot.itemName] == -26275 {
                model.credentials[slot]?.counter = min(credential.counter, credential.counterInStore)
            }
            guard credential.presence == .inStore else { continue }
            model.credentials[slot]?.presence = wasMoved && isDone && isSure ? .certain : .perhaps
        }
    }

    func migrateFile(_ party: Party, _ turn: Turn) {
        guard setup.store != .ownStorage, !isFileMigrated else { return }
        hasTriedFile = true
        let source = InMemoryKeychain()
        let process = Process(.previous)
        let contents = KeychainContents()
        // The file has the same contents each time.
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
        // If another process moves the records at the same time, the migration may fail after it has stored the record.
        if isDone || !isSure || !turn.isAlone || release.process.wasDisturbed || isStormy {
            model.credentials[slot] = nil
            model.enrolled(slot, bytes.base32, counter: 0, surely: isDone && isSure)
            if isDone && isSure { model.credentials[slot]?.presence = .inStore }
        }
    }

    static let dayOfFile = Date(timeIntervalSince1970: 1_700_000_000)

    func isCopied(_ slot: Slot) -> Bool {
        keychain.items.keys.contains { $0.account == slot.itemName && $0.group == Group.shared }
    }

    /// Moves the items of an account into the shared group.
    func moveItems(of account: Int) {
        guard isInPlace else { return }
        let name = Slot(account: account, kind: .totp).accountItemName
        for (key, item) in keychain.items.sorted(by: { $0.key < $1.key })
        where key.group == Group.own && LegacyService(rawValue: key.service) != nil
            && (key.account == name || key.account.hasPrefix("\(name)-"))
        {
            let other = KeychainContents.Key(service: key.service, account: key.account, group: Group.shared)
            guard keychain.items[other] == nil else { continue }
            keychain.items[key] = nil
            keychain.put(other, item.data, item.accessibility)
        }
    }

    /// Changes a credential in the keychain store, as a release with the successor SDK does.
    ///
    /// The successor SDK knows neither the account's record nor the members that only PushBridge stores.
    func changeAsSuccessor(_ slot: Slot, _ change: Step.SuccessorChange) {
        guard storeKind == .keychain, placing == .moved, !isStormy, isRunning(.app),
            model.accounts[slot.account]?.hasPolicy == false
        else { return }
        running = [:]
        let services = KeychainServices()
        let service = slot.kind == .push ? services.credentials : services.oathCredentials
        let name = "\(slot.accountName) \(steps)"
        var count = 0
        for (key, item) in keychain.items.sorted(by: { $0.key < $1.key }) where key.service == service {
            guard var members = try? JSONSerialization.jsonObject(with: item.data) as? [String: Any],
                members["accountName"] as? String == slot.accountName,
                slot.kind == .push || (members["oathType"] as? String)?.lowercased() == slot.kind.rawValue
            else { continue }
            switch change {
            case .rename: members["displayAccountName"] = name
            case .lock: (members["isLocked"], members["lockingPolicy"]) = (true, ManualPolicy().name)
            case .unlock: (members["isLocked"], members["lockingPolicy"]) = (false, nil)
            }
            members["pushBridge"] = nil
            guard let data = try? JSONSerialization.data(withJSONObject: members) else { continue }
            keychain.change(key, data)
            keychain.items[key]?.lookUpKey = nil
            count += 1
        }
        guard count > 0 else { return }
        // Only the credential has the change; an export or a move may later apply it to the account. So the account may
        // have either name, and it is not certain that the account is locked.
        switch change {
        case .rename: model.renamed(slot.account, name, surely: false)
        case .lock: break
        case .unlock: model.accounts[slot.account]?.isLocked = false
        }
    }

    func copyItem(_ slot: Slot, _ isEqual: Bool) {
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
}
