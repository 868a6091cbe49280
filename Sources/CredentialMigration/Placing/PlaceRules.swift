import Foundation
import LegacyStore
import PushBridgeCore

// Rules for moving records between the store and the legacy items.

extension CredentialWriting {
    /// Applies the removals that the user made while the legacy items were in charge, and stores the
    /// tombstones of these removals.
    func bury(_ tombstones: [Tombstone]) throws {
        // An account can be removed only after its credentials.
        for tombstone in tombstones where tombstone.removedKind != .account { try bury(tombstone) }
        for tombstone in tombstones where tombstone.removedKind == .account { try bury(tombstone) }
    }

    private func bury(_ tombstone: Tombstone) throws {
        try put(tombstone)
        let query = RecordQuery(id: tombstone.removedId)
        switch tombstone.removedKind {
        case .account:
            guard let key = AccountKey(recordID: tombstone.removedId), try !hasCredentials(key) else {
                return
            }
            try remove(.account, where: query)
        case .push: try dismissPushCredential(id: tombstone.removedId)
        case .oath, .notification: try remove(tombstone.removedKind, where: query)
        case .deviceToken, .ledger, .importMark, .move, .tombstone: return
        }
    }

    /// Imports the notes from the time when the legacy items were in charge.
    ///
    /// Notes are data for which the legacy items have no field. While the legacy items are in charge, the notes are
    /// stored beside these items.
    func take(_ notes: LegacyItemNotes) throws {
        if let token = notes.token { try put(token) }
        for (id, removal) in notes.owedRemovals {
            guard var credential = try first(PushCredential.self, where: RecordQuery(id: id)) else {
                continue
            }
            credential.owedRemoval = removal
            try put(credential)
        }
        for (id, claim) in notes.claims {
            guard var push = try first(PushNotification.self, where: RecordQuery(id: id)), push.pending else {
                continue
            }
            push.answerClaim = claim
            try put(push)
        }
    }

    /// Changes the dates of notifications where necessary, so that no two notifications have the same legacy key.
    ///
    /// The legacy key of a notification contains its credential's id and its date in milliseconds. Two processes may,
    /// for example, receive two pushes of a credential in the same millisecond.
    func separateNotifications() throws {
        var keys: Set<String> = []
        for stored in try fetch(PushNotification.self).values.sorted(by: {
            ($0.orderedAt, $0.id) < ($1.orderedAt, $1.id)
        }) {
            var push = stored
            while !keys.insert(push.legacyIdentifier).inserted {
                push.setTimeAdded(push.orderedAt.addingTimeInterval(0.001))
            }
            guard push.id != stored.id || push.orderedAt != stored.orderedAt else { continue }
            try remove(.notification, where: RecordQuery(id: stored.id))
            try put(push)
        }
    }

    /// Imports the notes of a process that did not know about the move.
    ///
    /// The device token is ignored unless it is newer than the store's token.
    func takeLater(_ notes: LegacyItemNotes) throws {
        var notes = notes
        if let token = notes.token, let stored = try deviceToken(), stored.createdAt >= token.createdAt {
            notes.token = nil
        }
        try take(notes)
    }

    /// Removes credentials that an earlier attempt of this move imported and that are no longer in the legacy items:
    /// the previous release has probably removed them.
    ///
    /// A credential is removed only if the earlier attempt read it in an item, the marker proves that the item's group
    /// is readable, other items exist, and the account has no item. If its item is found later, the credential is
    /// imported again, unless another source or another store may have a copy.
    /// - Returns: The ledger entries of the credentials that stay in the store.
    func settleVanished(
        before: ItemListing?,
        now: ItemListing,
        since beganAt: Date
    ) throws -> [LedgerEntry] {
        guard let before else { return [] }
        let service = LegacyService.mechanism
        let vanished = Set(before.names.filter { $0.service == service.rawValue }.map(\.key))
            .filter { !now.has($0, of: service) }
        let missing = before.credentialIds.subtracting(now.credentialIds)
        guard !vanished.isEmpty || !missing.isEmpty else { return [] }
        var kept: [LedgerEntry] = []
        let all = try fetch(LedgerEntry.self).values
        let readable = Set(
            all.filter { $0.result.credentialId.map(now.credentialIds.contains) ?? false }.map(\.key)
        )
        let entries = all.filter { entry in
            let wasReplaced =
                readable.contains(entry.key) && entry.result.credentialId.map(missing.contains) ?? false
            return entry.result.outcome == .migrated && (vanished.contains(entry.key) || wasReplaced)
        }
        let credentials = all.filter { $0.kind != .notification }
        let outcomes = Dictionary(grouping: credentials, by: \.result.credentialId)
        for entry in entries {
            guard let id = entry.result.credentialId, let account = try account(of: entry, id) else {
                continue
            }
            let wasRemoved = entry.recordedAt >= beganAt && !now.isEmpty && !now.hasItem(of: account)
            guard wasRemoved && before.credentialIds.contains(id) else {
                kept.append(entry)
                continue
            }
            let tombstones = try Set(ids(of: .tombstone, where: .all))
            _ = try dismissCredential(entry.kind, id: id, of: account)
            let isWithoutCredentials = try !hasCredentials(account)
            if isWithoutCredentials { try dismiss(.account, where: RecordQuery(id: account.recordID)) }
            // The items may have moved to a group that this process cannot see now. So neither tombstones nor outcomes
            // remain, and a later start imports the items again if it finds them. They remain if another source or
            // another store may have a copy of the credential, which would otherwise be imported.
            guard outcomes[id]?.count == 1, try unfinishedStoreMove() == nil else { continue }
            for id in try ids(of: .tombstone, where: .all) where !tombstones.contains(id) {
                try remove(.tombstone, where: RecordQuery(id: id))
            }
            for other in all where other.recordedAt >= beganAt {
                let isOfAccount = other.kind == .account && other.key == account.legacyIdentifier
                guard other.result.credentialId == id || isOfAccount && isWithoutCredentials else { continue }
                try remove(.ledger, where: RecordQuery(id: other.recordIndex.id))
            }
        }
        return kept
    }

    private func account(of entry: LedgerEntry, _ id: String) throws -> AccountKey? {
        let query = RecordQuery(id: id)
        return switch entry.kind {
        case .push: try fetch(PushCredential.self, where: query).first?.account.key
        case .totp, .hotp: try fetch(OathCredential.self, where: query).first?.account.key
        case .account, .notification, .deviceToken, .unknown: nil
        }
    }
}

extension CredentialReading {
    /// Returns the data for which the legacy items have no field.
    ///
    /// This method is called after all other data has been written to the items.
    func legacyNotes(beside keychain: LegacyKeychain) throws -> LegacyItemNotes {
        var notes = LegacyItemNotes()
        if let token = try deviceToken() {
            let item = keychain.item("deviceToken", of: .deviceToken)?.value
            if case .deviceToken(let stored)? = item { notes.keep(token, besideItem: stored) }
        }
        for credential in try fetch(PushCredential.self).values {
            notes.owedRemovals[credential.id] = credential.owedRemoval
        }
        for push in try fetch(PushNotification.self, where: .open).values {
            if let claim = push.answerClaim { notes.claims[push.legacyIdentifier] = claim }
        }
        return notes
    }

    /// Writes all records to the legacy items and reads them back.
    ///
    /// The method also deletes the items of records that the user removed.
    /// - Returns: How many records were written, and the tombstones that are still necessary, because an unreadable
    ///   item may contain a removed credential. It may also contain a different credential that the previous release
    ///   stored later.
    func moveBack(into keychain: LegacyKeychain) throws -> (ExportSummary, [Tombstone]) {
        let (items, summary) = try legacyItems()
        for (name, item) in items.sorted(by: { $0.key < $1.key }) {
            let before = keychain.item(name.key, of: name.service)
            // An account's item that cannot be read may contain more than the substitute, so the item stays unchanged.
            if item.isSubstitute, before != nil, before?.value == nil { continue }
            if let before, let error = before.error {
                if error.code == .locked { throw StoreError(name.key, error) }
                // The item may contain a record that was not imported.
                if keychain.mayBeDecryptedLater(before, of: name.service) {
                    let reason = "The device's key could not decrypt the item; try again."
                    throw StoreError(.locked, record: name.key, reason: reason)
                }
            }
            if try isUnknown(before?.value, insteadOf: item) {
                let reason = "The item contains a credential that was not imported; try again."
                throw StoreError(.failed, record: name.key, reason: reason)
            }
            let after = try item.merged(with: before?.value, wasChanged: isKept(before?.data))
            if let value = before?.value, value == after.record { continue }
            let data = try keychain.sealed(after.archive, over: before?.data)
            // If the item was seen above but has no data, it is undecryptable, because a locked item throws above.
            try keychain.put(
                data,
                name.key,
                of: name.service,
                over: before?.data,
                lookUpKey: after.record?.lookUpKey,
                replacesUndecryptable: before != nil
            )
            guard after.isContent(of: keychain.item(name.key, of: name.service), name.service) else {
                let reason = "The legacy item was written, but reading it back returned different content."
                throw StoreError(.failed, record: name.key, reason: reason)
            }
        }
        return (summary, try removeBuried(from: keychain, except: Set(items.keys)))
    }

    /// Returns whether an item contains a mechanism that was never imported, instead of the mechanism to be written.
    ///
    /// In this case, the previous release stored the mechanism, and the import before the move back could not read the
    /// item.
    private func isUnknown(_ record: LegacyRecord?, insteadOf item: LegacyItemContent) throws -> Bool {
        guard case .mechanism(let held)? = record, case .mechanism(let mine)? = item.record,
            held.mechanismUUID != mine.mechanismUUID
        else { return false }
        let id = held.mechanismUUID
        let kind: RecordKind = held.kind == .push ? .push : .oath
        guard try !isBuried(kind, id: id) else { return false }
        return try !fetch(LedgerEntry.self).values.contains { $0.result.credentialId == id }
    }

    /// Converts all records to items.
    /// - Throws: ``StoreError`` with the code `notWritable` if the items cannot store a record.
    private func legacyItems() throws -> ([LegacyItemName: LegacyItemContent], ExportSummary) {
        var items: [LegacyItemName: LegacyItemContent] = [:]
        var doubled: [String] = []
        var mechanisms: [LegacyMechanism] = []
        let summary = try export { record in
            if case .mechanism(let mechanism)? = record.value { mechanisms.append(mechanism) }
            guard let item = record.item else { return false }
            let name = LegacyItemName(service: item.service, key: item.key)
            let content = LegacyItemContent(archive: item.archive, record: record.value)
            if let other = items[name] {
                // Two records have the same key. If both are records of the same account, the second is the record
                // that the previous release changed. It is not lost, because the ledger contains it.
                if !content.isSameAccount(as: other) { doubled.append(item.key) }
            } else {
                items[name] = content
            }
            return true
        }
        let homeless = doubled + summary.leftOutMechanisms + summary.unreadable
        guard homeless.isEmpty, summary.leftOut.isEmpty else {
            let names = homeless.sorted().joined(separator: ", ")
            throw StoreError(
                .notWritable,
                reason:
                    "The legacy SDK's store cannot contain all records, so nothing was moved back: \(names)."
            )
        }
        let profiles = try accountsInUse()
        for mechanism in mechanisms {
            // The previous release shows a mechanism only if its account has an item, so a missing item is added.
            let profile = profiles[mechanism.account] ?? AccountProfile(mechanism.account)
            let account = LegacyAccount(profile: profile, timeAdded: mechanism.timeAdded)
            let name = LegacyItemName(service: .account, key: account.identifier)
            if items[name] == nil { items[name] = LegacyItemContent(.account(account), isSubstitute: true) }
        }
        return (items, summary)
    }

    /// Returns all stored accounts and the accounts of all credentials; unlike an export, includes undated accounts.
    ///
    /// The successor SDK stores the names and the lock of an account only in the account's credentials.
    private func accountsInUse() throws -> [AccountKey: AccountProfile] {
        var accounts: [AccountKey: AccountProfile] = [:]
        let all =
            try fetch(AccountProfile.self).values + fetch(PushCredential.self).values.map(\.account)
            + fetch(OathCredential.self).values.map(\.account)
        for account in all {
            accounts[account.key, default: account].complete(from: account)
        }
        return accounts
    }

    /// Returns whether the ledger keeps these bytes, for example those of an account that the previous release changed.
    private func isKept(_ archive: Data?) throws -> Bool {
        try fetch(LedgerEntry.self, where: .open).values.contains { $0.verbatim?.payload == archive }
    }

    /// Returns the keys of the items from which removed credentials were imported.
    private func itemKeys(of tombstones: [Tombstone]) throws -> Set<String> {
        let removed = Set(tombstones.map(\.removedId))
        let entries = try fetch(LedgerEntry.self).values.filter { entry in
            entry.result.credentialId.map(removed.contains) ?? false
        }
        return Set(entries.map(\.key))
    }

    /// Deletes the legacy items of records that the user removed.
    ///
    /// An item whose record is missing from the store for another reason is kept.
    /// - Returns: The tombstones that are still necessary, because an unreadable item may contain a removed credential.
    private func removeBuried(
        from keychain: LegacyKeychain,
        except names: Set<LegacyItemName>
    ) throws -> [Tombstone] {
        var removed: [LegacyItemName] = []
        var accountsInUse = try Set(fetch(AccountProfile.self).values.map(\.key))
        var tombstones = try fetch(Tombstone.self).values.filter { [.push, .oath].contains($0.removedKind) }
        let buried = try itemKeys(of: tombstones)
        var unreadable: [String] = []
        for held in try keychain.items(of: .mechanism) {
            let name = LegacyItemName(service: .mechanism, key: held.key)
            if let error = held.error, error.code == .locked, buried.contains(held.key) {
                throw StoreError(held.key, error)
            }
            guard case .mechanism(let mechanism)? = held.value else {
                unreadable.append(held.key)
                continue
            }
            let kind: RecordKind = mechanism.kind == .push ? .push : .oath
            if try !names.contains(name) && isBuried(kind, id: mechanism.mechanismUUID) {
                removed.append(name)
            } else {
                accountsInUse.insert(mechanism.account)
            }
        }
        for held in try keychain.items(of: .notification) {
            let name = LegacyItemName(service: .notification, key: held.key)
            guard case .notification(let push)? = held.value, !names.contains(name) else { continue }
            if try isBuried(.notification, id: push.id) || isBuried(.push, id: push.credentialId) {
                removed.append(name)
            }
        }
        for held in try keychain.items(of: .account) {
            let name = LegacyItemName(service: .account, key: held.key)
            guard case .account(let account)? = held.value, !accountsInUse.contains(account.profile.key),
                let tombstone = try tombstone(.account, id: account.profile.key.recordID)
            else { continue }
            // If an item that the keychain cannot read now may contain a mechanism of the account, the account's
            // item is kept.
            if unreadable.contains(where: { $0.hasPrefix("\(held.key)-") }) {
                tombstones.append(tombstone)
            } else {
                removed.append(name)
            }
        }
        for name in removed { try keychain.remove(name.key, of: name.service) }
        // Any of the unreadable items may contain a removed credential that a killed move back wrote. If the user has
        // added a removed credential again, its tombstone is not necessary.
        guard !unreadable.isEmpty else { return [] }
        let pushes = try fetch(PushCredential.self).values.map(\.id)
        let live = try Set(pushes + fetch(OathCredential.self).values.map(\.id))
        return tombstones.filter { !live.contains($0.removedId) }
    }
}

/// The name of one of the legacy SDK's items.
private struct LegacyItemName: Hashable, Comparable {
    let service: LegacyService
    let key: String

    static func < (one: LegacyItemName, other: LegacyItemName) -> Bool {
        (one.service.rawValue, one.key) < (other.service.rawValue, other.key)
    }
}

/// The new content of one of the legacy SDK's items.
private struct LegacyItemContent {
    let archive: Data
    /// The decoded record; `nil` if this version cannot read it.
    let record: LegacyRecord?
    /// Whether this content is a substitute for a missing account record.
    ///
    /// A substitute completes an existing item, but does not replace it.
    var isSubstitute = false

    func isSameAccount(as other: LegacyItemContent) -> Bool {
        guard case .account(let one)? = record, case .account(let two)? = other.record else { return false }
        return one.profile.key == two.profile.key
    }

    /// Returns this content merged with the changes that the previous release made to the item.
    ///
    /// An account that the previous release changed keeps the names chosen there, and is locked if either version is
    /// locked. An HOTP mechanism gets the higher of the two counters.
    func merged(with held: LegacyRecord?, wasChanged: Bool) -> LegacyItemContent {
        switch (record, held) {
        case (.account(let mine)?, .account(var theirs)?)
        where (wasChanged || isSubstitute) && mine.profile.key == theirs.profile.key:
            theirs.profile.complete(from: mine.profile)
            return LegacyItemContent(.account(theirs))
        case (.mechanism(var mine)?, .mechanism(let theirs)?):
            guard mine.mechanismUUID == theirs.mechanismUUID,
                case .hotp(let parameters, let counter) = mine.factor,
                case .hotp(_, let later) = theirs.factor, later > counter
            else { return self }
            mine.factor = .hotp(parameters, counter: later)
            return LegacyItemContent(.mechanism(mine))
        default:
            return self
        }
    }

    /// Returns whether an item has this content.
    ///
    /// If this version cannot decode the content, the item only has to be readable; its data is not compared.
    func isContent(of held: LegacyKeychain.Entry?, _ service: LegacyService) -> Bool {
        do {
            // The item is compared with the decoded archive and not with the record, because archiving can
            // change the last bit of a date.
            let record = try LegacyRecord(archive: archive, service: service)
            return held?.value == record
        } catch {
            return held?.data != nil
        }
    }
}

extension LegacyItemContent {
    fileprivate init(_ record: LegacyRecord, isSubstitute: Bool = false) {
        self.init(archive: record.archive, record: record, isSubstitute: isSubstitute)
    }
}

extension MigrationReceipt? {
    /// Returns the receipt, extended by the records that an earlier attempt imported and that stay in the store
    /// although they are no longer in the legacy items.
    ///
    /// A record is not added if this attempt found it in an item, or could not read its item.
    func adding(_ kept: [LedgerEntry], in store: any CredentialStore) throws -> MigrationReceipt? {
        let records = self?.records ?? []
        let read = Set(records.compactMap(\.result.credentialId))
        let unread = Set(records.filter { $0.result.credentialId == nil }.map(\.key))
        let missing = kept.filter { entry in
            !unread.contains(entry.key) && entry.result.credentialId.map(read.contains) != true
        }
        guard !missing.isEmpty else { return self }
        return MigrationReceipt(
            container: self?.container ?? "keychain",
            records: records + missing.map(MigrationRecord.init(vanished:)),
            restorableAccounts: try self?.restorableAccounts
                ?? store.read { try $0.restorableAccounts(in: store) }
        )
    }
}

extension MigrationRecord {
    fileprivate init(vanished entry: LedgerEntry) {
        self.init(
            entry,
            MigrationResult(
                .alreadyPresent,
                credentialId: entry.result.credentialId,
                reason:
                    "An earlier attempt imported this record. The legacy items no longer contain it, but the imported record stays in the store, because no removal was recorded.",
                isVerified: true
            )
        )
    }
}
