import Foundation
import PushBridgeCore

/// A login push as the server remembers it.
struct SimulatedPush: Sendable {
    let mechanismUid: String
    let realm: Realm
    let challenge: Data
    /// The number the login page shows, of a challenge.
    let number: String?
    let sender: String?
    let expiry: Date
    private var answer: PushState?

    init(_ order: PushOrder, realm: Realm, challenge: Data, sender: String?, sentAt: Date) {
        mechanismUid = order.mechanismUid
        self.realm = realm
        self.challenge = challenge
        number = order.type == .challenge ? order.shownNumber : nil
        self.sender = sender
        expiry = sentAt.addingTimeInterval(TimeInterval(order.timeToLive))
    }

    func state(at now: Date) -> PushState {
        answer ?? (now < expiry ? .waiting : .expired)
    }

    mutating func take(_ claims: JSONValue, mode: NodeMode) {
        let isRight = number == nil || claims["challengeResponse"] == number.map(JSONValue.string)
        answer = mode.denies(claims) || !isRight ? .denied : .approved
    }
}

extension PushOrder {
    /// The number of a challenge that the login page shows.
    var shownNumber: String? {
        numbers?.split(separator: ",").first.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
