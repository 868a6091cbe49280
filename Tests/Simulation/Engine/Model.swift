/// The expected state of the phone.
///
/// The state is computed from the actions and their reported results, without the product's code.
package struct Model: Sendable {
    package struct Credential: Sendable {
        /// Whether the credential must exist.
        package enum Presence: Sendable {
            case certain, perhaps
            /// The credential is in the store but not in the legacy items, because it was migrated from a file.
            case inStore
        }

        /// The possible secrets.
        ///
        /// If there are several secrets, any of them may be shown.
        package var secrets: [String]
        package var presence: Presence
        /// The lowest counter that the next one-time password may use.
        package var counter: Int
        /// Whether the store showed the credential.
        ///
        /// If so, a store in a file has the credential even after the loss of the keychain.
        package var wasInStore = false
        /// The counter that the store showed last.
        package var counterInStore = 0
    }

    package struct Account: Sendable {
        /// The names that the account may have.
        package var names: Set<String>
        /// The names that the account had before.
        ///
        /// If the account's item was rejected or not visible when the account was removed or moved back, one of these
        /// names may return.
        package var formerNames: Set<String> = []
        /// The names in copies of the account that the app does not use now, but may use later.
        package var otherNames: Set<String> = []
        /// The names in copies that were made before the account was renamed.
        package var copiedNames: Set<String> = []
        /// Whether the account has a policy that the device may violate.
        package var hasPolicy: Bool
        /// Whether the account is certainly locked.
        package var isLocked = false
    }

    package struct Message: Sendable {
        package var slot: Slot
        package var uid: String
        /// The number of answers that the server accepted.
        package var answers = 0
        /// Whether the phone may have missed the server's response to an answer.
        package var isOpenQuestion = false
        /// Whether the phone showed the push; if it did, the push must stay as long as its credential exists.
        package var isReceived = false
        /// Whether the credential of the push was removed.
        package var isRemoved = false
    }

    package var credentials: [Slot: Credential] = [:]
    /// The secrets of credentials that the user removed or replaced.
    package var removed: Set<String> = []
    /// The removed secrets by credential.
    private var removedOf: [Slot: Set<String>] = [:]
    /// The secrets that the previous release removed or replaced, by credential.
    private var removedByPrevious: [Slot: Set<String>] = [:]
    package var accounts: [Int: Account] = [:]
    package var messages: [Message] = []
    /// The one-time passwords that the release with PushBridge made, each as its secret and its counter.
    package var made: Set<String> = []
    /// Whether the device complies with the policies.
    package var complies = true
    /// The credentials whose code was scanned again while they were invisible.
    ///
    /// For each of these codes, two credentials may be shown.
    package var scannedAgain: Set<Slot> = []
    /// The credentials of accounts whose removal was interrupted.
    ///
    /// At the end of a life, either all of these credentials are shown or all are hidden.
    package var halfRemoved: [Int: Set<Slot>] = [:]

    /// Records the end of an enrolment.
    ///
    /// If the enrolment is not certain, the credential may exist.
    mutating func enrolled(
        _ slot: Slot,
        _ secret: String,
        counter: Int,
        surely: Bool,
        withPolicy: Bool = false,
        byPrevious: Bool = false
    ) {
        if let before = credentials[slot] {
            guard surely else {
                credentials[slot]?.secrets.append(secret)
                return
            }
            recordRemoval(of: before.secrets, from: slot, byPrevious: byPrevious)
        }
        // If a code is scanned again, its removed secret is valid again.
        for kept in [
            removed.remove(secret), removedOf[slot]?.remove(secret), removedByPrevious[slot]?.remove(secret),
        ]
        where kept != nil { made = made.filter { !$0.contains(secret) } }
        if !credentials.keys.contains(where: { $0.account == slot.account }) {
            accounts[slot.account] = accounts[slot.account].map { known in
                // An account that may still exist may keep its name and gets no new policy. The account's copy in items
                // that are not in charge may keep its name, too.
                var account = Account(names: known.names.union([slot.accountName]), hasPolicy: false)
                account.otherNames = known.otherNames
                return account
            }
        }
        if accounts[slot.account] == nil {
            accounts[slot.account] = Account(names: [slot.accountName], hasPolicy: withPolicy && surely)
        }
        credentials[slot] = Credential(
            secrets: [secret],
            presence: surely ? .certain : .perhaps,
            counter: counter
        )
    }

    /// Records a failed enrolment that may have stored the account.
    mutating func mayHaveAccount(_ slot: Slot) {
        guard accounts[slot.account] == nil else { return }
        accounts[slot.account] = Account(names: [slot.accountName], hasPolicy: false)
    }

    /// Records that an account may no longer be shown.
    mutating func mayHide(_ account: Int) {
        for slot in credentials.keys where slot.account == account { credentials[slot]?.presence = .perhaps }
    }

    /// Returns the possible secrets of an account's credentials.
    func secrets(of account: Int) -> [String] {
        credentials.filter { $0.key.account == account }.flatMap(\.value.secrets)
    }

    /// Records the end of a removal.
    ///
    /// If the removal is not certain, the credential may still exist. A credential with one of the secrets in
    /// `unseen` was not removed, and may be shown later.
    mutating func removed(
        _ slot: Slot,
        surely: Bool,
        byPrevious: Bool = false,
        unseen: Set<String> = []
    ) {
        guard let credential = credentials[slot] else { return }
        if surely {
            let left = unseen.intersection(credential.secrets)
            let gone = credential.secrets.filter { !left.contains($0) }
            recordRemoval(of: gone, from: slot, byPrevious: byPrevious)
            credentials[slot] = nil
            if left.isEmpty { return }
            mayReturn(left, slot)
        } else {
            if byPrevious { removedByPrevious[slot, default: []].formUnion(credential.secrets) }
            credentials[slot]?.presence = .perhaps
            // The store no longer has the counter of the removed credential. If the item was rejected, the
            // credential returns with the item's counter.
            credentials[slot]?.counter = 0
        }
        // Another enrolment, or the import of the credential that was not removed, may create a new account with the
        // name in the code.
        accounts[slot.account]?.names.insert(slot.accountName)
        mayLackProtection(slot.account)
    }

    /// Notes that an account's item may have been replaced by an item without the account's policy and
    /// lock.
    mutating func mayLackProtection(_ account: Int) {
        accounts[account]?.hasPolicy = false
        accounts[account]?.isLocked = false
    }

    /// Returns the secrets of the slot's removed credentials.
    func removedSecrets(of slot: Slot) -> Set<String> { removedOf[slot] ?? [] }

    private mutating func recordRemoval(of secrets: [String], from slot: Slot, byPrevious: Bool) {
        removed.formUnion(secrets)
        for index in messages.indices where messages[index].slot == slot { messages[index].isRemoved = true }
        removedOf[slot, default: []].formUnion(secrets)
        if byPrevious { removedByPrevious[slot, default: []].formUnion(secrets) }
    }

    /// Records an enrolment in an account whose copies are in the store.
    ///
    /// The previous release may have removed credentials of this account. Their copies may return, because a
    /// removal by the previous release counts only if no item of the account is left.
    mutating func enrolledBesideCopies(_ slot: Slot) {
        for (other, secrets) in removedByPrevious where other.account == slot.account {
            mayReturn(secrets, other)
        }
    }

    /// Notes that the previous release removed the last legacy item of the phone.
    ///
    /// From then on, none of the previous release's removals counts, because PushBridge assumes that the items are
    /// invisible or lost.
    mutating func removedLastItem() {
        for (slot, secrets) in removedByPrevious { mayReturn(secrets, slot) }
    }

    /// Notes that a removal may not have reached the copy in the store.
    mutating func mayReturn(_ slot: Slot) { mayReturn(removedOf[slot] ?? [], slot) }

    private mutating func mayReturn(_ secrets: Set<String>, _ slot: Slot) {
        removed.subtract(secrets)
        for index in messages.indices where messages[index].slot == slot { messages[index].isRemoved = false }
        if credentials[slot] == nil {
            credentials[slot] = Credential(secrets: [], presence: .perhaps, counter: 0)
        }
        credentials[slot]?.secrets += secrets
    }

    /// Records the removal of an account, or a move back that did not see the account's item.
    ///
    /// If one of the account's credentials remains, the account may have an earlier name.
    mutating func mayHaveFormerName(_ account: Int) {
        guard credentials.keys.contains(where: { $0.account == account }), let known = accounts[account]
        else { return }
        accounts[account]?.names.formUnion(known.formerNames)
    }

    /// Notes that the store was in charge and showed these credentials.
    mutating func showedFromStore(_ shown: [Shown]) {
        for one in shown {
            credentials[one.slot]?.wasInStore = true
            credentials[one.slot]?.counterInStore = one.counter ?? 0
        }
    }

    /// Notes that an account's item is rejected or lost.
    ///
    /// If the move ends before the item is readable, the copy in the store is used, and the copy may have an earlier
    /// name.
    mutating func refusedAccount(_ account: Int) {
        guard let known = accounts[account] else { return }
        accounts[account]?.names.formUnion(known.copiedNames)
    }

    /// Records a new name of an account.
    ///
    /// If `surely` is false, the account may still have its earlier name. If `isBeside` is true, the name is in the
    /// copy of the account that the app does not use now, but may use later.
    mutating func renamed(_ account: Int, _ name: String, surely: Bool, beside isBeside: Bool = false) {
        // If a code was scanned twice, there may be two accounts for it, and only one of the two is renamed.
        let isOneOfTwo = scannedAgain.contains { $0.account == account }
        if isBeside { accounts[account]?.otherNames.insert(name) }
        if surely, !isOneOfTwo {
            let former = accounts[account]?.names ?? []
            accounts[account]?.formerNames.formUnion(former)
            accounts[account]?.names = [name]
        } else {
            accounts[account]?.names.insert(name)
        }
    }

    /// The phase of a life in which credentials are compared; it determines which rules apply.
    enum Phase {
        /// Disturbances may affect the process.
        case disturbed
        /// No disturbance affects the process, but earlier disturbances may have left work for the next start.
        case afterStep
        /// All disturbances have ended, and all work has been completed.
        case calm
    }

    /// Compares the shown credentials with the expected credentials.
    /// - Parameters:
    ///   - shown: The credentials that a release shows.
    ///   - phase: The phase of the comparison.
    ///   - isMoved: Whether the credentials are shown from the store.
    /// - Returns: The complaints.
    func complaints(about shown: [Shown], in phase: Phase, isMoved: Bool) -> [Complaint] {
        var complaints: [Complaint] = []
        var seen: [Slot: Shown] = [:]
        for one in shown {
            if removed.contains(one.secret) {
                // If a code was scanned twice, two credentials have its secret, and the user may have removed only
                // one of the two.
                if !scannedAgain.contains(one.slot) {
                    complaints.append(Complaint(.cameBack, "\(one.slot) is shown again after its removal"))
                }
                continue
            }
            guard let credential = credentials[one.slot] else {
                complaints.append(Complaint(.unknown, "\(one.slot) is shown although it was never enrolled"))
                continue
            }
            if let other = seen.updateValue(one, forKey: one.slot), !scannedAgain.contains(one.slot),
                !isMoved || other.secret == one.secret
            {
                complaints.append(Complaint(.doubled, "\(one.slot) is shown twice"))
            }
            if !credential.secrets.contains(one.secret) {
                complaints.append(Complaint(.otherSecret, "\(one.slot) has another secret"))
            }
            // A removed credential that may return has its own secret and its own counter.
            let mayReturn =
                scannedAgain.contains(one.slot) || removedSecrets(of: one.slot).contains(one.secret)
            if let counter = one.counter, counter < credential.counter, phase != .disturbed, !mayReturn {
                let used = credential.counter - 1
                let text = "the counter of \(one.slot) is \(counter), although \(used) was used"
                complaints.append(Complaint(.counterWentBack, text))
            }
            guard phase != .disturbed, let account = accounts[one.slot.account] else { continue }
            if phase == .calm, let name = one.name, !account.names.contains(name),
                !account.otherNames.contains(name)
            {
                let names = account.names.sorted().joined(separator: " or ")
                complaints.append(Complaint(.renamed, "\(one.slot) is called \(name), not \(names)"))
            }
            if account.isLocked || account.hasPolicy && !complies, !one.isLocked {
                complaints.append(Complaint(.lockOpened, "\(one.slot) is not locked"))
            }
        }
        guard phase == .calm else { return complaints }
        for (account, slots) in halfRemoved.sorted(by: { $0.key < $1.key }) {
            let left = slots.filter { seen[$0] != nil }
            if !left.isEmpty, left.count < slots.count {
                let names = left.sorted().map(\.description).joined(separator: ", ")
                complaints.append(
                    Complaint(.notDone, "the removed account \(Slot.names[account]) still has \(names)")
                )
            }
        }
        for (slot, credential) in credentials.sorted(by: { $0.key < $1.key }) where seen[slot] == nil {
            if credential.presence == .certain || credential.presence == .inStore && isMoved {
                complaints.append(Complaint(.lost, "\(slot) is gone"))
            }
        }
        return complaints
    }

    /// Checks that each credential that must exist is stored with its counter, and that no two secrets are stored under
    /// one id.
    /// - Parameter stored: The credentials in all stores.
    /// - Returns: The complaints.
    func complaints(aboutStored stored: [Shown]) -> [Complaint] {
        var complaints: [Complaint] = []
        for (slot, credential) in credentials.sorted(by: { $0.key < $1.key })
        where credential.presence != .perhaps {
            let copies = stored.filter { $0.slot == slot && credential.secrets.contains($0.secret) }
            if copies.isEmpty {
                complaints.append(Complaint(.lost, "\(slot) is in no store"))
            } else if let counter = copies.compactMap(\.counter).max(), counter < credential.counter,
                !scannedAgain.contains(slot)
            {
                let used = credential.counter - 1
                let text = "no copy of \(slot) has a counter above \(counter), although \(used) was used"
                complaints.append(Complaint(.counterWentBack, text))
            }
        }
        var secrets: [String: String] = [:]
        for one in stored {
            guard let other = secrets.updateValue(one.secret, forKey: one.id), other != one.secret else {
                continue
            }
            complaints.append(Complaint(.otherSecret, "\(one.slot) has two secrets under one id"))
        }
        return complaints
    }

    /// Checks that no push is pending that was certainly answered, or whose credential was removed.
    /// - Parameter pending: The numbers of the pushes that a release shows as pending.
    /// - Returns: The complaints.
    func complaints(aboutPending pending: Set<Int>) -> [Complaint] {
        pending.sorted().compactMap { number in
            guard messages.indices.contains(number) else { return nil }
            let message = messages[number]
            if message.isRemoved, !scannedAgain.contains(message.slot) {
                return Complaint(.cameBack, "push \(number) of the removed \(message.slot) is pending")
            }
            guard message.answers > 0, !message.isOpenQuestion else { return nil }
            return Complaint(.stale, "push \(number) is pending although it was answered")
        }
    }

    /// Checks that a release still shows the received pushes of the credentials that must exist.
    /// - Parameters:
    ///   - shown: The numbers of the pushes that a release shows.
    ///   - ids: The identifiers of the registered push credentials, by slot.
    /// - Returns: The complaints.
    func complaints(aboutPushes shown: Set<Int>, of ids: [Slot: String]) -> [Complaint] {
        messages.enumerated().compactMap { number, message in
            guard message.isReceived, !shown.contains(number), ids[message.slot] == message.uid,
                credentials[message.slot]?.presence == .certain
            else { return nil }
            return Complaint(.lost, "push \(number) of \(message.slot) is gone")
        }
    }

    /// Notes that the server accepted an answer.
    ///
    /// Returns a complaint if the server had already accepted an answer to the same push, unless the phone may have
    /// missed the response to the earlier answer.
    mutating func answered(_ message: Int) -> Complaint? {
        guard messages.indices.contains(message) else { return nil }
        messages[message].answers += 1
        guard messages[message].answers > 1, !messages[message].isOpenQuestion else { return nil }
        return Complaint(.answeredTwice, "push \(message) of \(messages[message].slot) is answered twice")
    }
}

/// A fault that the simulation found.
package struct Complaint: Equatable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case lost, cameBack, unknown, doubled, otherSecret, counterWentBack, renamed
        case endless, codeTwice, answeredTwice, wrongReport, lockOpened, notDone, stale, hangs
        /// The records move although the release does not allow a move.
        case movedUnasked
        /// A readable credential is not shown because other credentials are unreadable.
        case hostage
        /// A rehearsal or a comparison, which must write nothing, changed an item.
        case rehearsalWrote
    }

    package let kind: Kind
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        (self.kind, self.text) = (kind, text)
    }
}
