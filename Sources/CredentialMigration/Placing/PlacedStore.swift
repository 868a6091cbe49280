import PushBridgeCore

/// The store that follows the records.
struct PlacedStore: CredentialStore, RecordStore {
    let place: RecordPlace

    /// The other store is in charge and has to run the transaction.
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
        // If this fails, the end of the move does it.
        if isMoving { try? place.updateCopies() }
        return value
    }

    func leftBehind(_ kind: RecordKind) throws -> Set<String> {
        try following { store, _ in try store.backing.records.leftBehind(kind) }
    }

    func closedWhileLocked(_ kind: RecordKind) throws -> Set<String> {
        try following { store, _ in try store.backing.records.closedWhileLocked(kind) }
    }

    /// The name of the store that the records move to, also while the items are in charge.
    func storageName() throws -> String { try place.target().backing.records.storageName() }

    func filePath() throws -> String? {
        try following { store, _ in try store.backing.records.filePath() }
    }

    /// One element after every change in either place.
    var changes: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let streams = [place.items.changes] + [(try? place.target())?.changes].compactMap(\.self)
            let tasks = streams.map { stream in
                Task { for await _ in stream { continuation.yield() } }
            }
            continuation.onTermination = { _ in tasks.forEach { $0.cancel() } }
        }
    }

    /// Runs a transaction on the store in charge, and repeats it on the other one if another process moved the records.
    private func following<Value>(_ body: (any CredentialStore, Bool) throws -> Value) throws -> Value {
        for _ in 0..<3 {
            do {
                // An extension that lacks the group of the items does not see the state beside them either.
                let state = try place.isExtension ? place.state() : place.lastState()
                return try state.isInPlace
                    ? body(place.items, true) : body(place.target(), false)
            } catch is Elsewhere {
                try place.lookAgain()
            }
        }
        throw StoreError(.locked, reason: "The records are being moved; try again.")
    }

    /// Throws if the store of a view is no longer in charge; each store contains the state.
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
