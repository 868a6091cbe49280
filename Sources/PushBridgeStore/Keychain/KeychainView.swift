import Foundation
import PushBridgeCore

/// One transaction on a keychain; reads each item once, because every read is a call to another process.
final class KeychainView: CredentialReading {
    private let shelf: KeychainShelf
    /// The items of a service by account, once all of them were read.
    private var services: [String: [(account: String, data: Result<Data, StoreError>)]] = [:]
    /// What items hold, once they were decoded.
    private var values: [Place: Result<any StoredRecord, StoreError>] = [:]
    private var ledgerAccounts: [String: String]?

    init(_ shelf: KeychainShelf) {
        self.shelf = shelf
    }

    /// The vendor's SDK reads the items, and it knows accounts only from credentials.
    var repeatsAccounts: Bool { true }

    func forEach<Value: StoredRecord>(
        _ type: Value.Type,
        where query: RecordQuery,
        _ body: (Value) throws -> Void
    ) throws -> [StoreError] {
        let found = try found(type, where: query)
        try found.values.forEach(body)
        return found.unreadable
    }

    func ids<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) throws -> [String] {
        let found = try found(type, where: query)
        let unreadable = query.looksInside ? [] : found.unreadable.compactMap(\.record)
        return Array((found.map(\.recordIndex.id) + unreadable).prefix(query.limit ?? .max))
    }

    func count<Value: StoredRecord>(of type: Value.Type, where query: RecordQuery) throws -> Int {
        if query == .all { return try shelf.accounts(shelf.services[type.recordKind]).count }
        return try ids(of: type, where: query).count
    }

    /// What is to be done to the keychain so that it holds the changes.
    func steps(for changes: RecordChanges) throws -> [KeychainStep] {
        guard !changes.isEmpty else { return [] }
        return try steps(PushCredential.self, changes) + steps(OathCredential.self, changes)
            + steps(AccountProfile.self, changes) + steps(PushNotification.self, changes)
            + tokenSteps(changes) + ledgerSteps(changes) + steps(ImportMark.self, changes)
    }

    // MARK: - Reading

    private func found<Value: StoredRecord>(_ type: Value.Type, where query: RecordQuery) throws -> Fetched<
        Value
    > {
        let kind = type.recordKind
        var found = Fetched<Value>([])
        for (_, value) in try items(type, where: query) {
            switch value {
            case .failure(let error): found.unreadable.append(error)
            case .success(let value as Value) where query.selects(value.recordIndex):
                found.values.append(value)
            case .success: continue
            }
        }
        // The accounts of ledger entries sort by the order of recording.
        if !kind.isListedAsStored { found.values.sort { $0.recordIndex.precedes($1.recordIndex) } }
        if let limit = query.limit { found.values = Array(found.values.prefix(limit)) }
        return found
    }

    /// The items that a query may select: one that is asked for by id, or all of the service.
    private func items<Value: StoredRecord>(
        _ type: Value.Type,
        where query: RecordQuery
    ) throws -> [(account: String, value: Result<any StoredRecord, StoreError>)] {
        let kind = type.recordKind
        let service = shelf.services[kind]
        if services[service] == nil, let id = query.id {
            guard let account = kind == .ledger ? try ledgerAccount(id) : id else { return [] }
            guard let data = try shelf.item(account, of: service) else { return [] }
            return [(account, value(type, of: data, in: Place(service: service, account: account)))]
        }
        let items = try services[service] ?? shelf.items(service)
        services[service] = items
        return items.map { account, data in
            (account, value(type, of: data, in: Place(service: service, account: account)))
        }
    }

    private func value<Value: StoredRecord>(
        _ type: Value.Type,
        of data: Result<Data, StoreError>,
        in place: Place
    ) -> Result<any StoredRecord, StoreError> {
        if let known = values[place] { return known }
        let value = data.flatMap { data -> Result<any StoredRecord, StoreError> in
            do {
                let value = try JSONDecoder().decode(type, from: data)
                if place.isRight(for: value) { return .success(value) }
            } catch {}
            return .failure(
                StoreError(
                    .damaged,
                    record: place.account,
                    reason: "A \(type.recordKind.noun) in the keychain has an invalid form."
                )
            )
        }
        values[place] = value
        return value
    }

    /// The account of the ledger entry with an id: a number that counts entries, and the id.
    private func ledgerAccount(_ id: String) throws -> String? {
        let known = try ledgerAccounts ?? Self.ledgerAccounts(try shelf.accounts(shelf.services[.ledger]))
        ledgerAccounts = known
        return known[id]
    }

    private static func ledgerAccounts(_ accounts: [String]) -> [String: String] {
        Dictionary(accounts.map { (String($0.drop { $0 != "-" }.dropFirst()), $0) }) { _, last in last }
    }

    // MARK: - Changing

    private func steps<Value: StoredRecord>(_ type: Value.Type, _ changes: RecordChanges) throws
        -> [KeychainStep]
    {
        try changes.removed(type.recordKind).map { removal(type.recordKind, $0) }
            + changes.stored(type).map { try step(storing: $0, account: $0.recordIndex.id, changes) }
    }

    /// There is one token, so every other item goes.
    private func tokenSteps(_ changes: RecordChanges) throws -> [KeychainStep] {
        let stored = changes.stored(PushDeviceToken.self)
        guard !stored.isEmpty || !changes.removed(.deviceToken).isEmpty else { return [] }
        let steps = try stored.map { try step(storing: $0, account: $0.recordIndex.id, changes) }
        let gone = try shelf.accounts(shelf.services[.deviceToken]).filter { account in
            !steps.contains { $0.account == account }
        }
        return gone.map { removal(.deviceToken, $0) } + steps
    }

    /// What was recorded before keeps its place.
    private func ledgerSteps(_ changes: RecordChanges) throws -> [KeychainStep] {
        let gone = try changes.removed(.ledger).compactMap { try ledgerAccount($0) }
        let stored = changes.stored(LedgerEntry.self)
        guard !stored.isEmpty else { return gone.map { removal(.ledger, $0) } }
        _ = try ledgerAccount("")
        var next = (ledgerAccounts?.values.compactMap { Int($0.prefix { $0 != "-" }) }.max() ?? 0) + 1
        let steps = try stored.map { entry in
            let id = entry.recordIndex.id
            if let known = try ledgerAccount(id) { return try step(storing: entry, account: known, changes) }
            let number = String(next)
            next += 1
            let zeros = String(repeating: "0", count: max(0, 12 - number.count))
            return try step(storing: entry, account: "\(zeros)\(number)-\(id)", changes)
        }
        return gone.map { removal(.ledger, $0) } + steps
    }

    private func removal(_ kind: RecordKind, _ account: String) -> KeychainStep {
        KeychainStep(service: shelf.services[kind], account: account, data: nil)
    }

    /// The step that stores a value; the same value always has the same bytes.
    private func step<Value: StoredRecord>(
        storing value: Value,
        account: String,
        _ changes: RecordChanges
    ) throws -> KeychainStep {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let service = shelf.services[Value.recordKind]
            return KeychainStep(
                service: service,
                account: account,
                data: try encoder.encode(value),
                accessibility: changes.accessibility(Value.self, id: value.recordIndex.id)
            )
        } catch {
            throw StoreError(
                .failed,
                record: account,
                reason: "A time for a \(Value.recordKind.noun) is not a number."
            )
        }
    }
}

private struct Place: Hashable {
    let service: String
    let account: String

    /// Whether a value belongs under the account; the token does under any, because there is only one.
    func isRight(for value: some StoredRecord) -> Bool {
        let id = value.recordIndex.id
        return switch type(of: value).recordKind {
        case .deviceToken: true
        case .ledger: account.hasSuffix("-\(id)")
        case .account, .push, .oath, .notification, .importMark: account == id
        }
    }
}
