/// What happens in a life, as data: without the generator that made it, it happens again in the same way.
package struct Step: Codable, Equatable, Sendable {
    package enum Action: Codable, Equatable, Sendable {
        case enrol(Party, Slot)
        case remove(Party, Slot)
        case removeAccount(Party, Int)
        case code(Party, Slot)
        case start(Party)
        case end(Party)
        case move(Party)
        case moveBack(Party)
        case look(Party)
        case mode(isAtOnce: Bool)
        case lock
        case unlock
        case blind(Party)
        case see(Party)
        case hideGroup(Party)
        case showGroup(Party)
        case refuse(Slot, Int32)
        case admit
        case calm
    }

    package var action: Action
    package var disturbances: [Disturbance] = []

    package init(_ action: Action, _ disturbances: [Disturbance] = []) {
        (self.action, self.disturbances) = (action, disturbances)
    }

    /// What a person reads of it.
    package var story: String {
        var story = action.story
        for one in disturbances {
            switch one.what {
            case .killBefore: story += ", killed before operation \(one.at)"
            case .killAfter: story += ", killed after operation \(one.at)"
            case .fault(let status): story += ", operation \(one.at) refused with \(status)"
            }
        }
        return story
    }
}

extension Step.Action {
    package var story: String {
        switch self {
        case .enrol(let party, let slot): "\(party): enrol \(slot)"
        case .remove(let party, let slot): "\(party): remove \(slot)"
        case .removeAccount(let party, let account): "\(party): remove account \(Slot.names[account])"
        case .code(let party, let slot): "\(party): make a code of \(slot)"
        case .start(let party): "\(party): start"
        case .end(let party): "\(party): end"
        case .move(let party): "\(party): move"
        case .moveBack(let party): "\(party): move back"
        case .look(let party): "\(party): look"
        case .mode(let isAtOnce): isAtOnce ? "a release that moves at once" : "a release that stays in place"
        case .lock: "the device is locked"
        case .unlock: "the device is unlocked"
        case .blind(let party): "\(party): nothing is found any more"
        case .see(let party): "\(party): everything is found again"
        case .hideGroup(let party): "\(party): the app's group is invisible"
        case .showGroup(let party): "\(party): the app's group is visible again"
        case .refuse(let slot, let status): "the item of \(slot) is refused with \(status)"
        case .admit: "no item is refused any more"
        case .calm: "the storm is over"
        }
    }

    /// The event as the coverage counts it.
    var event: String {
        switch self {
        case .start: "start"
        case .move: "gate go"
        case .moveBack: "move back"
        case .end: "process ends"
        case .lock: "keychain locked"
        case .refuse: "item refused"
        case .enrol(.previous, _), .remove(.previous, _), .removeAccount(.previous, _), .code(.previous, _),
            .look(.previous):
            "previous release ran"
        default: "other"
        }
    }
}
