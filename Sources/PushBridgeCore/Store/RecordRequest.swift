/// A transaction's request for records, or only for their number.
package struct RecordRequest: Hashable, Sendable {
    package let kind: RecordKind
    package let query: RecordQuery
    /// Whether only the number of records is requested.
    package let countsOnly: Bool
    /// Whether the records are known not to be stored yet, for example because they are new.
    package var isAbsent = false

    package init(_ kind: RecordKind, _ query: RecordQuery = .all, countsOnly: Bool = false) {
        self.kind = kind
        self.query = query
        self.countsOnly = countsOnly
    }

    /// Returns a request for a record that cannot exist yet, because its id has just been created.
    package static func new(_ kind: RecordKind, id: String) -> RecordRequest {
        var request = RecordRequest(kind, RecordQuery(id: id))
        request.isAbsent = true
        return request
    }

    package static func == (one: RecordRequest, other: RecordRequest) -> Bool {
        one.kind == other.kind && one.countsOnly == other.countsOnly && one.query == other.query
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(countsOnly)
        hasher.combine(query)
    }
}

/// A view of the records that were loaded from an app's own storage.
package protocol LoadedReading: CredentialReading {
    /// Returns the records that a query selects.
    /// - Throws: ``NeedsRecords`` if the records have not been loaded yet.
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

/// The error that a transaction throws if the records that it needs are not loaded yet.
///
/// An app's own storage has methods (some of them async), but no transactions, so a transaction works on loaded
/// records. After this error, ``loading(into:_:for:)`` loads the records and runs the transaction again.
package struct NeedsRecords: Error {
    package let request: RecordRequest

    package init(_ request: RecordRequest) {
        self.request = request
    }

    /// Runs a transaction; loads the records that it lacks, and runs it again, until it lacks no records.
    /// - Parameters:
    ///   - loaded: Before the call, the records that have already been loaded; after the call, all loaded
    ///     records.
    ///   - load: Loads the missing records.
    ///   - transaction: Works on the loaded records; called again after each ``NeedsRecords`` error.
    /// - Returns: The result of the transaction.
    /// - Throws: The errors of `load`, and other errors of the transaction.
    package static func loading<Loaded, Value>(
        into loaded: inout Loaded,
        _ load: (RecordRequest, inout Loaded) throws -> Void,
        for transaction: (Loaded) throws -> Value
    ) throws -> Value {
        while true {
            do {
                return try transaction(loaded)
            } catch let needed as NeedsRecords {
                try load(needed.request, &loaded)
            }
        }
    }

    /// Runs a transaction again and again until it lacks no records; awaits the loading of the records that it lacks.
    package static func loading<Loaded, Value>(
        into loaded: inout Loaded,
        _ load: (RecordRequest, inout Loaded) async throws -> Void,
        for transaction: (Loaded) throws -> Value
    ) async throws -> Value {
        while true {
            do {
                return try transaction(loaded)
            } catch let needed as NeedsRecords {
                try await load(needed.request, &loaded)
            }
        }
    }
}
