import PushBridgeCore

/// What a record of the source names in the destination.
enum Identity: Hashable {
    case account(AccountKey)
    case push(String)
    case oath(String)
    case notification(String)
    case message(String)
}

/// A set of identities that keeps 128 bits of each, hashed with the process's own key, to save memory.
struct Identities {
    private struct Hash: Hashable {
        let first: Int
        let second: Int

        init(_ identity: Identity) {
            first = identity.hashValue
            var hasher = Hasher()
            hasher.combine(first)
            hasher.combine(identity)
            second = hasher.finalize()
        }
    }

    private var hashes: Set<Hash> = []

    func contains(_ identity: Identity) -> Bool { hashes.contains(Hash(identity)) }

    /// - Returns: Whether it is new.
    mutating func insert(_ identity: Identity) -> Bool { hashes.insert(Hash(identity)).inserted }
}

/// What is known of an identity before the destination is asked.
struct Knowledge {
    /// Whether an earlier record of the source named it.
    let isRepeated: Bool
    let mayExist: Bool
}
