import PushBridgeCore

/// A store that runs each transaction on the store in charge.
struct PlacedStore: CredentialStore, RecordStore {
    let place: RecordPlace

    /// Thrown if the other store is in charge and must run the transaction.
    private struct Elsewhere: Error {}

    var backing: StoreBacking { StoreBacking(self) }

    func read<Value>(_ body: (any CredentialReading) throws -> Value) throws -> Value {
        try following { store, isInPlace in
            try store.read { view in
                try check(view, isInPlace)
                return try body(view)
            }
        }
    }

    func write<Value>(_ body: (any CredentialWriting) throws -> Value) throws -> Value {
        var isMoving = false
        let value = try following { store, isInPlace in
            try store.write { view in
                try check(view, isInPlace)
                isMoving = try view.move()?.state == .moving
                return try body(view)
            }
        }
        // If this call fails, the end of the move updates the copies.
        if isMoving { try? place.updateCopies() }
        return value
    }

    func leftBehind(_ kind: RecordKind) throws -> Set<String> {
        try following { store, _ in try store.backing.records.leftBehind(kind) }
    }

    func closedWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try following { store, _ in try store.backing.records.closedWhileLocked(kind) }
    }

    /// The name of the store to which the records move, even while the items are in charge.
    func storageName() throws -> String { try place.target().backing.records.storageName() }

    func filePath() throws -> String? {
        try following { store, _ in try store.backing.records.filePath() }
    }

    /// A stream with an element after each change in one of the stores.
    var changes: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let streams = [place.items.changes] + [(try? place.target())?.changes].compactMap(\.self)
            let tasks = streams.map { stream in
                Task { for await _ in stream { continuation.yield() } }
            }
            continuation.onTermination = { _ in tasks.forEach { $0.cancel() } }
        }
    }

    /// Runs a transaction on the store in charge; repeats it on the other store if another process moved the records.
    private func following<Value>(_ body: (any CredentialStore, Bool) throws -> Value) throws -> Value {
        for _ in 0..<3 {
            do {
                // An extension without access to the items' group cannot read the copy of the state in that
                // group. So an extension always reads the state from the store.
                let state = try place.isExtension ? place.state() : place.lastState()
                return try state.isInPlace
                    ? body(place.items, true) : body(place.target(), false)
            } catch is Elsewhere {
                try place.lookAgain()
            }
        }
        throw StoreError(.locked, reason: "The records are being moved; try again.")
    }

    /// Throws if the store of a view is no longer in charge; both stores contain the state.
    private func check(_ view: some CredentialReading, _ isInPlace: Bool) throws {
        let move: LegacyMove?
        do {
            move = try view.move()
        } catch let error as StoreError where error.code == .damaged && isInPlace {
            // The other store contains the state as well.
            throw Elsewhere()
        }
        let isHere =
            switch move?.state {
            case nil, .moving: isInPlace
            case .moved, .movingBack: !isInPlace
            }
        guard !isHere else { return }
        throw Elsewhere()
    }
}
