/// Records that a transaction needs to see, or whose number it needs to know.
package struct RecordDemand: Hashable, Sendable {
    package let kind: RecordKind
    package let query: RecordQuery
    /// Whether only their number is needed.
    package let countsOnly: Bool
    /// Whether they are known not to exist, as what is new does.
    package var isAbsent = false

    package init(_ kind: RecordKind, _ query: RecordQuery = .all, countsOnly: Bool = false) {
        self.kind = kind
        self.query = query
        self.countsOnly = countsOnly
    }

    /// A record that is about to be stored under its own id.
    package static func new(_ kind: RecordKind, id: String) -> RecordDemand {
        var demand = RecordDemand(kind, RecordQuery(id: id))
        demand.isAbsent = true
        return demand
    }

    package static func == (one: RecordDemand, other: RecordDemand) -> Bool {
        one.kind == other.kind && one.countsOnly == other.countsOnly && one.query == other.query
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(countsOnly)
        hasher.combine(query)
    }
}

/// A view of an app's own storage: of the records that were loaded of it.
package protocol LoadedReading: CredentialReading {
    /// The records that a query selects, in order.
    /// - Throws: ``MissingRecords`` if they were not loaded.
    func records(_ kind: RecordKind, where query: RecordQuery) throws -> [any StoredRecord]
}

extension LoadedReading {
    package func forEach(
        _ kind: RecordKind,
        where query: RecordQuery,
        _ body: (any StoredRecord) throws -> Void
    ) throws -> [StoreError] {
        try records(kind, where: query).forEach(body)
        return []
    }

    package func ids(of kind: RecordKind, where query: RecordQuery) throws -> [String] {
        try records(kind, where: query).map(\.recordIndex.id)
    }

    package func count(of kind: RecordKind, where query: RecordQuery) throws -> Int {
        try records(kind, where: query).count
    }
}

/// The records that have to be loaded before a transaction on an app's own storage can continue.
///
/// Such a storage has methods, some of them async, but no transactions. So a transaction works on loaded records
/// without any I/O; if a record is missing, it throws this error and is run again after that record was loaded.
package struct MissingRecords: Error {
    package let demand: RecordDemand

    package init(_ demand: RecordDemand) {
        self.demand = demand
    }

    /// Runs a transaction until it lacks nothing.
    /// - Parameters:
    ///   - loaded: The records known from the beginning, and at the end all that were loaded.
    ///   - load: Loads what is missing.
    ///   - transaction: Works on what was loaded; called again each time that it throws this error.
    /// - Returns: The transaction's value.
    /// - Throws: What `load` throws, and what else the transaction throws.
    package static func loading<Loaded, Value>(
        into loaded: inout Loaded,
        _ load: (RecordDemand, inout Loaded) throws -> Void,
        for transaction: (Loaded) throws -> Value
    ) throws -> Value {
        while true {
            do {
                return try transaction(loaded)
            } catch let missing as MissingRecords {
                try load(missing.demand, &loaded)
            }
        }
    }

    /// The same for a storage whose calls are async.
    package static func loading<Loaded, Value>(
        into loaded: inout Loaded,
        _ load: (RecordDemand, inout Loaded) async throws -> Void,
        for transaction: (Loaded) throws -> Value
    ) async throws -> Value {
        while true {
            do {
                return try transaction(loaded)
            } catch let missing as MissingRecords {
                try await load(missing.demand, &loaded)
            }
        }
    }
}
