/// What the user did, and the servers; it never asks the product what is right.
package struct Model: Sendable {
    package struct Credential: Sendable {
        /// Whether it has to be there.
        package enum Presence: Sendable { case certain, perhaps }

        package var secret: String
        package var presence: Presence
        /// The next code is made of this counter or a later one.
        package var counter: Int
    }

    package var credentials: [Slot: Credential] = [:]
    /// The secrets of what the user removed, or never enrolled for sure.
    package var removed: Set<String> = []
    /// The names that an account may have; one that is missing may have any.
    package var names: [Int: Set<String>] = [:]

    /// An enrolment ended; without an answer it may have come about.
    mutating func enrolled(_ slot: Slot, _ secret: String, counter: Int, surely: Bool) {
        if let before = credentials[slot] {
            guard surely else { return }
            removed.insert(before.secret)
        }
        credentials[slot] = Credential(
            secret: secret,
            presence: surely ? .certain : .perhaps,
            counter: counter
        )
    }

    mutating func removed(_ slot: Slot, surely: Bool) {
        guard let credential = credentials[slot] else { return }
        if surely {
            removed.insert(credential.secret)
            credentials[slot] = nil
        } else {
            credentials[slot]?.presence = .perhaps
        }
    }

    /// What is wrong with what is shown; after the calm also with what is not.
    func complaints(about shown: [Shown], isCalm: Bool) -> [Complaint] {
        var complaints: [Complaint] = []
        var seen: [Slot: Shown] = [:]
        for one in shown {
            if removed.contains(one.secret) {
                complaints.append(Complaint(.cameBack, "\(one.slot) is shown again after its removal"))
                continue
            }
            guard let credential = credentials[one.slot] else {
                complaints.append(Complaint(.unknown, "\(one.slot) is shown, and nobody enrolled it"))
                continue
            }
            if seen.updateValue(one, forKey: one.slot) != nil {
                complaints.append(Complaint(.doubled, "\(one.slot) is shown twice"))
            }
            if one.secret != credential.secret {
                complaints.append(Complaint(.otherSecret, "\(one.slot) has another secret"))
            }
            if let counter = one.counter, counter < credential.counter {
                complaints.append(
                    Complaint(
                        .counterWentBack,
                        "\(one.slot) counts \(counter) where \(credential.counter - 1) was used"
                    )
                )
            }
        }
        guard isCalm else { return complaints }
        for (slot, credential) in credentials.sorted(by: { $0.key < $1.key })
        where credential.presence == .certain && seen[slot] == nil {
            complaints.append(Complaint(.lost, "\(slot) is gone"))
        }
        return complaints
    }
}

/// What is wrong.
package struct Complaint: Equatable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case lost, cameBack, unknown, doubled, otherSecret, counterWentBack
        case endless, codeTwice, answeredTwice, wrongReport, lockOpened, notDone
    }

    package let kind: Kind
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        (self.kind, self.text) = (kind, text)
    }
}
