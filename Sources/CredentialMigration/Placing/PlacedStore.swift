import PushBridgeCore

/// A store that runs each transaction on the store that is in charge.
struct PlacedStore: CredentialStore, RecordStore {
    let place: RecordPlace

    /// The error that ends a transaction on a store that is not in charge.
    ///
    /// The transaction must then be repeated on the store in charge.
    private struct Elsewhere: Error {}

    var backing: StoreBacking { StoreBacking(self) }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try following { store, state in
            try store.read { view in
                try check(view, state)
                return try body(view)
            }
        }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        var isMoving = false
        let value = try following { store, state in
            try store.write { view in
                try check(view, state)
                isMoving = try view.move()?.state == .moving
                return try body(view)
            }
        }
        // If this call fails, the store's copies of the items are updated when the move ends.
        if isMoving { bestEffort { try place.updateCopies() } }
        return value
    }

    func nonTransferableIDs(_ kind: RecordKind) throws -> Set<String> {
        try following { store, _ in try store.backing.records.nonTransferableIDs(kind) }
    }

    func unreadableWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try following { store, _ in try store.backing.records.unreadableWhileLocked(kind) }
    }

    /// Returns the name of the store to which the records move, even while the items are in charge.
    func storageName() throws -> String { try place.target().backing.records.storageName() }

    /// Returns whether the store to which the legacy items move has received the records of another store.
    ///
    /// Only this store, and not the legacy items, contains the marks of moves between stores.
    func hasReceived(from name: String) throws -> Bool {
        try place.target().backing.records.hasReceived(from: name)
    }

    func filePath() throws -> String? {
        try following { store, _ in try store.backing.records.filePath() }
    }

    /// A stream that receives an element after each change in either store.
    var changes: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            var streams = [place.items.changes]
            do {
                streams.append(try place.target().changes)
            } catch {
                // The store to which the items move cannot be opened, so the stream reports only changes of the items.
                // Transactions throw the error instead.
            }
            let tasks = streams.map { stream in
                Task { for await _ in stream { continuation.yield() } }
            }
            continuation.onTermination = { _ in tasks.forEach { $0.cancel() } }
        }
    }

    /// Runs a transaction on the store in charge.
    ///
    /// If another process has moved the records, the transaction is repeated on the other store.
    private func following<Value>(
        _ body: (any CredentialStore, RecordPlace.State) throws -> Value
    ) throws -> Value {
        for _ in 0..<3 {
            do {
                // The copy of the state is in the group of the items, and an extension may have no access to
                // this group. So an extension always reads the state from the store.
                let state = try place.isExtension ? place.state() : place.lastState()
                return try body(state.isInPlace ? place.items : place.target(), state)
            } catch is Elsewhere {
                try place.lookAgain()
            }
        }
        throw StoreError(.locked, reason: "The records are being moved; try again.")
    }

    /// Throws if the store to which a view belongs is no longer in charge.
    ///
    /// Both stores contain the state of the move. If a move is in progress and the item with the copy of the state is
    /// missing, the copy has to be restored first. Otherwise, a removal would leave no tombstone, and the move
    /// would bring the removed record back.
    private func check(_ view: some CredentialReading, _ state: RecordPlace.State) throws {
        let move: LegacyMove?
        do {
            move = try view.move()
        } catch let error as StoreError where error.code == .damaged && state.isInPlace {
            // The state in the items cannot be read. The store to which the items move also contains the state, so the
            // state is read there.
            throw Elsewhere()
        }
        let isHere =
            switch move?.state {
            // An extension may lack access to the group of the items, and then does not see that a move is in
            // progress.
            case nil: state == .inPlace || state == .moving && place.isExtension
            // If the records moved to another store, the state in this store is no longer changed, so it may remain
            // `moving`.
            case .moving: try state.isInPlace || view.hasMovedAway
            case .moved, .movingBack: !state.isInPlace
            }
        guard !isHere else { return }
        throw Elsewhere()
    }
}
