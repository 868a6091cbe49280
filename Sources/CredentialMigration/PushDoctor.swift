public import Foundation
import LegacyStore
public import PushBridgeCore
import PushBridgeStore

/// Examines the push and one-time-password credentials of a device, and gives counts and advice for a support screen.
///
/// A report contains no names, ids, tokens or secrets.
///
/// ```swift
/// let doctor = PushDoctor { try StandardStore.open() }
/// for finding in doctor.findings { show(finding.severity, finding.meaning, finding.remedy) }
/// let attachment = try JSONEncoder().encode(doctor)
/// ```
///
/// With the legacy API, examine `FRAClient.credentialStore`, even while the app works in place.
public struct PushDoctor: Codable, Equatable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, CaseIterable, Codable, Sendable {
        /// The finding helps to answer a user's question.
        case note
        /// A problem that affects users, or may soon affect them.
        case warning
        /// A credential or the store does not work.
        case fault
    }

    /// A check that found a problem.
    public struct Finding: Codable, Equatable, Sendable {
        /// The check.
        public let check: Check
        /// The number of the check, such as `PB-D012`.
        public let number: String
        /// The severity of the finding.
        public let severity: Severity
        /// The number of records or accounts that are affected; 1 if the finding is about the store.
        public let count: Int
        /// The meaning of the finding, one sentence in English.
        public let meaning: String
        /// The advice, one sentence in English.
        public let remedy: String
    }

    /// A check that could not run.
    public struct Skipped: Codable, Equatable, Sendable {
        /// The check.
        public let check: Check
        /// The number of the check, such as `PB-D012`.
        public let number: String
        /// The reason why the check could not run, one sentence in English.
        public let reason: String
    }

    /// The number of records with a certain combination of outcome and reason.
    public struct LedgerCount: Codable, Equatable, Sendable {
        /// The outcome.
        public let outcome: MigrationOutcome
        /// The reason; `nil` for records that arrived, unless the ledger states a reason.
        public let code: MigrationReason?
        /// The number of the reason, such as `PB-R007`.
        public let number: String?
        /// The number of records.
        public let count: Int
    }

    /// The app's own settings, which are not in any store.
    public struct Setting: Sendable {
        /// The names of the policies that the app evaluates.
        public var knownPolicies: Set<String> = ["biometricAvailable", "deviceTampering"]
        /// The APNs environment of this build of the app; `nil` skips the check.
        public var environment: APNsEnvironment?
        /// Whether a notification extension of the app reads the store.
        public var hasExtension = false
        /// The app group's folder, in which an extension looks for the database; `nil` skips the check.
        public var sharedFolder: URL?
        /// The keychain access group that legacy items must have; `nil` skips the check.
        public var accessGroup: String?

        /// The roll-out of the app's migration, such as `FRAClient.migration.rollout`; `nil` skips the check.
        public var rollout: MigrationRollout?

        /// Creates the settings of an app without an extension.
        public init() {}
    }

    /// The form of the store: `credentialStore` for PushBridge's own store, or the container of a legacy
    /// store.
    public internal(set) var container: String
    /// The time from which ages are calculated.
    public let examinedAt: Date
    /// The number of readable push credentials.
    public internal(set) var pushCredentials = 0
    /// The number of readable one-time-password credentials.
    public internal(set) var oathCredentials = 0
    /// The number of readable notifications.
    public internal(set) var notifications = 0
    /// The findings, in the order of ``Check``; empty if no check found a problem.
    public internal(set) var findings: [Finding] = []

    /// The checks that ran, in the order of ``Check``, whether or not they found a problem.
    public internal(set) var ran: [Check] = []
    /// The checks that could not run, in the order of ``Check``.
    public internal(set) var skipped: [Skipped] = []
    /// The number of the ledger's records with each combination of outcome and reason; the most frequent
    /// combination is first.
    ///
    /// The list is empty for a legacy store.
    public internal(set) var ledger: [LedgerCount] = []
    /// How many records of a legacy store cannot be converted, for each combination of outcome and reason that a
    /// migration would report; the most frequent combination is first.
    ///
    /// The list is empty for a credential store.
    public internal(set) var unconvertible: [LedgerCount] = []

    /// Whether a finding has the severity ``Severity/fault``.
    public var hasFaults: Bool { findings.contains { $0.severity == .fault } }

    /// Opens and examines a credential store; writes nothing, and blocks a thread.
    ///
    /// If the store cannot be opened or read, the result contains a finding, and no error is thrown.
    /// - Parameters:
    ///   - setting: The app's own settings.
    ///   - now: The time from which ages are calculated.
    ///   - progress: Called after every thousand records, on the caller's thread, with the number of records
    ///     that have been read.
    ///   - open: Opens the store.
    public init(
        setting: Setting = Setting(),
        at now: Date = Date(),
        progress: (Int) -> Void = { _ in },
        opening open: () throws -> any CredentialStore
    ) {
        self.init(container: "credentialStore", examinedAt: now)
        withoutActuallyEscaping(progress) { progress in
            var examination = Examination(setting: setting, now: now, progress: progress)
            do {
                try examination.examine(try open())
            } catch {
                examination.examine(error)
            }
            finish(examination)
        }
    }

    /// Examines a credential store; writes nothing, and blocks a thread.
    /// - Parameters:
    ///   - store: The store.
    ///   - setting: The app's own settings.
    ///   - now: The time from which ages are calculated.
    public init(of store: any CredentialStore, setting: Setting = Setting(), at now: Date = Date()) {
        self.init(setting: setting, at: now, opening: { store })
    }

    /// Examines a store of the legacy SDK or of the successor SDK; writes nothing, and blocks a thread.
    /// - Parameters:
    ///   - source: The legacy store.
    ///   - setting: The app's own settings.
    ///   - now: The time from which ages are calculated.
    ///   - progress: Called after every thousand records, on the caller's thread, with the number of records
    ///     that have been read.
    /// - Throws: `LegacyStoreError` if the store cannot be opened or read.
    public init(
        of source: MigrationSource,
        setting: Setting = Setting(),
        at now: Date = Date(),
        progress: (Int) -> Void = { _ in }
    ) throws {
        let legacy = try source.openedEvenIfEmpty()
        self.init(container: legacy.container, examinedAt: now)
        try withoutActuallyEscaping(progress) { progress in
            var examination = Examination(setting: setting, now: now, progress: progress)
            try examination.examine(legacy)
            finish(examination)
        }
    }

    private init(container: String, examinedAt: Date) {
        self.container = container
        self.examinedAt = examinedAt
    }

    private mutating func finish(_ examination: Examination) {
        pushCredentials = examination.pushCredentials
        oathCredentials = examination.oathCredentials
        notifications = examination.notifications
        findings = examination.findings
        ledger = examination.ledger
        unconvertible = examination.unconvertible
        skipped = Check.allCases.compactMap { check in
            guard !findings.contains(where: { $0.check == check }),
                let reason = examination.obstacle(to: check)
            else { return nil }
            return Skipped(check: check, number: check.number, reason: reason)
        }
        ran = Check.allCases.filter { check in !skipped.contains { $0.check == check } }
    }
}

extension PushDoctor {
    /// The checks; later versions may add checks.
    public enum Check: String, CaseIterable, Codable, Sendable {
        /// The store and each of its records can be read.
        case storeReadable
        /// The key with which the store or its records are sealed exists and is correct.
        case keyReadable
        /// Only the owner of the store's file can access the file.
        case storePrivate
        /// Each credential that the migration's ledger lists as migrated or already present is in the store.
        case ledgerAgrees
        /// Each credential can sign answers or make one-time passwords.
        case credentialsSign
        /// No account is locked by a policy that the app does not know or that is not attached to the account.
        case locksKnown
        /// No account is locked.
        case accountsUnlocked
        /// The app knows the policies that servers attached.
        case policiesKnown
        /// The store contains a device token.
        case tokenPresent
        /// The device token is not old.
        case tokenRecent
        /// The device token is for the APNs environment of this build of the app.
        case tokenEnvironment
        /// Each server has the device token.
        case serversUpdated
        /// The user's name at each server is known.
        case userNamesKnown
        /// No server has removed this device's profile or moved the profile to another device.
        case deviceNotReplaced
        /// The device's clock agrees with the servers' clocks.
        case clockAgrees
        /// No push waits for an answer.
        case pushesAnswered
        /// No push expired without an answer.
        case pushesNotExpired
        /// An encrypted backup transfers every account to a new phone.
        case accountsTravel
        /// An extension can read the items while the device is locked.
        case extensionCanRead
        /// The store is in the app group, where the app's extension looks for it.
        case appGroup
        /// No pending removal exists.
        case removalsDone
        /// The roll-out's guard does not block attempts to migrate.
        case migrationNotHeld
        /// According to the ledger, the store has every record of the legacy store: migrated, already present or kept.
        case recordsArrived
    }
}

extension PushDoctor.Check {
    /// The number that a support desk can search for, such as `PB-D012`; it does not change between versions.
    public var number: String {
        switch self {
        case .storeReadable: "PB-D001"
        case .keyReadable: "PB-D002"
        case .storePrivate: "PB-D003"
        case .ledgerAgrees: "PB-D004"
        case .credentialsSign: "PB-D005"
        case .locksKnown: "PB-D006"
        case .accountsUnlocked: "PB-D007"
        case .policiesKnown: "PB-D008"
        case .tokenPresent: "PB-D009"
        case .tokenRecent: "PB-D010"
        case .tokenEnvironment: "PB-D011"
        case .serversUpdated: "PB-D012"
        case .userNamesKnown: "PB-D013"
        case .deviceNotReplaced: "PB-D014"
        case .clockAgrees: "PB-D015"
        case .pushesAnswered: "PB-D016"
        case .pushesNotExpired: "PB-D017"
        case .accountsTravel: "PB-D018"
        case .extensionCanRead: "PB-D019"
        case .appGroup: "PB-D020"
        case .removalsDone: "PB-D021"
        case .migrationNotHeld: "PB-D022"
        case .recordsArrived: "PB-D023"
        }
    }

    /// The meaning of a finding of the check, one sentence in English.
    public var meaning: String {
        switch self {
        case .storeReadable: "The store, or records in it, cannot be read."
        case .keyReadable:
            "The key is missing, wrong, or readable by other users, so sealed records cannot be read."
        case .storePrivate: "Users other than the owner can access the store's file."
        case .ledgerAgrees:
            "Credentials that the ledger lists as migrated or already present are missing: the user removed them, or they are lost."
        case .credentialsSign: "Credentials cannot sign answers or make one-time passwords."
        case .locksKnown:
            "Accounts are locked by a policy that this app does not know or that is not attached to these accounts, so"
                + " they stay locked until the app unlocks them."
        case .accountsUnlocked: "Accounts are locked and cannot be used until they are unlocked."
        case .policiesKnown:
            "Servers attached policies that this app does not know, so the app does not enforce them."
        case .tokenPresent: "The device has no token, so it cannot receive pushes."
        case .tokenRecent: "The device token was stored more than 180 days ago."
        case .tokenEnvironment:
            "The device token is not for the APNs environment of this build, so the device cannot receive pushes."
        case .serversUpdated:
            "Servers do not have the current device token, so their pushes do not reach the device."
        case .userNamesKnown: "The user's name at the server is unknown, or the server refused it."
        case .deviceNotReplaced:
            "The server refused this device repeatedly: the device's profile was removed, or was moved to another device."
        case .clockAgrees:
            "Dates are in the future, or pushes arrive before they were sent: a clock is wrong."
        case .pushesAnswered: "Pushes wait for the user's answer."
        case .pushesNotExpired: "Pushes expired without an answer."
        case .accountsTravel:
            "Accounts have items that cannot leave this device, so these accounts will be missing on a new phone."
        case .extensionCanRead:
            "Items cannot be read while the device is locked, so the extension cannot check pushes."
        case .appGroup:
            "The store or some of its items are outside the app group, so the extension cannot find them."
        case .removalsDone: "Credentials are waiting for their server to confirm the removal."
        case .migrationNotHeld:
            "Nothing is migrated: two attempts crashed or were killed, or the roll-out's state cannot be read."
        case .recordsArrived:
            "Records of the legacy store were not migrated; the ledger contains the reasons."
        }
    }

    /// The remedy for a finding of the check, one sentence in English.
    public var remedy: String {
        switch self {
        case .storeReadable:
            "If the store is locked, unlock the device; if the file is damaged or incomplete, copy it again; otherwise enrol again."
        case .keyReadable:
            "Specify the correct key, and make sure that only the key's owner can read it; without the key, users must enrol again."
        case .storePrivate: "Restrict access to the file to its owner: chmod 600."
        case .ledgerAgrees:
            "If the legacy store still exists, migrate again; credentials that users removed need no action."
        case .credentialsSign:
            "Migrate again, because a migration repairs secrets that another tool copied as URL-safe or unpadded base64; if that does not help, the user must enrol the account again."
        case .locksKnown:
            "Add the locking policy to the app, have the server attach it again, or unlock the account."
        case .accountsUnlocked: "Remove the cause of the policy violation, or unlock the account."
        case .policiesKnown:
            "Add the servers' policies to the app, or have the servers attach other policies."
        case .tokenPresent:
            "Register for remote notifications at each start and set the token that the system returns."
        case .tokenRecent:
            "Register for remote notifications at each start and set the token that the system returns."
        case .tokenEnvironment:
            "Register again with this build, and set the environment together with the token."
        case .serversUpdated:
            "Start the app while the phone is online, so that the app sends the token to the servers; if a server is older than AM 8.0.1, users must enrol again."
        case .userNamesKnown:
            "Set the user's name with setUserId; a push that contains the name also sets it."
        case .deviceNotReplaced:
            "The user must enrol the account again on the phone that should receive its pushes."
        case .clockAgrees:
            "Let the device set its clock automatically; if it already does, check the server's clock."
        case .pushesAnswered: "Open the app and answer the pushes."
        case .pushesNotExpired:
            "No action is needed; if many pushes expire, check whether pushes reach the device in time."
        case .accountsTravel:
            "Store items with an accessibility class that lets backups contain them, or have users enrol on the new phone."
        case .extensionCanRead:
            "Make the items readable after the first unlock: see the property accessibility of KeychainCredentialStore."
        case .appGroup:
            "Place the store in the app group's folder, and place the items in the group's access group."
        case .removalsDone:
            "Start the app while the phone is online and the user has a session at the server, and remove the credentials again."
        case .migrationNotHeld:
            "No data is lost; release a version that fixes the crash, or let the gate return retry."
        case .recordsArrived:
            "Look up each reason; migrate again from the legacy store, or have the user enrol the account again."
        }
    }
}
