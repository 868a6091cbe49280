import Foundation
import PushBridgeCore
import PushBridgePlatform

/// One transaction on a keychain.
///
/// The view keeps the items that it has read, because each read is a call to another process.
final class KeychainView: CredentialReading {
    private let items: KeychainItems
    private let decoder = JSONDecoder()
    /// The keychain accounts (`kSecAttrAccount`) of all items of a kind, sorted; a kind is absent until its items have
    /// been listed.
    private var accounts: [RecordKind: [String]] = [:]
    /// The records that have been read, by keychain account; `nil` for an item that does not exist.
    private var records: [RecordKind: [String: Result<any StoredRecord, StoreError>?]] = [:]
    /// The look-up keys of all items of a kind, after they have been listed; `nil` if the keychain stores no
    /// look-up keys.
    private var lookUpKeys: [RecordKind: [KeychainItem.LookUpKey]?] = [:]
    private var ledgerAccounts: [String: String]?
    /// The secrets of one-time-password credentials that have been read; `nil` for an item that does not
    /// exist.
    private var secrets: [String: Result<Data, StoreError>?] = [:]
    /// The digest of each item that has been read, or the reason why the item could not be read, by service and
    /// keychain account.
    private var digests: [String: [String: Result<Data, StoreError>]] = [:]

    init(_ items: KeychainItems) {
        self.items = items
    }

    /// The value is `true`, because the successor SDK also reads these items, and it finds the data of an
    /// account only in the account's credentials.
    var denormalizesAccounts: Bool { true }

    func forEach(
        _ kind: RecordKind,
        where query: RecordQuery,
        _ body: (any StoredRecord) throws -> Void
    ) throws -> [StoreError] {
        let found = try found(kind, where: query)
        // If the keychain refuses to return a record that the query selects, the error is thrown. Otherwise, the caller
        // would treat the record as missing.
        for error in found.unreadable where try isSelected(error, kind, query) == true { throw error }
        for item in found.items { try body(item.record) }
        return found.unreadable
    }

    func ids(of kind: RecordKind, where query: RecordQuery) throws -> [String] {
        let found = try found(kind, where: query)
        // The ids include those of unreadable credentials that may belong to the account, so that the account is not
        // removed without them.
        let unreadable = try found.unreadable.filter { error in
            try !query.looksInside || query.owner != nil && isSelected(error, kind, query) != false
        }
        let ids = found.items.map(\.index.id) + unreadable.compactMap(\.record)
        return Array(ids.prefix(query.limit ?? .max))
    }

    /// Returns whether a query selects a record that the keychain refuses to return, according to its look-up key.
    /// - Returns: `nil` if the item has no look-up key; `false` if the record is unreadable for another reason, or
    ///   if the query is neither for an account's credentials nor for an alias.
    private func isSelected(_ error: StoreError, _ kind: RecordKind, _ query: RecordQuery) throws -> Bool? {
        let isForAccount = query.owner != nil && (kind == .push || kind == .oath)
        guard error.isRefusal, isForAccount || query.alias != nil else { return false }
        let keys = try lookUpKeys(of: kind) ?? []
        guard let key = keys.first(where: { $0.account == error.record })?.key, !key.isEmpty else {
            return nil
        }
        return LookUpHashes(query).canBe(key)
    }

    func count(of kind: RecordKind, where query: RecordQuery) throws -> Int {
        if query == .all { return try allAccounts(kind).count }
        return try ids(of: kind, where: query).count
    }

    /// Returns the steps that make the changes in the keychain.
    /// - Throws: ``StoreError`` if a step would replace or remove an item that the keychain refused to return.
    func steps(for changes: RecordChanges) throws -> [KeychainStep] {
        guard !changes.isEmpty else { return [] }
        let steps = try allSteps(for: changes)
        for step in steps {
            let item = digests[step.service]?[step.account]
            if case .failure(let error)? = item, error.isRefusal { throw error }
        }
        return steps
    }

    private func allSteps(for changes: RecordChanges) throws -> [KeychainStep] {
        // If the record of a move is removed, this removal is the first step. While the store is being
        // emptied, another process may read the store, and must not regard it as the store in use.
        let ends = changes.removed(.move).map { removal(.move, $0) }
        let others = try [.account, .notification, .importMark, .tombstone].flatMap { try steps($0, changes) }
        let moves = try changes.stored(.move).map {
            try step(storing: $0, account: $0.recordIndex.id, changes)
        }
        let records = try ends + steps(.push, changes) + oathSteps(changes) + others + moves
        var tokens = try tokenSteps(changes)
        // A transaction fails only if its first step finds a hidden item; in a later step, the item would stay, and the
        // new token would be lost. So a later step replaces a hidden token.
        if !records.isEmpty { for index in tokens.indices { tokens[index].isNew = false } }
        return try records + tokens + ledgerSteps(changes)
    }

    /// Returns whether the first step alone has the effect of all steps.
    ///
    /// The result is `true` if the first step adds a push credential, which contains the data of its account, and the
    /// only other step adds that account. The enrolment of a one-time-password credential always requires the journal,
    /// because the credential has two items, and its secret alone is useless.
    func firstIsEnough(of steps: [KeychainStep], for changes: RecordChanges) -> Bool {
        let credentials = changes.stored(PushCredential.self)
        guard credentials.count == 1, let account = changes.stored(AccountProfile.self).first else {
            return false
        }
        return account == credentials[0].account && account.addedAt == credentials[0].createdAt
            && steps.count == 2 && steps.allSatisfy(\.isNew)
    }

    // MARK: - Reading

    private func found(
        _ kind: RecordKind,
        where query: RecordQuery
    ) throws -> (items: [(record: any StoredRecord, index: RecordIndex)], unreadable: [StoreError]) {
        var items: [(record: any StoredRecord, index: RecordIndex)] = []
        var unreadable: [StoreError] = []
        for item in try self.items(kind, where: query) {
            switch item {
            case .failure(let error): unreadable.append(error)
            case .success(let record):
                let index = record.recordIndex
                if query.selects(index) { items.append((record, index)) }
            }
        }
        // Ledger entries are already in the order in which they were recorded, because they are sorted by keychain
        // account.
        if !kind.isListedAsStored { items.sort { $0.index.precedes($1.index) } }
        return (Array(items.prefix(query.limit ?? .max)), unreadable)
    }

    /// Returns the items from which a query selects: the item with the query's id or, if the query has no id, the
    /// candidates or all items of the kind.
    ///
    /// If all items of a kind are needed, one keychain query reads them.
    private func items(
        _ kind: RecordKind,
        where query: RecordQuery
    ) throws -> [Result<any StoredRecord, StoreError>] {
        // The item of the device token can have any keychain account, so it is not looked up by its id.
        if let id = query.id, kind != .deviceToken {
            guard let account = kind == .ledger ? try ledgerAccount(id) : id else { return [] }
            return try item(kind, under: account).map { [$0] } ?? []
        }
        if accounts[kind] == nil, let accounts = try candidates(kind, query) {
            return try accounts.compactMap { try item(kind, under: $0) }
        }
        if accounts[kind] == nil {
            let found = try kind == .oath ? oathRecords() : self.records(kind)
            accounts[kind] = found.map(\.account)
            records[kind] = Dictionary(found.map { ($0.account, $0.record) }) { first, _ in first }
        }
        return accounts[kind, default: []].compactMap { records[kind]?[$0] ?? nil }
    }

    /// Returns the keychain accounts (`kSecAttrAccount`) of the items that can match the query's owner or alias; an
    /// item without a look-up key can always match.
    ///
    /// Returns `nil` if the caller has to read all items: the query has no owner and no alias, the keychain stores no
    /// look-up keys, or more than eight items can match.
    private func candidates(_ kind: RecordKind, _ query: RecordQuery) throws -> [String]? {
        guard query.owner != nil || query.alias != nil else { return nil }
        guard let keys = try lookUpKeys(of: kind) else { return nil }
        let wanted = LookUpHashes(query)
        let accounts = Set(keys.lazy.filter { wanted.canBe($0.key) }.map(\.account))
        // For more than 8 items, it is faster to read all items with one call to the keychain's process.
        return accounts.count <= 8 ? accounts.sorted() : nil
    }

    /// Returns the look-up keys of all items of a kind; `nil` if the keychain stores no look-up keys.
    private func lookUpKeys(of kind: RecordKind) throws -> [KeychainItem.LookUpKey]? {
        if let known = lookUpKeys[kind] { return known }
        let keys = try items.lookUpKeys(items.services[kind])
        lookUpKeys[kind] = .some(keys)
        return keys
    }

    /// Returns the item with a keychain account; `nil` if the item does not exist.
    private func item(
        _ kind: RecordKind,
        under account: String
    ) throws -> Result<any StoredRecord, StoreError>? {
        if let known = records[kind]?[account] { return known }
        guard accounts[kind] == nil else { return nil }
        let item = try readItem(account, of: items.services[kind])
        let read =
            try kind == .oath
            ? oathRecord(item, under: account) : item.map { record(kind, of: $0, under: account) }
        records[kind, default: [:]][account] = .some(read)
        return read
    }

    private func allAccounts(_ kind: RecordKind) throws -> [String] {
        if kind == .oath { _ = try items(kind, where: .all) }
        return try accounts[kind] ?? items.accounts(items.services[kind])
    }

    private func records(
        _ kind: RecordKind
    ) throws -> [(account: String, record: Result<any StoredRecord, StoreError>)] {
        try readAll(of: items.services[kind]).map {
            ($0.account, record(kind, of: $0.data, under: $0.account))
        }
    }

    private func readItem(
        _ account: String,
        of service: String
    ) throws(StoreError) -> Result<Data, StoreError>? {
        let item = try items.item(account, of: service)
        digests[service, default: [:]][account] = item?.map(KeychainStep.digest)
        return item
    }

    private func readAll(
        of service: String
    ) throws(StoreError) -> [(account: String, data: Result<Data, StoreError>)] {
        let found = try items.all(of: service)
        let read = found.map { ($0.account, $0.data.map(KeychainStep.digest)) }
        digests[service] = Dictionary(read) { first, _ in first }
        return found
    }

    /// Returns whether this transaction has looked for an item with a keychain account and found none.
    private func isKnownAbsent(_ kind: RecordKind, _ account: String) -> Bool {
        guard let known = records[kind]?[account] else { return accounts[kind] != nil }
        return known == nil
    }

    private func record(
        _ kind: RecordKind,
        of data: Result<Data, StoreError>,
        under account: String
    ) -> Result<any StoredRecord, StoreError> {
        data.flatMap { data in
            do {
                let record = try decoder.decode(kind.type, from: data)
                if record.belongs(under: account) { return .success(record) }
            } catch is NewerForm {
                return .failure(.newerForm(kind, account))
            } catch {}
            return .failure(
                StoreError(
                    .damaged,
                    record: account,
                    reason: "The \(kind.noun) in the keychain has an invalid form."
                )
            )
        }
    }

    // MARK: - One-time passwords

    /// Returns all one-time-password credentials, each read from its two items.
    private func oathRecords() throws -> [(account: String, record: Result<any StoredRecord, StoreError>)] {
        let found = try readAll(of: items.services.oathCredentials).map { ($0.account, $0.data) }
        let forms = Dictionary(found) { first, _ in first }
        for secret in try readAll(of: items.services.oathSecrets) { secrets[secret.account] = secret.data }
        let accounts = Set(forms.keys).union(secrets.keys)
        return try accounts.sorted().compactMap { account in
            // All secrets have been read, so a secret that is not found here does not exist.
            secrets[account] = .some(secrets[account] ?? nil)
            return try oathRecord(forms[account], under: account).map { (account, $0) }
        }
    }

    /// Returns the credential, assembled from its own item and from the item that contains its secret; `nil`
    /// if neither item exists.
    private func oathRecord(
        _ form: Result<Data, StoreError>?,
        under account: String
    ) throws -> Result<any StoredRecord, StoreError>? {
        let secret = try secrets[account] ?? readItem(account, of: items.services.oathSecrets)
        secrets[account] = .some(secret)
        if let form {
            return record(.oath, of: form, under: account).flatMap { $0.joined(with: secret, under: account) }
        }
        guard let secret else { return nil }
        if case .failure(let error) = secret, error.isRefusal { return .failure(error) }
        return .failure(.halfCredential(account, "Only its secret exists."))
    }

    /// Returns the keychain account of the ledger entry with an id; `nil` if there is no such entry.
    ///
    /// The keychain account consists of the entry's number and the id.
    private func ledgerAccount(_ id: String) throws -> String? {
        let known = try ledgerAccounts ?? Self.ledgerAccounts(try allAccounts(.ledger))
        ledgerAccounts = known
        return known[id]
    }

    private static func ledgerAccounts(_ accounts: [String]) -> [String: String] {
        Dictionary(accounts.map { (String($0.drop { $0 != "-" }.dropFirst()), $0) }) { _, last in last }
    }

    // MARK: - Changing

    private func steps(_ kind: RecordKind, _ changes: RecordChanges) throws -> [KeychainStep] {
        try changes.removed(kind).map { removal(kind, $0) }
            + changes.stored(kind).map { try step(storing: $0, account: $0.recordIndex.id, changes) }
    }

    /// Returns the steps for one-time-password credentials; each credential has two items.
    private func oathSteps(_ changes: RecordChanges) throws -> [KeychainStep] {
        changes.removed(.oath).flatMap { id in
            [items.services.oathCredentials, items.services.oathSecrets].map {
                KeychainStep(service: $0, account: id, data: nil)
            }
        }
            + (try changes.stored(OathCredential.self).flatMap { credential in
                try self.steps(storing: credential, changes.accessibility(.oath, id: credential.id))
            })
    }

    private func steps(
        storing credential: OathCredential,
        _ accessibility: KeychainAccessibility?
    ) throws -> [KeychainStep] {
        let id = credential.id
        let secret = credential.withSecret { Data($0.utf8) }
        var form = try step(
            .oath,
            account: id,
            storing: OathCredential.BesideSecret(credential),
            credential.recordIndex,
            accessibility
        )
        if case .success(secret)?? = secrets[id] { return [form] }
        // Both items are replaced, so the completion of an interrupted transaction must not keep one of them.
        form.before = nil
        // The secret of an existing credential gets the same accessibility as the credential.
        let beside =
            try accessibility == nil && !isKnownAbsent(.oath, id)
            ? items.accessibility(id, of: items.services.oathCredentials) : nil
        let secretStep = KeychainStep(
            service: items.services.oathSecrets,
            account: id,
            data: secret,
            accessibility: accessibility ?? beside,
            isNew: secrets[id].map { $0 == nil } ?? (accounts[.oath] != nil)
        )
        return [secretStep, form]
    }

    /// Returns the steps for the device token.
    ///
    /// There is only one token, so every other item is removed.
    private func tokenSteps(_ changes: RecordChanges) throws -> [KeychainStep] {
        let stored = changes.stored(.deviceToken)
        guard !stored.isEmpty || !changes.removed(.deviceToken).isEmpty else { return [] }
        let steps = try stored.map { try step(storing: $0, account: $0.recordIndex.id, changes) }
        let gone = try allAccounts(.deviceToken).filter { account in
            !steps.contains { $0.account == account }
        }
        return gone.map { removal(.deviceToken, $0) } + steps
    }

    /// Returns the steps for ledger entries; existing entries keep their position.
    private func ledgerSteps(_ changes: RecordChanges) throws -> [KeychainStep] {
        let gone = try changes.removed(.ledger).compactMap { try ledgerAccount($0) }
        let stored = changes.stored(.ledger)
        guard !stored.isEmpty else { return gone.map { removal(.ledger, $0) } }
        _ = try ledgerAccount("")
        var next = (ledgerAccounts?.values.compactMap { Int($0.prefix { $0 != "-" }) }.max() ?? 0) + 1
        let steps = try stored.map { entry in
            let id = entry.recordIndex.id
            if let known = try ledgerAccount(id) { return try step(storing: entry, account: known, changes) }
            let number = String(next)
            next += 1
            let zeros = String(repeating: "0", count: max(0, 12 - number.count))
            var step = try step(storing: entry, account: "\(zeros)\(number)-\(id)", changes)
            step.isNew = true
            return step
        }
        return gone.map { removal(.ledger, $0) } + steps
    }

    private func removal(_ kind: RecordKind, _ account: String) -> KeychainStep {
        KeychainStep(service: items.services[kind], account: account, data: nil)
    }

    private func step(
        storing record: any StoredRecord,
        account: String,
        _ changes: RecordChanges
    ) throws -> KeychainStep {
        let accessibility = changes.accessibility(record.recordKind, id: record.recordIndex.id)
        return try step(
            record.recordKind,
            account: account,
            storing: record,
            record.recordIndex,
            accessibility
        )
    }

    /// Returns the step that stores a record; `form` is the record in its stored form.
    ///
    /// Equal forms always have the same bytes.
    private func step(
        _ kind: RecordKind,
        account: String,
        storing form: any Encodable,
        _ index: RecordIndex,
        _ accessibility: KeychainAccessibility?
    ) throws -> KeychainStep {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var before: Data?
        if case .success(let digest)? = digests[items.services[kind]]?[account] { before = digest }
        do {
            return KeychainStep(
                service: items.services[kind],
                account: account,
                data: try encoder.encode(form),
                accessibility: accessibility,
                lookUpKey: LookUpHashes(index).data,
                isNew: isKnownAbsent(kind, account),
                before: before
            )
        } catch {
            throw StoreError(
                .failed,
                record: account,
                reason: "The \(kind.noun) has a date that is not a number."
            )
        }
    }
}

extension StoredRecord {
    /// Returns whether the record can be the content of the item with the keychain account `account`.
    ///
    /// There is only one device token, and its item can have any keychain account.
    fileprivate func belongs(under account: String) -> Bool {
        switch recordKind {
        case .deviceToken: true
        case .ledger: account.hasSuffix("-\(recordIndex.id)")
        case .account, .push, .oath, .notification, .importMark, .move, .tombstone:
            account == recordIndex.id
        }
    }
}
