import PushBridgeCore

/// Makes the stores of this process that share items take turns.
///
/// An app may open the same keychain through both APIs, and what one of them read must not change before it writes.
enum KeychainTurns {
    /// What the stores on the same items share: whose turn it is, and who hears of changes.
    struct Turn: Sendable {
        let lock = Lock(0)
        let signal = ChangeSignal()
    }

    static func turn(for shelf: KeychainShelf) -> Turn {
        let place = Place(
            services: shelf.services,
            accessGroup: shelf.accessGroup,
            keychain: identity(of: shelf.keychain)
        )
        return turns.withValue { turns in
            let turn = turns[place] ?? Turn()
            turns[place] = turn
            return turn
        }
    }

    /// Tells keychains in memory apart; keychains that are no objects are all the system's.
    private static func identity(of keychain: any Keychain) -> ObjectIdentifier? {
        type(of: keychain) is AnyClass ? ObjectIdentifier(keychain as AnyObject) : nil
    }

    private struct Place: Hashable {
        let services: KeychainServices
        let accessGroup: String?
        let keychain: ObjectIdentifier?
    }

    private static let turns = Lock<[Place: Turn]>([:])
}
