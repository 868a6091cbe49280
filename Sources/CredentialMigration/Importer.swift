import Foundation
import LegacyStore
import PushBridgeCore

/// Decides the outcome of each record of a source and stores the record, in one pass over the source.
///
/// The importer works inside the caller's transactions, so records and their outcomes are committed together.
/// A mechanism refers to its account, and either of the two may be read first. An outcome that depends on later
/// records is determined at the end of the pass.
final class Importer {
    private let options: MigrationOptions
    /// Whether the destination contains only records of this pass, so no record has to be looked up.
    ///
    /// Each transaction that stores records checks this again, because another process or another import may
    /// have added records.
    private var isDestinationEmpty: Bool
    /// The transaction that stored the last batch; `nil` after the transaction has ended.
    private weak var transaction: AnyObject?
    /// The identities of the records that have been read.
    private var seen: Set<Identity> = []
    /// The accounts of those credentials of the source that the destination has now, even if an earlier pass stored
    /// them.
    private var accountsInUse: Set<AccountKey> = []
    /// The number of credentials that this pass stored; used only if the destination was empty.
    private var credentialCount = 0
    /// The number of notifications that this pass stored; used only if the destination was empty.
    private var notificationCount = 0
    /// The accounts that this pass stored; used only if the destination was empty.
    private var storedAccounts: Set<AccountKey> = []
    /// The records of accounts for which no credential has been read yet.
    private var unusedAccounts: [AccountKey: [RecordNumber]] = [:]
    /// The accounts that are new or have no date, with the source's records that describe each account.
    private var describedAccounts: [AccountKey: AccountRecords] = [:]
    /// The legacy keys of those accounts whose own record cannot be read.
    private var unreadableAccounts: Set<String> = []
    /// Whether there is an unreadable record that may be an account and whose key is not known.
    private(set) var mayLackAccounts = false
    /// The accounts of the credentials that this pass has added.
    private var arrived: Set<AccountKey> = []
    /// The notifications that are kept because their credential was not read before them; each is listed with
    /// the id of its credential.
    private var earlyNotifications: [(record: RecordNumber, credentialId: String)] = []
    /// The destination's device token, as the current transaction sees it.
    private var token: PushDeviceToken?
    /// The device token that is known to the servers of the source's mechanisms; `nil` if the source contains
    /// no token.
    private var sourceToken: PushDeviceToken?
    /// The accessibility class of the item that contains the source's device token.
    private var tokenClass: KeychainAccessibility?
    /// The credentials for which this pass has recorded that their server lacks the destination's token.
    private var newlyUnconfirmed: Set<String> = []

    init(options: MigrationOptions, destination view: any CredentialReading) throws {
        self.options = options
        isDestinationEmpty = try view.isEmpty()
    }

    /// Stores the next records of the source with their outcomes.
    ///
    /// `number` is the position of the first of these records.
    func add(
        _ records: [SourceRecord],
        from number: Int,
        to view: any CredentialWriting
    ) throws -> [MigrationResult] {
        // During a transaction, no other process adds records, so one check for each transaction is enough.
        if isDestinationEmpty, transaction !== (view as AnyObject) {
            isDestinationEmpty = try hasOnlyOwnRecords(view, before: records)
        }
        transaction = view as AnyObject
        let stored = try view.readable { try view.deviceToken() }
        token = stored
        let results = try records.enumerated().map { offset, record in
            view.useAccessibility(record.item.accessibility)
            let (known, fault) =
                try isDestinationEmpty ? (nil, nil) : view.entry(for: record.fingerprint)
            let result = try importRecord(record, number: number + offset, known: known, in: view)
            if fault == nil || fault == .damaged { try enter(result, for: record, known: known, in: view) }
            if record.kind == .deviceToken { tokenClass = tokenClass ?? record.item.accessibility }
            return result
        }
        view.useAccessibility(tokenClass)
        if let token, token != stored || token.unconfirmedCredentialIds != stored?.unconfirmedCredentialIds {
            try view.save(token)
        }
        return results
    }

    /// Returns whether the destination contains only records that earlier batches of this pass stored.
    private func hasOnlyOwnRecords(
        _ view: any CredentialReading,
        before records: [SourceRecord]
    ) throws -> Bool {
        if let first = records.first {
            // If another process has started the same migration, the ledger may contain this batch's first record.
            let recorded = RecordQuery(id: first.fingerprint.recordID)
            guard try view.count(of: .ledger, where: recorded) == 0 else { return false }
        }
        let accountCount = view.keepsAccounts ? storedAccounts.count : 0
        return try view.recordCount() == accountCount + credentialCount + notificationCount
    }

    /// Adds a result to the ledger, unless the ledger already contains the same result and the same kept record.
    ///
    /// With the same kept record, the result `alreadyPresent` does not replace a retirable outcome either.
    private func enter(
        _ result: MigrationResult,
        for record: SourceRecord,
        known: LedgerEntry?,
        in view: any CredentialWriting
    ) throws {
        let verbatim = result.outcome.isPreserved ? record.verbatim : nil
        if let known, known.verbatim == verbatim {
            let isStillThere = result.outcome == .alreadyPresent && known.result.outcome.isRetirable
            if isStillThere || known.result == result { return }
        }
        try view.record(record.entry(result, recordedAt: options.clock(), verbatim: verbatim))
    }
}

// MARK: - Importing

/// The functions that store a record; they return results that are not verified yet.
extension Importer {
    private func importRecord(
        _ record: SourceRecord,
        number: Int,
        known: LedgerEntry?,
        in view: any CredentialWriting
    ) throws -> MigrationResult {
        let value: SourceValue
        switch record.value {
        case .failure(let error):
            if record.item.isNameless {
                if [.account, .unknown].contains(record.kind) { mayLackAccounts = true }
            } else if record.kind == .account {
                try lockCredentials(ofUnreadable: record, error, in: view)
            }
            return MigrationResult(error)
        case .success(let converted): value = converted
        }
        let position = RecordNumber(number: number, fingerprint: record.fingerprint)
        do {
            switch value {
            case .account(let account): return try importAccount(account, position, known: known, in: view)
            case .push(let credential, _): return try importPush(credential, in: view)
            case .oath(let credential, _): return try importOath(credential, in: view)
            case .notification(let notification):
                return try importNotification(notification, position, in: view)
            case .deviceToken(let token): return try importDeviceToken(token, in: view)
            }
        } catch let error as StoreError where error.isOfUnreadableRecord {
            // The destination's unreadable record is not overwritten. If the store refuses to return the record now but
            // may return it later, a later import tries again.
            return MigrationResult(
                error.isRefusal ? .locked : .conflict,
                credentialId: value.credentialId,
                issue: error.isRefusal ? .refusedDestination : .unreadableDestination
            )
        }
    }

    /// Stores an account.
    ///
    /// If the destination has this account with different details, `options.accounts` determines which details are
    /// stored.
    private func importAccount(
        _ account: AccountProfile,
        _ record: RecordNumber,
        known: LedgerEntry?,
        in view: any CredentialWriting
    ) throws -> MigrationResult {
        let stored = try occurrence(of: .account(account.key)).mayExist ? view.account(account.key) : nil
        let result: MigrationResult
        let recorded = describedAccounts[account.key]?.own
        if recorded == nil, isOpen(stored, account.key) {
            describedAccounts[account.key, default: AccountRecords()].own = account
            if let merged = merged(account.key) { try store(merged, in: view) }
            result = MigrationResult(.migrated)
        } else if stored == account || recorded == account
            || known?.tookAccountOver == true && options.accounts != .source
                && stored?.isLockedAsUnreadable != true
        {
            result = .alreadyPresent(nil)
        } else {
            switch options.accounts {
            case .destination: return .kept(.keptAccount)
            case .source: try view.save(account)
            case .copied where stored?.isLockedAsUnreadable != true:
                // The previous release may have added or locked the account's item in the meantime. If the item has
                // policies that the store lacks, the previous release added these policies.
                if var stored {
                    stored.policies = stored.policies ?? account.policies
                    if account.isLocked, !stored.isLocked {
                        (stored.isLocked, stored.lockingPolicy) = (true, account.lockingPolicy)
                    }
                    try view.save(stored)
                }
            case .both, .copied:
                guard var stored else { return .kept(.keptAccount) }
                // The record is readable now, so its lock replaces the precautionary lock.
                if stored.isLockedAsUnreadable { (stored.isLocked, stored.lockingPolicy) = (false, nil) }
                stored.complete(from: account)
                try view.save(stored)
                guard stored == account || known?.tookAccountOver == true else { return .kept(.keptAccount) }
            }
            result = .alreadyPresent(nil)
        }
        if !accountsInUse.contains(account.key) { unusedAccounts[account.key, default: []].append(record) }
        return result
    }

    private func importPush(
        _ credential: PushCredential,
        in view: any CredentialWriting
    ) throws -> MigrationResult {
        let known = occurrence(of: .push(credential.id))
        let existing = try known.mayExist ? view.pushCredential(id: credential.id) : nil
        let decision = ConflictDecision(credential, existing: existing, policy: policy(known))
        try store(decision, of: credential, in: view)
        if existing == nil, let token, sourceToken?.isSameDevice(as: token) != true {
            // The credential's server does not have the destination's token.
            markUnconfirmed(token, for: [credential.id])
        }
        let result = decision.result(credentialId: credential.id, known)
        guard result.outcome == .migrated, !credential.sharedSecret.isUsable else { return result }
        return MigrationResult(.migrated, credentialId: credential.id, reason: SigningFault.noSecret.reason)
    }

    private func importOath(
        _ credential: OathCredential,
        in view: any CredentialWriting
    ) throws -> MigrationResult {
        let known = occurrence(of: .oath(credential.id))
        let existing = try known.mayExist ? view.oathCredential(id: credential.id) : nil
        let decision = ConflictDecision(credential, existing: existing, policy: policy(known))
        try store(decision, of: credential, in: view)
        return decision.result(credentialId: credential.id, known)
    }

    /// Stores a notification.
    ///
    /// If the notification's credential is missing, the notification is kept verbatim until the credential is
    /// imported.
    private func importNotification(
        _ notification: PushNotification,
        _ record: RecordNumber,
        in view: any CredentialWriting
    ) throws -> MigrationResult {
        let known = occurrence(of: .notification(notification.id))
        let message = occurrence(of: .message(notification.messageId))
        let credentialId = notification.credentialId
        guard try seen.contains(.push(credentialId)) || !isDestinationEmpty && view.hasPush(credentialId)
        else {
            earlyNotifications.append((record, credentialId))
            return .kept(.keptNotification)
        }
        let mayExist = known.mayExist || message.mayExist
        let existing = try mayExist ? view.storedNotification(like: notification) : nil
        let decision = ConflictDecision(notification, existing: existing)
        if let value = decision.toStore { try view.put(value) }
        if case .store = decision { notificationCount += 1 }
        return decision.result(credentialId: credentialId, known)
    }

    /// Stores the device token, unless the destination has the same token or a newer one.
    private func importDeviceToken(_ new: PushDeviceToken, in view: any CredentialWriting) throws
        -> MigrationResult
    {
        sourceToken = sourceToken ?? new
        // If the stored token is unreadable, this call throws, so the token is not overwritten.
        let existing = try token ?? view.deviceToken()
        let decision = ConflictDecision(new, existing: existing)
        if let value = decision.toStore {
            token = value
            // The servers of the source's credentials have this token. The servers of the destination's other
            // credentials do not have it.
            let others = try isDestinationEmpty ? [] : view.ids(of: .push, where: .all)
            markUnconfirmed(value, for: others.filter { !seen.contains(.push($0)) })
        }
        return decision.result(credentialId: nil)
    }

    private func markUnconfirmed(_ token: PushDeviceToken, for credentialIds: [String]) {
        var marked = token
        for id in credentialIds where marked.unconfirmedCredentialIds.insert(id).inserted {
            newlyUnconfirmed.insert(id)
        }
        self.token = marked
    }

    /// Stores a credential if `decision` contains a value to store, and its account if `isOpen` returns `true`.
    private func store<Credential: CredentialRecord>(
        _ decision: ConflictDecision<Credential>,
        of credential: Credential,
        in view: any CredentialWriting
    ) throws {
        let key = credential.account.key
        if var value = decision.toStore {
            if !credential.account.isBare {
                let stored = try occurrence(of: .account(key)).mayExist ? view.account(key) : nil
                if isOpen(stored, key) {
                    describedAccounts[key, default: AccountRecords()].add(credential.account)
                    if let merged = merged(key), merged != stored { try store(merged, in: view) }
                }
            }
            if case .store = decision {
                credentialCount += 1
                arrived.insert(key)
            }
            if unreadableAccounts.contains(key.legacyIdentifier) { try lock(key, in: view) }
            if view.denormalizesAccounts, case .present = decision, let stored = try view.stored(value) {
                // The successor SDK may have changed the copy of the account in the stored credential.
                (value.account, value.ownLock) = (stored.account, stored.ownLock)
            } else {
                let repeated = try view.denormalizesAccounts ? view.account(key) : nil
                value.account = repeated ?? AccountProfile(key)
            }
            try view.put(value)
        } else if case .conflict = decision {
            return
        }
        accountsInUse.insert(key)
        unusedAccounts[key] = nil
    }

    private func store(_ account: AccountProfile, in view: any CredentialWriting) throws {
        try view.save(account)
        storedAccounts.insert(account.key)
    }

    /// Returns whether this pass may still write an account: the destination lacks the account, or the stored account
    /// has no date or only data of this pass.
    private func isOpen(_ stored: AccountProfile?, _ key: AccountKey) -> Bool {
        guard let stored, stored.addedAt != nil else { return true }
        return stored == merged(key)
    }

    /// Returns an account that is merged from the records of this pass; returns `nil` if no record describes
    /// the account.
    func merged(_ key: AccountKey) -> AccountProfile? { describedAccounts[key]?.merged }

    /// Remembers that an account's own record cannot be read.
    ///
    /// When the account's credentials are stored, the account is locked.
    func addUnreadableAccount(_ record: SourceRecord) { unreadableAccounts.insert(record.item.key) }

    private func lockCredentials(
        ofUnreadable record: SourceRecord,
        _ error: LegacyRecordError,
        in view: any CredentialWriting
    ) throws {
        addUnreadableAccount(record)
        for key in accountsInUse where key.legacyIdentifier == record.item.key { try lock(key, in: view) }
        // The previous release may have locked the account after an earlier attempt had copied it. The copy would
        // lack this lock, so the copy is locked as a precaution.
        guard options.accounts == .source, error.code != .undecryptable else { return }
        for var copy in try view.accounts().values where copy.key.legacyIdentifier == record.item.key {
            copy.lockAsUnreadable()
            try view.save(copy, setsLock: true)
        }
    }

    /// Locks the accounts that have credentials in the source but no readable account record, because an
    /// unreadable record may be the record of one of these accounts.
    func lockAccountsWithoutRecord(in view: any CredentialWriting) throws {
        for key in accountsInUse { try lock(key, in: view) }
    }

    /// Locks an account whose record cannot be read, because that record may contain a lock or policies.
    ///
    /// If the destination already has the account, the account is locked only if the source adds a credential
    /// to it. A later migration does not lock the account again, because the app may have unlocked it.
    private func lock(_ key: AccountKey, in view: any CredentialWriting) throws {
        // If another record of the source describes the account, the account is not locked.
        guard merged(key) == nil else { return }
        let stored = try view.account(key)
        guard stored == nil || arrived.contains(key) else { return }
        var account = stored ?? AccountProfile(key)
        guard !account.isLocked else { return }
        account.lockAsUnreadable()
        try store(account, in: view)
    }

    /// Returns the conflict policy for a record; a second record with the same id never replaces the first.
    private func policy(_ known: Occurrence) -> ConflictPolicy {
        known.isRepeated ? .keep : options.conflictPolicy
    }

    /// Notes that the source contains an identity.
    ///
    /// - Returns: Whether this pass has already noted the identity, and whether the destination may contain it.
    private func occurrence(of identity: Identity) -> Occurrence {
        let isRepeated = !seen.insert(identity).inserted
        return Occurrence(isRepeated: isRepeated, mayExist: isRepeated || !isDestinationEmpty)
    }
}

// MARK: - Settling

extension Importer {
    /// Returns the records whose outcome can be determined now, after all records have been read.
    ///
    /// These are accounts without credentials, and kept notifications whose credential was read, including
    /// notifications that an earlier migration kept.
    func unsettled(in view: any CredentialReading) throws -> [Unsettled] {
        var unsettled: [Unsettled] = []
        let unused = unusedAccounts.sorted { $0.key.recordID < $1.key.recordID }
        for (key, records) in unused where try isDestinationEmpty || !view.hasCredentials(key) {
            unsettled += records.map(Unsettled.account)
        }
        var early: Set<RecordFingerprint> = []
        for (record, credentialId) in earlyNotifications {
            early.insert(record.fingerprint)
            if seen.contains(.push(credentialId)) { unsettled.append(.notification(record)) }
        }
        guard !isDestinationEmpty else { return unsettled }
        _ = try view.forEach(LedgerEntry.self, where: .open) { entry in
            guard entry.kind == .notification, !early.contains(entry.record),
                case .success(.notification(let notification)) = SourceRecord(entry)?.value,
                try view.hasPush(notification.credentialId)
            else { return }
            unsettled.append(.notification(RecordNumber(number: nil, fingerprint: entry.record)))
        }
        return unsettled
    }

    func settle(_ unsettled: some Sequence<Unsettled>, in view: any CredentialWriting) throws -> [Settled] {
        try unsettled.compactMap { item in
            switch item {
            case .account(let record):
                let result = MigrationResult.kept(.accountAlone)
                if let entry = try view.readableEntry(for: record.fingerprint), entry.result != result {
                    try view.record(entry.with(result, recordedAt: options.clock()))
                }
                return Settled(number: record.number, result: result, source: nil)
            case .notification(let record):
                return try settle(record, in: view)
            }
        }
    }

    /// Stores a kept notification for its credential.
    ///
    /// If the destination's copy of the push is different or unreadable, the notification remains kept.
    private func settle(_ record: RecordNumber, in view: any CredentialWriting) throws -> Settled? {
        guard let entry = try view.readableEntry(for: record.fingerprint),
            let source = SourceRecord(entry), case .success(.notification(let notification)) = source.value
        else { return nil }
        let decision: ConflictDecision<PushNotification>
        do {
            decision = ConflictDecision(
                notification,
                existing: try view.storedNotification(like: notification)
            )
        } catch let error as StoreError where error.isOfUnreadableRecord {
            return nil
        }
        if case .conflict = decision { return nil }
        if let value = decision.toStore { try view.put(value) }
        let result = decision.result(credentialId: notification.credentialId)
        try view.record(entry.with(result, recordedAt: options.clock()))
        return Settled(number: record.number, result: result, source: source)
    }

    /// Returns the destination's accounts with credentials if this pass knows them; otherwise `nil`.
    ///
    /// This pass knows them if the destination was empty before the pass, and now has only as many credentials as this
    /// pass stored.
    func onlyAccounts(in view: any CredentialReading) throws -> Set<AccountKey>? {
        guard isDestinationEmpty else { return nil }
        let pushes = try view.count(of: .push, where: .all)
        let codes = try view.count(of: .oath, where: .all)
        return pushes + codes == credentialCount ? accountsInUse : nil
    }

    /// Whether ``settleDeviceToken(in:)`` must be called.
    var mustSettleDeviceToken: Bool { !newlyUnconfirmed.isEmpty && sourceToken != nil }

    /// If the servers of the source's credentials have the destination's token, marks the token as confirmed
    /// for these credentials.
    func settleDeviceToken(in view: any CredentialWriting) throws {
        guard let sourceToken, var token = try view.readable({ try view.deviceToken() }),
            token.isSameDevice(as: sourceToken)
        else { return }
        token.unconfirmedCredentialIds.subtract(newlyUnconfirmed.filter { seen.contains(.push($0)) })
        try view.save(token)
    }
}

/// The identity that a source record has in the destination.
private enum Identity: Hashable {
    case account(AccountKey)
    case push(String)
    case oath(String)
    case notification(String)
    case message(String)
}

/// The facts about an identity that are known before the destination has been read.
private struct Occurrence {
    /// Whether this pass has already noted the identity.
    let isRepeated: Bool
    let mayExist: Bool
}

/// The number and the fingerprint of a source record; the number is `nil` if an earlier migration kept the record.
struct RecordNumber {
    let number: Int?
    let fingerprint: RecordFingerprint
}

/// A record whose outcome depends on later records.
enum Unsettled {
    /// An account without credentials.
    case account(RecordNumber)
    /// A notification that was kept because its credential had not been read before it.
    case notification(RecordNumber)
}

struct Settled {
    /// The number of the record in the source; `nil` for a record that an earlier migration kept.
    let number: Int?
    let result: MigrationResult
    /// The record, if it still has to be proven.
    let source: SourceRecord?
}

extension ConflictDecision {
    /// Returns the result to report before the proof.
    ///
    /// A conflict with an earlier record of the source is reported as a repeated id.
    fileprivate func result(credentialId: String?, _ known: Occurrence) -> MigrationResult {
        guard case .conflict = self, known.isRepeated else { return result(credentialId: credentialId) }
        return MigrationResult(
            .conflict,
            credentialId: credentialId,
            issue: .repeatedId
        )
    }
}

extension MigrationResult {
    /// Returns the result for a record that the destination already has.
    static func alreadyPresent(_ credentialId: String?) -> MigrationResult {
        MigrationResult(
            .alreadyPresent,
            credentialId: credentialId,
            reason: "The destination already has the record."
        )
    }

    fileprivate static func kept(_ issue: MigrationIssue) -> MigrationResult {
        MigrationResult(.kept, issue: issue)
    }
}

extension SourceRecord {
    func entry(
        _ result: MigrationResult,
        recordedAt date: Date,
        verbatim: VerbatimRecord? = nil
    ) -> LedgerEntry {
        LedgerEntry(
            record: fingerprint,
            kind: kind,
            key: item.key,
            result: result,
            recordedAt: date,
            verbatim: verbatim
        )
    }
}

extension LedgerEntry {
    /// Returns this entry with a new result and date, and without the kept record.
    func with(_ result: MigrationResult, recordedAt date: Date) -> LedgerEntry {
        LedgerEntry(record: record, kind: kind, key: key, result: result, recordedAt: date)
    }
}

extension CredentialReading {
    /// Returns the stored record of the credential, if the record belongs to the same account.
    fileprivate func stored<Credential: CredentialRecord>(_ credential: Credential) throws -> Credential? {
        let query = RecordQuery(id: credential.recordIndex.id)
        return try fetch(Credential.self, where: query).values.first {
            $0.account.key == credential.account.key
        }
    }
}
