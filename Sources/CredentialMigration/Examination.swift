import Foundation
import LegacyStore
import PushBridgeCore
import PushBridgeStore

/// Examines a store record by record for a ``PushDoctor`` and collects the findings.
struct Examination {
    /// How many seconds a date may be ahead of the phone's clock without causing a finding.
    private static let tolerance: TimeInterval = 300
    private static let oldToken: TimeInterval = 180 * 24 * 3600

    let setting: PushDoctor.Setting
    let now: Date
    let progress: (Int) -> Void
    private(set) var pushCredentials = 0
    private(set) var oathCredentials = 0
    private(set) var notifications = 0

    private var found: [PushDoctor.Check: (severity: PushDoctor.Severity, count: Int)] = [:]
    /// The kind of the examined store; `nil` if it could not be opened.
    private var subject: Subject?
    private var entries: [LedgerReason: Int] = [:]
    /// How many records of a legacy store cannot be converted, for each combination of outcome and reason.
    private var refusals: [LedgerReason: Int] = [:]
    private var records = 0
    private var accounts: Set<AccountKey> = []
    private var bound: Set<AccountKey> = []

    init(setting: PushDoctor.Setting, now: Date, progress: @escaping (Int) -> Void) {
        self.setting = setting
        self.now = now
        self.progress = progress
    }

    var findings: [PushDoctor.Finding] {
        PushDoctor.Check.allCases.compactMap { check in
            found[check].map { severity, count in
                PushDoctor.Finding(
                    check: check,
                    number: check.number,
                    severity: severity,
                    count: count,
                    meaning: check.meaning,
                    remedy: remedy(of: check, severity)
                )
            }
        }
    }

    /// Returns the advice for a finding.
    ///
    /// If the store or a record is unreadable, the advice depends on the reason: unsupported, locked or damaged.
    private func remedy(of check: PushDoctor.Check, _ severity: PushDoctor.Severity) -> String {
        guard check == .storeReadable else { return check.remedy }
        return switch severity {
        case .note:
            "These records cannot be repaired: the user must enrol again with a supported kind of credential."
        case .warning: "Unlock the device and repeat the examination."
        case .fault:
            "If the file is damaged or incomplete, copy it again; if records stay unreadable, the user must enrol their accounts again."
        }
    }

    /// Adds the finding for an error that makes the whole store unreadable.
    mutating func examine(_ error: any Error) {
        switch (error as? StoreError)?.code {
        case .wrongKey, .keyMissing: find(.keyReadable, .fault)
        case .locked: find(.storeReadable, .warning)
        default: find(.storeReadable, .fault)
        }
    }

    private mutating func find(
        _ check: PushDoctor.Check,
        _ severity: PushDoctor.Severity,
        count: Int = 1
    ) {
        guard count > 0 else { return }
        let known = found[check]
        let isWorse = known.map { severity.rank > $0.severity.rank } ?? true
        found[check] = (isWorse ? severity : known?.severity ?? severity, (known?.count ?? 0) + count)
    }

    private mutating func count() {
        records += 1
        if records.isMultiple(of: 1000) { progress(records) }
    }
}

extension PushDoctor.Severity {
    fileprivate var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .fault: 2
        }
    }
}

// MARK: - Stores

extension Examination {
    /// Examines a credential store.
    mutating func examine(_ store: any CredentialStore) throws {
        let backing = store.backing.records
        if let path = try backing.filePath() { try examineFile(at: path) }
        let left = try backing.nonTransferableIDs(.push).union(backing.nonTransferableIDs(.oath))
        if setting.hasExtension {
            find(.extensionCanRead, .warning, count: try backing.unreadableWhileLocked(.push).count)
        }
        subject = .credentialStore
        let before = self
        self = try store.read { view in
            // If the store has to load missing records, it calls this closure again afterwards. So each call starts
            // from the same state.
            var examination = before
            try examination.examine(view, staying: left)
            return examination
        }
        finish()
    }

    private mutating func examine(_ view: any CredentialReading, staying left: Set<String>) throws {
        let tokens = try view.fetch(PushDeviceToken.self)
        reportUnreadable(tokens.unreadable)
        examine(tokens.values.first)
        let states = TokenStates(tokens.values.first)
        var ids: Set<String> = []
        reportUnreadable(
            try view.forEachCredential(PushCredential.self) { credential in
                ids.insert(credential.id)
                if left.contains(credential.id) { bound.insert(credential.account.key) }
                examine(credential)
                examine(states[credential])
            }
        )
        reportUnreadable(
            try view.forEachCredential(OathCredential.self) { credential in
                ids.insert(credential.id)
                if left.contains(credential.id) { bound.insert(credential.account.key) }
                examine(credential)
            }
        )
        reportUnreadable(try view.forEach(PushNotification.self, where: .all) { examine($0) })
        let entries = try view.forEach(LedgerEntry.self, where: .all) { examine($0, having: ids) }
        reportUnreadable(entries.filter { $0.code != .newerVersion })
    }

    /// Examines a legacy store.
    mutating func examine(_ legacy: any LegacySource) throws {
        subject = .legacyStore
        var hasToken = false
        for item in try legacy.items() {
            let item = try item.get()
            examine(placeOf: item)
            do throws(LegacyRecordError) {
                let decoded = try item.decoded()
                if let account = decoded.embeddedAccount { examine(account.profile) }
                switch decoded.record {
                case .account(let account): examine(account.profile)
                case .mechanism(let mechanism): try examine(mechanism, in: item, decoded)
                case .notification(let notification): examine(try notification.checked())
                case .deviceToken(let token):
                    hasToken = true
                    examine(token)
                }
            } catch {
                examine(error)
            }
        }
        if !hasToken { examine(nil) }
        finish()
    }

    private mutating func examineFile(at path: String) throws {
        let file = URL(fileURLWithPath: path)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        if let mode = mode as? Int, mode & 0o077 != 0 { find(.storePrivate, .fault) }
        guard let folder = setting.sharedFolder else { return }
        let shared = folder.resolvingSymlinksInPath().path + "/"
        if !file.resolvingSymlinksInPath().path.hasPrefix(shared) { find(.appGroup, .warning) }
    }

    private mutating func reportUnreadable(_ errors: [StoreError]) {
        find(.storeReadable, .fault, count: errors.count)
    }

    private mutating func examine(_ error: LegacyRecordError) {
        count()
        refuse(error)
        switch error.code {
        case .damaged: find(.storeReadable, .fault)
        case .unsupported: find(.storeReadable, .note)
        case .locked: find(.storeReadable, .warning)
        case .undecryptable: find(.keyReadable, .fault)
        }
    }

    /// Counts a legacy record that cannot be converted.
    private mutating func refuse(_ error: LegacyRecordError) {
        let result = MigrationResult(error)
        refusals[LedgerReason(outcome: result.outcome, code: result.code), default: 0] += 1
    }

    /// Examines the access group and the accessibility class of a legacy item.
    private mutating func examine(placeOf item: LegacyItem) {
        if let expected = setting.accessGroup, let group = item.accessGroup, group != expected {
            find(.appGroup, .warning)
        }
        guard setting.hasExtension, item.service == .mechanism, let accessibility = item.accessibility,
            !accessibility.opensWhileLocked
        else { return }
        find(.extensionCanRead, .warning)
    }

    /// Completes the findings after all records have been examined.
    private mutating func finish() {
        find(.accountsTravel, .warning, count: bound.count)
        if isHeld { find(.migrationNotHeld, .warning) }
        if pushCredentials == 0 { found[.tokenPresent] = nil }
    }
}

// MARK: - Records

extension Examination {
    /// Whether no attempt to migrate can run, because the guard blocks it or the roll-out's state cannot be read.
    private var isHeld: Bool {
        do {
            return try setting.rollout?.isHeld ?? false
        } catch {
            return true
        }
    }

    private mutating func examine(_ account: AccountProfile) {
        guard accounts.insert(account.key).inserted else { return }
        let attached = PolicyAttachments(account.policies).names
        let unknown = attached.subtracting(setting.knownPolicies)
        let evaluated = attached.intersection(setting.knownPolicies)
        let isLockUnknown = account.lockingPolicy.map { !evaluated.contains($0) } ?? false
        if account.isLocked {
            find(isLockUnknown ? .locksKnown : .accountsUnlocked, isLockUnknown ? .warning : .note)
        } else if !unknown.isEmpty {
            find(.policiesKnown, .note)
        }
    }

    private mutating func examine(_ credential: PushCredential) {
        count()
        pushCredentials += 1
        examine(credential.account)
        examine(credential.createdAt)
        if !credential.sharedSecret.isUsable { find(.credentialsSign, .fault) }
        if credential.userId == nil { find(.userNamesKnown, .note) }
        if credential.owedRemoval != nil { find(.removalsDone, .warning) }
    }

    private mutating func examine(_ credential: OathCredential) {
        count()
        oathCredentials += 1
        examine(credential.account)
        examine(credential.createdAt)
        if !credential.password.secret.isUsable { find(.credentialsSign, .fault) }
    }

    /// Examines a legacy mechanism, but not the names and the lock of its account, which are in the account's record.
    private mutating func examine(
        _ mechanism: LegacyMechanism,
        in item: LegacyItem,
        _ decoded: DecodedItem
    ) throws(LegacyRecordError) {
        count()
        examine(mechanism.timeAdded)
        if item.accessibility?.travels == false { bound.insert(mechanism.account) }
        do throws(LegacyRecordError) {
            switch mechanism.factor {
            case .push(let parameters):
                pushCredentials += 1
                if mechanism.uid == nil { find(.userNamesKnown, .note) }
                _ = try PushCredential(mechanism: mechanism, parameters: parameters, account: nil)
                if item.signingFault(decoded) != nil { find(.credentialsSign, .fault) }
            case .totp, .hotp:
                oathCredentials += 1
                _ = try OathCredential(mechanism: mechanism, account: nil)
            }
        } catch {
            refuse(error)
            find(.credentialsSign, error.code == .unsupported ? .warning : .fault)
        }
    }

    private mutating func examine(_ notification: PushNotification) {
        count()
        notifications += 1
        examine(notification.createdAt)
        if let sentAt = notification.sentAt {
            if sentAt.timeIntervalSince(notification.createdAt) > Self.tolerance {
                find(.clockAgrees, .warning)
            }
        }
        guard notification.pending else { return }
        find(notification.isExpired(at: now) ? .pushesNotExpired : .pushesAnswered, .note)
    }

    private mutating func examine(_ token: PushDeviceToken?) {
        guard let token else { return find(.tokenPresent, .warning) }
        examine(token.createdAt)
        if now.timeIntervalSince(token.createdAt) > Self.oldToken { find(.tokenRecent, .note) }
        guard let environment = setting.environment, let own = token.environment, own != environment else {
            return
        }
        find(.tokenEnvironment, .warning)
    }

    private mutating func examine(_ state: DeviceTokenState) {
        switch state {
        case .noToken, .known: break
        case .owed, .unreachable, .unsupported, .refused: find(.serversUpdated, .warning)
        case .userUnknown: find(.userNamesKnown, .warning)
        case .replaced: find(.deviceNotReplaced, .fault)
        }
    }

    /// Examines a ledger entry.
    ///
    /// When a credential is removed, its ledger entry stays. So a missing credential is a warning, not a fault.
    private mutating func examine(_ entry: LedgerEntry, having ids: Set<String>) {
        count()
        // An entry does not show whether its record was read back, so the result's `code` could be `notReadBack`. For
        // a record that arrived, only a reason in the entry itself is counted.
        let hasArrived = entry.result.outcome.isRetirable || entry.result.outcome == .kept
        let code = hasArrived ? entry.result.explicitCode : entry.result.code
        entries[LedgerReason(outcome: entry.result.outcome, code: code), default: 0] += 1
        if !entry.result.outcome.isRetirable {
            find(.recordsArrived, entry.result.outcome.isTemporary ? .warning : .fault)
        }
        guard [.push, .totp, .hotp].contains(entry.kind),
            entry.result.outcome == .migrated || entry.result.outcome == .alreadyPresent
        else { return }
        if let id = entry.result.credentialId, !ids.contains(id) { find(.ledgerAgrees, .warning) }
    }

    private mutating func examine(_ date: Date) {
        if date.timeIntervalSince(now) > Self.tolerance { find(.clockAgrees, .warning) }
    }
}

// MARK: - The ledger, and checks that could not run

extension Examination {
    enum Subject { case credentialStore, legacyStore }

    struct LedgerReason: Hashable {
        let outcome: MigrationOutcome
        let code: MigrationReason?
    }

    /// The number of the ledger's records with each combination of outcome and reason; the most frequent
    /// combination is first.
    var ledger: [PushDoctor.LedgerCount] { Self.sorted(entries) }

    /// How many records of a legacy store cannot be converted, for each combination of outcome and reason; the
    /// most frequent combination is first.
    var unconvertible: [PushDoctor.LedgerCount] { Self.sorted(refusals) }

    private static func sorted(_ counts: [LedgerReason: Int]) -> [PushDoctor.LedgerCount] {
        counts.map { reason, count in
            PushDoctor.LedgerCount(
                outcome: reason.outcome,
                code: reason.code,
                number: reason.code?.number,
                count: count
            )
        }
        .sorted {
            ($1.count, $0.outcome.rawValue, $0.number ?? "") < (
                $0.count, $1.outcome.rawValue, $1.number ?? ""
            )
        }
    }

    /// Returns the reason why a check could not run; `nil` if it ran.
    func obstacle(to check: PushDoctor.Check) -> String? {
        if check == .migrationNotHeld {
            return setting.rollout == nil ? "Only the app can supply the roll-out, in Setting.rollout." : nil
        }
        guard let subject else { return "The store could not be opened." }
        let isLegacy = subject == .legacyStore
        switch check {
        case .ledgerAgrees, .recordsArrived:
            return isLegacy ? "A legacy store has no ledger; examine the migrated database." : nil
        case .serversUpdated, .deviceNotReplaced, .removalsDone:
            return isLegacy ? "A legacy store does not record how servers responded." : nil
        case .storePrivate:
            return isLegacy ? "A copied file has the permissions of the user who copied it." : nil
        case .tokenEnvironment:
            return setting.environment == nil
                ? "The app's APNs environment was not specified." : nil
        case .extensionCanRead:
            return setting.hasExtension ? nil : "No extension of the app was specified."
        case .appGroup:
            let expected = isLegacy ? setting.accessGroup : setting.sharedFolder?.path
            return expected == nil ? "The app group was not specified." : nil
        default: return nil
        }
    }
}
