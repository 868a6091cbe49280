/// The actions of the user and the servers; never asks the product for the correct result.
package struct Model: Sendable {
    package struct Credential: Sendable {
        /// Whether it has to be there.
        package enum Presence: Sendable {
            case certain, perhaps
            /// In the store, but not among the legacy items: another file brought it.
            case inStore
        }

        /// The secret; with a copy in another group, the one or the other is shown.
        package var secrets: [String]
        package var presence: Presence
        /// The next code is made of this counter or a later one.
        package var counter: Int
        /// Whether the store showed it, so that it survives the loss of the keychain.
        package var wasInStore = false
        /// The counter that the store showed last.
        package var counterInStore = 0
    }

    package struct Account: Sendable {
        /// The names that it may have.
        package var names: Set<String>
        /// The names that it had before; an item that was refused when the account was removed may bring one back.
        package var formerNames: Set<String> = []
        /// The names that the previous release gave it while another store was in charge.
        package var otherNames: Set<String> = []
        /// The names that a copy of it may have, because it was renamed after the copy was made.
        package var copiedNames: Set<String> = []
        /// Whether it has a policy that the device may violate.
        package var hasPolicy: Bool
        /// Whether the user locked it for sure.
        package var isLocked = false
    }

    package struct Message: Sendable {
        package var slot: Slot
        package var uid: String
        /// How many answers the server accepted.
        package var answers = 0
        /// Whether the phone may not know of an answer.
        package var isOpenQuestion = false
        /// Whether the phone showed it, so that it stays as long as its credential.
        package var isReceived = false
    }

    package var credentials: [Slot: Credential] = [:]
    /// The secrets of what the user removed, or never enrolled for sure.
    package var removed: Set<String> = []
    /// The same, by the slot.
    private var removedOf: [Slot: Set<String>] = [:]
    /// Those that the previous release removed or replaced, by the slot.
    private var removedByPrevious: [Slot: Set<String>] = [:]
    package var accounts: [Int: Account] = [:]
    package var messages: [Message] = []
    /// The codes that our releases made, by secret and counter.
    package var made: Set<String> = []
    /// Whether the device complies with the policies.
    package var complies = true
    /// The credentials of which a known code was scanned while they were out of sight; two may be shown.
    package var scannedAgain: Set<Slot> = []
    /// The credentials of accounts whose removal was interrupted: the end of a life shows all or nothing of them.
    package var halfRemoved: [Int: Set<Slot>] = [:]

    /// An enrolment ended; without an answer it may have come about.
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
            note(before.secrets, removedFrom: slot, byPrevious: byPrevious)
        }
        // A code that was scanned again brings a removed secret back.
        for kept in [
            removed.remove(secret), removedOf[slot]?.remove(secret), removedByPrevious[slot]?.remove(secret),
        ]
        where kept != nil { made = made.filter { !$0.contains(secret) } }
        if !credentials.keys.contains(where: { $0.account == slot.account }) {
            accounts[slot.account] = accounts[slot.account].map { known in
                // One that may still be there keeps its name and has no new policy; items beside the store keep theirs.
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

    /// An enrolment failed that may have stored the account.
    mutating func mayHaveAccount(_ slot: Slot) {
        guard accounts[slot.account] == nil else { return }
        accounts[slot.account] = Account(names: [slot.accountName], hasPolicy: false)
    }

    /// A removal ended; without an answer it may have come about.
    mutating func removed(_ slot: Slot, surely: Bool, byPrevious: Bool = false) {
        guard let credential = credentials[slot] else { return }
        if surely {
            note(credential.secrets, removedFrom: slot, byPrevious: byPrevious)
            credentials[slot] = nil
        } else {
            credentials[slot]?.presence = .perhaps
            // The store forgets the counter of what it removed, and a refused item brings back its own.
            credentials[slot]?.counter = 0
            // Another enrolment may create a new account.
            accounts[slot.account]?.names.insert(slot.accountName)
            mayLackProtection(slot.account)
        }
    }

    /// The item of an account may be another one, without its policy and its lock.
    mutating func mayLackProtection(_ account: Int) {
        accounts[account]?.hasPolicy = false
        accounts[account]?.isLocked = false
    }

    private mutating func note(_ secrets: [String], removedFrom slot: Slot, byPrevious: Bool) {
        removed.formUnion(secrets)
        removedOf[slot, default: []].formUnion(secrets)
        if byPrevious { removedByPrevious[slot, default: []].formUnion(secrets) }
    }

    /// An account of which copies are in the store was enrolled again: copies of what the previous release removed stay, because
    /// such a removal counts only if no item of the account is left.
    mutating func enrolledBesideCopies(_ slot: Slot) {
        for (other, secrets) in removedByPrevious where other.account == slot.account {
            mayReturn(secrets, other)
        }
    }

    /// The previous release removed the last item, after which no removal of its counts.
    mutating func removedLastItem() {
        for (slot, secrets) in removedByPrevious { mayReturn(secrets, slot) }
    }

    /// A removal may not have reached the copy in the store.
    mutating func mayReturn(_ slot: Slot) { mayReturn(removedOf[slot] ?? [], slot) }

    private mutating func mayReturn(_ secrets: Set<String>, _ slot: Slot) {
        removed.subtract(secrets)
        if credentials[slot] == nil {
            credentials[slot] = Credential(secrets: [], presence: .perhaps, counter: 0)
        }
        credentials[slot]?.secrets += secrets
    }

    /// An account was removed; if a credential may be left, the account item beside it may have an earlier name.
    mutating func removedAccount(_ account: Int) {
        guard credentials.keys.contains(where: { $0.account == account }), let known = accounts[account]
        else { return }
        accounts[account]?.names.formUnion(known.formerNames)
    }

    /// The store was in charge and showed something.
    mutating func showedFromStore(_ shown: [Shown]) {
        for one in shown {
            credentials[one.slot]?.wasInStore = true
            credentials[one.slot]?.counterInStore = one.counter ?? 0
        }
    }

    /// The keychain refuses the item of an account, or it is lost; if the move ends before it can be read, the copy counts.
    mutating func refusedAccount(_ account: Int) {
        guard let known = accounts[account] else { return }
        accounts[account]?.names.formUnion(known.copiedNames)
    }

    /// A name was changed; if `isBeside`, in a copy that is not in charge and may win later.
    mutating func renamed(_ account: Int, _ name: String, surely: Bool, beside isBeside: Bool = false) {
        // A code that was scanned twice may be in two accounts, of which one is renamed.
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

    /// Compares the shown credentials with the expected ones; after the calm, all of these must be shown.
    /// - Parameters:
    ///   - shown: What somebody is shown.
    ///   - isCalm: Whether everything has to be shown.
    ///   - isMoved: Whether what is shown is what the store holds.
    /// - Returns: The complaints.
    func complaints(about shown: [Shown], isCalm: Bool, isMoved: Bool) -> [Complaint] {
        var complaints: [Complaint] = []
        var seen: [Slot: Shown] = [:]
        for one in shown {
            if removed.contains(one.secret) {
                // A code that was scanned twice is in two credentials, and the user may have removed one of them.
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
            // A removed credential that may return has another secret, and so another counter.
            let mayReturn =
                scannedAgain.contains(one.slot) || removedOf[one.slot]?.contains(one.secret) == true
            if let counter = one.counter, counter < credential.counter, isCalm, !mayReturn {
                let used = credential.counter - 1
                complaints.append(
                    Complaint(.counterWentBack, "\(one.slot) counts \(counter), and \(used) was used")
                )
            }
            guard isCalm, let account = accounts[one.slot.account] else { continue }
            if let name = one.name, !account.names.contains(name), !account.otherNames.contains(name) {
                let names = account.names.sorted().joined(separator: " or ")
                complaints.append(Complaint(.renamed, "\(one.slot) is called \(name), not \(names)"))
            }
            if account.isLocked || account.hasPolicy && !complies, !one.isLocked {
                complaints.append(Complaint(.lockOpened, "\(one.slot) is not locked"))
            }
        }
        guard isCalm else { return complaints }
        for (account, slots) in halfRemoved.sorted(by: { $0.key < $1.key }) {
            let left = slots.filter { seen[$0] != nil }
            if !left.isEmpty, left.count < slots.count {
                let names = left.sorted().map(\.description).joined(separator: ", ")
                complaints.append(
                    Complaint(.notDone, "of the removed account \(Slot.names[account]), \(names) is left")
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

    /// Compares the shown pushes with the received ones.
    /// - Parameters:
    ///   - shown: The numbers of the pushes that somebody is shown.
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

    /// The server accepted an answer.
    mutating func answered(_ message: Int) -> Complaint? {
        guard messages.indices.contains(message) else { return nil }
        messages[message].answers += 1
        guard messages[message].answers > 1, !messages[message].isOpenQuestion else { return nil }
        return Complaint(.answeredTwice, "push \(message) of \(messages[message].slot) is answered twice")
    }
}

/// An error.
package struct Complaint: Equatable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case lost, cameBack, unknown, doubled, otherSecret, counterWentBack, renamed
        case endless, codeTwice, answeredTwice, wrongReport, lockOpened, notDone, stale, hangs
        /// A readable credential is not shown because of others that are not.
        case hostage
        /// A step that only reads changed an item.
        case rehearsalWrote
    }

    package let kind: Kind
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        (self.kind, self.text) = (kind, text)
    }
}
