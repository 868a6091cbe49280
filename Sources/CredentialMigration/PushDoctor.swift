public import Foundation
import LegacyStore
public import PushBridgeCore
import PushBridgeStore

/// Findings about the push and one-time-password credentials of a device: counts and advice for a support screen,
/// without names, ids, tokens or secrets.
///
/// ```swift
/// let doctor = PushDoctor { try StandardStore.open() }
/// for finding in doctor.findings { show(finding.severity, finding.meaning, finding.remedy) }
/// let attachment = try JSONEncoder().encode(doctor)
/// ```
///
/// With the legacy API, `FRAClient.credentialStore` is the store, also while the app works in place.
public struct PushDoctor: Codable, Equatable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, CaseIterable, Codable, Sendable {
        /// Useful for answering a user's question.
        case note
        /// A problem that affects users, or may soon.
        case warning
        /// A credential, or the store, does not work.
        case fault
    }

    /// One check that found something.
    public struct Finding: Codable, Equatable, Sendable {
        /// The check.
        public let check: Check
        /// The number of the check, such as `PB-D012`.
        public let number: String
        /// How bad it is.
        public let severity: Severity
        /// How many records, or accounts, it is about; 1 where it is about the store.
        public let count: Int
        /// Its meaning, one sentence in English.
        public let meaning: String
        /// What to do, one sentence in English.
        public let remedy: String
    }

    /// A check that could not run.
    public struct Skipped: Codable, Equatable, Sendable {
        /// The check.
        public let check: Check
        /// The number of the check, such as `PB-D012`.
        public let number: String
        /// Why it could not run, one sentence in English.
        public let reason: String
    }

    /// The records of the migration's ledger with one outcome and one reason.
    public struct LedgerCount: Codable, Equatable, Sendable {
        /// The outcome.
        public let outcome: MigrationOutcome
        /// The reason; `nil` for records that arrived and are proven.
        public let code: MigrationReason?
        /// The number of the reason, such as `PB-R007`.
        public let number: String?
        /// How many records.
        public let count: Int
    }

    /// The app's own settings, which no store contains.
    public struct Setting: Sendable {
        /// The names of the policies that the app evaluates.
        public var knownPolicies: Set<String> = ["biometricAvailable", "deviceTampering"]
        /// Which of Apple's services this build of the app gets its token from; `nil` is not checked.
        public var environment: APNsEnvironment?
        /// Whether a notification extension of the app reads the store.
        public var hasExtension = false
        /// The folder of the app group in which a database must lie for an extension to find it; `nil` is not checked.
        public var sharedFolder: URL?
        /// The keychain access group that legacy items must have; `nil` is not checked.
        public var accessGroup: String?

        /// The roll-out of the app's migration, such as `FRAClient.migration.rollout`; `nil` is not checked.
        public var rollout: MigrationRollout?

        /// The settings of an app without an extension.
        public init() {}
    }

    /// The form of the store: `credentialStore` for PushBridge's own, or the container of a legacy store.
    public internal(set) var container: String
    /// The time that ages were measured from.
    public let examinedAt: Date
    /// How many push credentials can be read.
    public internal(set) var pushCredentials = 0
    /// How many one-time-password credentials can be read.
    public internal(set) var oathCredentials = 0
    /// How many notifications can be read.
    public internal(set) var notifications = 0
    /// The findings, in the order of ``Check``; empty if there are none.
    public internal(set) var findings: [Finding] = []

    /// The checks that ran, whether or not they found something, in the order of ``Check``.
    public internal(set) var ran: [Check] = []
    /// The checks that could not run, in the order of ``Check``.
    public internal(set) var skipped: [Skipped] = []
    /// The records of the migration's ledger by outcome and reason, the most frequent first; empty for a legacy store.
    public internal(set) var ledger: [LedgerCount] = []

    /// Whether something does not work.
    public var hasFaults: Bool { findings.contains { $0.severity == .fault } }

    /// Opens and examines a credential store; reads only, and blocks.
    ///
    /// A store that cannot be opened or read is a finding.
    /// - Parameters:
    ///   - setting: The app's own settings.
    ///   - now: The time that ages are measured from.
    ///   - progress: Called with the number of records that were read, every thousand, on the caller's thread.
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

    /// Examines a credential store; reads only, and blocks.
    /// - Parameters:
    ///   - store: The store.
    ///   - setting: The app's own settings.
    ///   - now: The time that ages are measured from.
    public init(of store: any CredentialStore, setting: Setting = Setting(), at now: Date = Date()) {
        self.init(setting: setting, at: now, opening: { store })
    }

    /// Examines a legacy store, or one of the successor SDK; reads only, and blocks.
    /// - Parameters:
    ///   - source: The legacy store.
    ///   - setting: The app's own settings.
    ///   - now: The time that ages are measured from.
    ///   - progress: Called with the number of records that were read, every thousand, on the caller's thread.
    /// - Throws: `LegacyStoreError` if the store cannot be opened.
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
    /// The checks; later versions may add some.
    public enum Check: String, CaseIterable, Codable, Sendable {
        /// The store and each of its records can be read.
        case storeReadable
        /// The key of the store, or of its sealed records, exists and is the right one.
        case keyReadable
        /// Only its owner can read the store's file.
        case storePrivate
        /// The store contains each credential that the migration's ledger lists as migrated.
        case ledgerAgrees
        /// Each credential can sign, or make codes.
        case credentialsSign
        /// No account is locked by a policy that the app does not know, and so never unlocks.
        case locksKnown
        /// No account is locked.
        case accountsUnlocked
        /// The app knows the policies that servers attached.
        case policiesKnown
        /// There is a device token.
        case tokenPresent
        /// The device token is not old.
        case tokenRecent
        /// The token is for the service that this build of the app is reached through.
        case tokenEnvironment
        /// Each server knows the device token.
        case serversTold
        /// The name under which each server knows its user is known.
        case userNamesKnown
        /// No server has another device, or no device, in place of this one.
        case deviceNotReplaced
        /// The device's clock agrees with the servers'.
        case clockAgrees
        /// No push waits for an answer.
        case pushesAnswered
        /// No push expired without an answer.
        case pushesNotExpired
        /// An encrypted backup transfers every account to a new phone.
        case accountsTravel
        /// An extension can read the items while the device is locked.
        case extensionCanRead
        /// The store is where the app's extension finds it.
        case appGroup
        /// No removal waits for a server.
        case removalsDone
        /// Nothing keeps the roll-out from making an attempt to migrate.
        case migrationNotHeld
        /// Every record of the legacy store arrived, as the migration's ledger has it.
        case recordsArrived
    }
}

extension PushDoctor.Check {
    /// The number that a support desk can search for, such as `PB-D012`; it stays the same from version to version.
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
        case .serversTold: "PB-D012"
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
            "The key is missing, is another one, or is open to others, so sealed records stay closed."
        case .storePrivate: "Others than its owner can read the store's file."
        case .ledgerAgrees:
            "Credentials that the ledger calls migrated are not here: the user removed them, or they are lost."
        case .credentialsSign: "Credentials cannot sign answers or make codes."
        case .locksKnown:
            "Accounts are locked by a policy that is unknown to this app or not attached to them, so only an app's own"
                + " call unlocks them."
        case .accountsUnlocked: "Accounts are locked, and answer nothing until they are unlocked."
        case .policiesKnown:
            "Servers attached policies that this app does not know, so it does not enforce them."
        case .tokenPresent: "The device has no token, so no push can come."
        case .tokenRecent: "The device token was stored more than 180 days ago."
        case .tokenEnvironment: "The device token is for another of Apple's services, so no push can come."
        case .serversTold: "Servers do not know the present device token, so their pushes go elsewhere."
        case .userNamesKnown: "The name under which the server knows the user is not known, or was refused."
        case .deviceNotReplaced:
            "The server refused this device again and again: its profile was removed, or moved to another device."
        case .clockAgrees:
            "Dates are in the future, or pushes arrive before they were sent: a clock is wrong."
        case .pushesAnswered: "Pushes wait for the user's answer."
        case .pushesNotExpired: "Pushes expired without an answer."
        case .accountsTravel: "Accounts have items that stay on this device, and are gone on a new phone."
        case .extensionCanRead:
            "Items cannot be read while the device is locked, so the extension cannot check pushes."
        case .appGroup:
            "The store, or items of it, lie outside the app group, so the extension does not find them."
        case .removalsDone: "Credentials wait to be removed until their server agrees."
        case .migrationNotHeld:
            "Nothing is migrated: two attempts crashed or were killed, or the roll-out's state cannot be read."
        case .recordsArrived: "Records of the legacy store did not arrive; the ledger has the reasons."
        }
    }

    /// What to do about a finding of the check, one sentence in English.
    public var remedy: String {
        switch self {
        case .storeReadable:
            "If it is locked, unlock the device; if the file is damaged or cut off, copy it again; else enrol again."
        case .keyReadable: "Name the right key, readable by its owner only; without it, users enrol again."
        case .storePrivate: "Give the file to its owner alone: chmod 600."
        case .ledgerAgrees:
            "Migrate again if the legacy store is still there; what users removed is in order."
        case .credentialsSign:
            "Migrate again, which repairs copied secrets; else the user enrols the account again."
        case .locksKnown:
            "Give the app the policy by that name, have the server attach it again, or unlock the account."
        case .accountsUnlocked: "Remove what the policy objects to, or unlock the account."
        case .policiesKnown: "Give the app policies by these names, or have the servers attach others."
        case .tokenPresent: "Register for remote notifications at each start and set the token that comes."
        case .tokenRecent: "Register for remote notifications at each start and set the token that comes."
        case .tokenEnvironment:
            "Register again with this build, and name the environment when the token is set."
        case .serversTold: "Start the app online, which tells them; before AM 8.0.1, users enrol again."
        case .userNamesKnown: "Set the user's id on the credential; a push that names the user does it too."
        case .deviceNotReplaced: "The user enrols the account again on the phone that is to get its pushes."
        case .clockAgrees: "Set the device's clock to automatic; if it is, check the server's."
        case .pushesAnswered: "Open the app and answer them."
        case .pushesNotExpired: "Nothing; if many expire, look whether pushes reach the device in time."
        case .accountsTravel:
            "Keep items with an accessibility that travels, or have users enrol on the new phone."
        case .extensionCanRead:
            "Store items readable after the first unlock; see KeychainCredentialStore's accessibility."
        case .appGroup: "Place the store in the app group's folder, and items in its access group."
        case .removalsDone: "Start the app online with a session at the server, and remove them again."
        case .migrationNotHeld:
            "Nothing is lost; release a version that mends the crash, or have the gate say retry."
        case .recordsArrived:
            "Look up each reason; migrate again from the legacy store, or the user enrols the account again."
        }
    }
}
