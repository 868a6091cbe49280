/// One step of a life, as data.
///
/// A step can be repeated without the generator that chose it, and then has the same effects.
package struct Step: Codable, Equatable, Sendable {
    package enum Action: Codable, Equatable, Sendable {
        // Actions of the user.
        case enrol(Party, Slot)
        /// The user scans one code for a push credential and a TOTP credential.
        case enrolBoth(Party, Int)
        case remove(Party, Slot)
        case removeAccount(Party, Int)
        case code(Party, Slot)
        case rename(Party, Int)
        /// The user removes the custom name of an account.
        case removeName(Party, Int)
        case scanAgain(Party, Slot)
        case setLock(Party, Int, isLocked: Bool)
        case look(Party)
        case answer(Party, message: Int, approves: Bool)
        // Actions of the user after the move, in a part of the app that uses the async API.
        case codeAsync(Party, Slot)
        case removeAsync(Party, Slot)
        case answerAsync(Party, message: Int, approves: Bool)
        /// The user changes a credential in a release with the successor SDK.
        case changeAsSuccessor(Slot, SuccessorChange)
        // Actions of the servers.
        case push(Slot)
        case receive(Party, message: Int)
        // Actions of the app and its developer.
        case start(Party)
        case end(Party)
        case release(Mode)
        /// The app gets a release that moves the first store into the later store.
        case followStore
        /// The app returns to a release that knows only the first store.
        case returnToFirstStore
        case move(Party)
        case moveBack(Party, starts: Bool)
        case rehearse(Party)
        case migrateFile(Party)
        case copyItem(Slot, isEqual: Bool)
        /// The legacy items of an account move into the shared group, which is the app's second group.
        case moveItems(Int)
        // Actions of the system.
        case lock
        case unlock
        case blind(Party)
        case see(Party)
        case hideGroup(Party)
        case showGroup(Party)
        case refuse(Slot, Int32)
        case refuseAccount(Int, Int32)
        /// The keychain refuses an item of the store; the number selects one of the items.
        case refuseStored(Int, Int32)
        /// The Secure Enclave's key is lost.
        case loseKey
        case admit
        case fillDisk
        case freeDisk
        case restore(withKeychain: Bool)
        case jump(Int)
        case breakPolicy
        case keepPolicy
        /// The last action of a life: all disturbances end.
        case calm(Ending)
    }

    /// The mode of a release.
    package enum Mode: String, Codable, CaseIterable, Sendable {
        case inPlace, atOnce
        case openGate = "gateSaysGo"
        case closedGate = "gateSaysWait"
    }

    /// A change that the successor SDK stores in one credential, and not in the account's other credentials.
    package enum SuccessorChange: String, Codable, CaseIterable, Sendable {
        case rename, lock, unlock
    }

    /// The end of a life: the records stay in their place, move, or move back.
    package enum Ending: String, Codable, CaseIterable, Sendable {
        case stay, move, moveBack
    }

    /// The action that a second process performs during the step.
    package struct Meanwhile: Codable, Equatable, Sendable {
        package var action: Action
        package var disturbances: [Disturbance]
        /// The numbers of operations after which the scheduler switches to the other process.
        package var slices: [Int]
    }

    package var action: Action
    package var disturbances: [Disturbance] = []
    package var meanwhile: Meanwhile?

    package init(_ action: Action, _ disturbances: [Disturbance] = [], meanwhile: Meanwhile? = nil) {
        (self.action, self.disturbances, self.meanwhile) = (action, disturbances, meanwhile)
    }

    /// The step as a line of text.
    package var story: String {
        let story = Self.story(action, disturbances)
        guard let second = meanwhile else { return story }
        let slices = second.slices.map(String.init).joined(separator: ",")
        return
            "\(story), while \(Self.story(second.action, second.disturbances)) (switching after \(slices))"
    }

    private static func story(_ action: Action, _ disturbances: [Disturbance]) -> String {
        disturbances.reduce(action.story) { story, one in
            switch one.what {
            case .killBefore: "\(story), killed before operation \(one.at)"
            case .killAfter: "\(story), killed after operation \(one.at)"
            case .seesFrom: "\(story), sees no item before operation \(one.at)"
            case .losesWrite: "\(story), loses the first write from operation \(one.at) on"
            case .keyFails(let count): "\(story), the key fails \(count) times from operation \(one.at) on"
            case .fault(let status): "\(story), operation \(one.at) refused with \(status)"
            }
        }
    }
}

extension Step.Action {
    package var story: String {
        switch self {
        case .enrol(let party, let slot): "\(party) enrols \(slot)"
        case .enrolBoth(let party, let account): "\(party) enrols \(Slot.names[account]).push and .totp"
        case .remove(let party, let slot): "\(party) removes \(slot)"
        case .removeAccount(let party, let account): "\(party) removes the account \(Slot.names[account])"
        case .code(let party, let slot): "\(party) makes a one-time password of \(slot)"
        case .rename(let party, let account): "\(party) renames \(Slot.names[account])"
        case .removeName(let party, let account): "\(party) removes the name of \(Slot.names[account])"
        case .scanAgain(let party, let slot): "\(party) scans the last code of \(slot) again"
        case .setLock(let party, let account, true): "\(party) locks \(Slot.names[account])"
        case .setLock(let party, let account, false): "\(party) unlocks \(Slot.names[account])"
        case .look(let party): "\(party) shows the accounts"
        case .answer(let party, let message, let approves):
            "\(party) \(approves ? "approves" : "denies") push \(message)"
        case .codeAsync(let party, let slot):
            "\(party) makes a one-time password of \(slot) with the async API"
        case .removeAsync(let party, let slot): "\(party) removes \(slot) with the async API"
        case .answerAsync(let party, let message, let approves):
            "\(party) \(approves ? "approves" : "denies") push \(message) with the async API"
        case .changeAsSuccessor(let slot, let change): "the successor SDK \(change.rawValue)s \(slot)"
        case .push(let slot): "the server of \(slot) sends a push"
        case .receive(let party, let message): "\(party) receives push \(message)"
        case .start(let party): "\(party) starts"
        case .end(let party): "\(party) ends"
        case .release(.inPlace): "a release that stays in place"
        case .release(.atOnce): "a release that moves at once"
        case .release(.openGate): "a release with an open gate"
        case .release(.closedGate): "a release with a closed gate"
        case .move(let party): "\(party) moves"
        case .moveBack(let party, let starts): "\(party) moves back\(starts ? "" : " without a start")"
        case .rehearse(let party): "\(party) rehearses or compares"
        case .migrateFile(let party): "\(party) migrates another file into the store"
        case .copyItem(let slot, true): "the item of \(slot) is copied into another group"
        case .copyItem(let slot, false): "an item of \(slot) with another secret is added to another group"
        case .moveItems(let account): "the items of \(Slot.names[account]) move into the shared group"
        case .followStore: "a release that moves its records from the first store into a second one"
        case .returnToFirstStore: "the release that knows only the first store"
        case .lock: "the device is locked"
        case .unlock: "the device is unlocked"
        case .blind(let party): "\(party) sees no items"
        case .see(let party): "\(party) sees all items again"
        case .hideGroup(.app): "the app lacks the shared group"
        case .showGroup(.app): "the app has the shared group again"
        case .hideGroup(let party): "\(party) lacks the app's group"
        case .showGroup(let party): "\(party) has the app's group again"
        case .refuse(let slot, let status): "the item of \(slot) is refused with \(status)"
        case .refuseAccount(let account, let status):
            "the item of the account \(Slot.names[account]) is refused with \(status)"
        case .refuseStored(let number, let status): "item \(number) of the store is refused with \(status)"
        case .loseKey: "the key of sealed items is gone"
        case .admit: "all items are readable"
        case .fillDisk: "the disk is full"
        case .freeDisk: "the disk has room again"
        case .restore(true): "a new phone, restored from a backup with the keychain"
        case .restore(false): "a new phone, restored from a backup without the keychain"
        case .jump(let seconds): "the clock jumps by \(seconds) s"
        case .breakPolicy: "the device violates a policy"
        case .keepPolicy: "the device complies again"
        case .calm(.stay): "calm"
        case .calm(.move): "calm, and it moves"
        case .calm(.moveBack): "calm, and it moves back"
        }
    }

    /// The name under which the coverage counts the action.
    package var event: String {
        switch self {
        case .start: "start"
        case .move, .release(.openGate): "gate go"
        case .moveBack: "move back"
        case .end: "process ends"
        case .lock: "keychain locked"
        case .refuse, .refuseAccount: "item refused"
        case .refuseStored: "stored item refused"
        case .loseKey: "key gone"
        case .scanAgain: "scanned again"
        case .setLock: "locked by the user"
        case .enrol(.previous, _), .remove(.previous, _), .removeAccount(.previous, _), .code(.previous, _),
            .rename(.previous, _), .removeName(.previous, _), .look(.previous):
            "previous release ran"
        case .enrolBoth: "two credentials"
        case .enrol, .remove, .removeAccount, .code, .rename, .removeName, .look: "ours used"
        case .answer, .push, .receive: "push"
        case .codeAsync, .removeAsync, .answerAsync: "async API"
        case .changeAsSuccessor: "successor SDK"
        case .blind: "nothing found"
        case .hideGroup: "group hidden"
        case .migrateFile: "other file"
        case .rehearse: "rehearsal"
        case .copyItem, .moveItems: "other group"
        case .restore: "restored"
        case .followStore: "store moves"
        case .returnToFirstStore: "first store again"
        case .fillDisk: "disk full"
        case .calm: "calm"
        case .release, .unlock, .see, .showGroup, .admit, .freeDisk, .jump, .breakPolicy, .keepPolicy: "other"
        }
    }

    /// The process with PushBridge that performs the action; `nil` if no such process performs it, or if the process
    /// uses the async API.
    package var ours: Party? {
        switch self {
        case .enrol(let party, _), .enrolBoth(let party, _), .remove(let party, _),
            .removeAccount(let party, _), .code(let party, _), .rename(let party, _),
            .removeName(let party, _), .scanAgain(let party, _), .setLock(let party, _, _), .look(let party),
            .answer(let party, _, _), .receive(let party, _),
            .start(let party), .move(let party), .moveBack(let party, _), .migrateFile(let party),
            .rehearse(let party):
            party == .previous ? nil : party
        default: nil
        }
    }

    /// The process that performs the action with the async API; `nil` for other actions.
    package var asyncParty: Party? {
        switch self {
        case .codeAsync(let party, _), .removeAsync(let party, _), .answerAsync(let party, _, _): party
        default: nil
        }
    }
}
