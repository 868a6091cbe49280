package import PushBridgeCore

/// What a transaction has loaded from an app's own storage so far.
package struct LoadedRecords: Sendable {
    private var lists: [RecordDemand: any Sendable] = [:]
    private var counts: [RecordDemand: Int] = [:]

    package init() {}

    package mutating func add<Value: StoredRecord>(_ values: [Value], for demand: RecordDemand) {
        lists[demand] = values
    }

    package mutating func add(count: Int, for demand: RecordDemand) {
        counts[demand] = count
    }

    /// The record with an id: `nil` if nobody asked for it, `.some(nil)` if there is none.
    package func value<Value: StoredRecord>(_ type: Value.Type = Value.self, id: String) -> Value?? {
        if let one = list(type, RecordQuery(id: id)) { return .some(one.first) }
        if let all = list(type, .all) { return .some(all.first { $0.recordIndex.id == id }) }
        for case let list as [Value] in lists.values {
            if let value = list.first(where: { $0.recordIndex.id == id }) { return .some(value) }
        }
        return nil
    }

    /// A record that was loaded and that a condition selects, the first in its list.
    package func first<Value: StoredRecord>(_ type: Value.Type, where condition: (Value) -> Bool) -> Value? {
        for case let list as [Value] in lists.values {
            if let value = list.first(where: condition) { return value }
        }
        return nil
    }

    /// What was loaded for a query, or is part of what was.
    fileprivate func list<Value: StoredRecord>(_ type: Value.Type, _ query: RecordQuery) -> [Value]? {
        lists[RecordDemand(type.recordKind, query)] as? [Value]
    }

    fileprivate func count(_ demand: RecordDemand) -> Int? { counts[demand] }
}

/// A view of what was loaded; asked for anything else, it throws what to load.
struct LoadedView<App: AppStorage>: CredentialReading {
    let app: App
    let loaded: LoadedRecords

    /// Names, policies and lock live in the credentials.
    var repeatsAccounts: Bool { true }
    var keepsAccounts: Bool { false }

    func forEach<Value: StoredRecord>(
        _ type: Value.Type,
        where query: RecordQuery,
        _ body: (Value) throws -> Void
    ) throws -> [StoreError] {
        try values(type, where: query).forEach(body)
        return []
    }

    func ids<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) throws -> [String] {
        try values(type, where: query).map(\.recordIndex.id)
    }

    func count<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) throws -> Int {
        let demand = RecordDemand(type.recordKind, query, countsOnly: true)
        if app.counts(demand), loaded.list(type, .all) == nil {
            guard let count = loaded.count(demand) else { throw MissingRecords(demand: demand) }
            return count
        }
        return try values(type, where: query).count
    }

    private func values<Value: StoredRecord>(_ type: Value.Type, where query: RecordQuery) throws -> [Value] {
        guard let loadable = app.loadable(type.recordKind, query) else { return [] }
        let known = loaded.list(type, loadable) ?? loaded.list(type, .all) ?? account(loadable)
        guard let values = known else {
            throw MissingRecords(demand: RecordDemand(type.recordKind, loadable))
        }
        guard query != loadable else { return values }
        let selected = values.filter { query.selects($0.recordIndex) }
        return query.limit.map { Array(selected.prefix($0)) } ?? selected
    }

    /// The account with an id, as whichever of its credentials is at hand says; `nil` if none is.
    private func account<Value: StoredRecord>(_ query: RecordQuery) -> [Value]? {
        guard Value.recordKind == .account, let key = query.id.flatMap(AccountKey.init(recordID:)) else {
            return nil
        }
        if let known = loaded.first(App.Credential.self, where: { $0.account.key == key }) {
            return [known.account].compactMap { $0 as? Value }
        }
        return loaded.list(App.Credential.self, .all) == nil ? nil : []
    }
}

/// What has to be loaded before a transaction can go on.
struct MissingRecords: Error {
    let demand: RecordDemand
}
