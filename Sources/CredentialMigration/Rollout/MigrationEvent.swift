public import Foundation
@_spi(PushBridgeTools) public import PushBridgeCore

/// The result of one attempt of a migration step, or one step of a push.
///
/// An event contains only numbers, codes, versions, a day and a random id. It contains no name, record id, address,
/// key or free text. The same event, with the same ``attemptId``, may be delivered more than once.
public struct MigrationEvent: Codable, Equatable, Sendable {
    /// The outcome of an attempt.
    public enum Outcome: String, CaseIterable, Codable, Sendable {
        /// The destination has every record: migrated, already present or kept, and proven. For the step `retire`: the
        /// records that the event counts were removed from the source.
        case complete
        /// Some records were not migrated or not proven, or a rehearsal or a comparison exceeded its time
        /// limit.
        case partial
        /// Some records were locked; the next attempt continues.
        case locked
        /// The attempt found no record to migrate, to rehearse or to remove.
        case nothingToDo
        /// The whole attempt failed.
        case failed
        /// The app crashed or was killed during the attempt; the event is written at the next launch.
        case interrupted
        /// The guard blocked the attempt; the event is written once for each version of the app.
        case held
    }

    /// The number of records that have a certain kind and outcome.
    public struct Count: Codable, Equatable, Sendable {
        /// The kind of the records.
        public let kind: LegacyRecordKind
        /// The outcome of the records.
        public let outcome: MigrationOutcome
        /// Whether the records were read back and proven.
        public let proven: Bool
        /// The number of records.
        public let count: Int
    }

    /// A reason and the number of its occurrences.
    ///
    /// The JSON also contains `number`, the number of the code.
    public struct Reason: Codable, Equatable, Sendable {
        /// The code of the reason.
        public let code: MigrationReason
        /// The number of occurrences of the reason.
        public let count: Int
    }

    /// The duration of an attempt, as a range.
    public enum Duration: String, CaseIterable, Codable, Sendable {
        /// Less than a tenth of a second.
        case under100ms
        /// Less than a second.
        case under1s
        /// Less than ten seconds.
        case under10s
        /// Less than a minute.
        case under1min
        /// A minute or more.
        case longer

        init(seconds: Double) {
            self =
                switch seconds {
                case ..<0.1: .under100ms
                case ..<1: .under1s
                case ..<10: .under10s
                case ..<60: .under1min
                default: .longer
                }
        }
    }

    /// The container of the source.
    public enum Source: String, CaseIterable, Codable, Sendable {
        /// Items of a keychain.
        case keychain
        /// An app's own legacy storage, a `StorageClient`.
        case storageClient
        /// A keychain database.
        case sqlite
        /// A property list.
        case propertyList
        /// JSON lines.
        case jsonLines
        /// A JSON document of legacy records.
        case legacyJSON
        /// A migration export.
        case migrationExport
        /// A JSON document of the successor SDK's records.
        case newSDKJSON
        /// Records in memory.
        case memory
        /// A source that the app implements, or a source that is not known yet.
        case other

        init(container: String?) { self = container.flatMap(Self.init) ?? .other }
    }

    /// The version of the event's format; 1.
    public let schema: Int
    /// A random identifier of this attempt; events with the same identifier are the same event.
    public let attemptId: UUID
    /// The number of the attempt on this phone; the first attempt has the number 1.
    ///
    /// An event with the outcome ``Outcome/held`` has the number of the last attempt.
    public let attempt: Int
    /// The attempted step.
    public let step: MigrationGate.Step
    /// The outcome of the attempt.
    public let outcome: Outcome
    /// The number of records of each kind with each outcome; empty if the numbers are not known.
    public let counts: [Count]
    /// The reasons why records did not arrive, or the reason why the attempt failed.
    ///
    /// For ``MigrationGate/Step/compare``, `noCredential` counts records that were migrated but are no longer
    /// in the store. ``counts`` does not include these records.
    public let reasons: [Reason]
    /// The duration of the attempt; `nil` for ``Outcome/interrupted``, ``Outcome/held`` and the steps of a push.
    public let duration: Duration?
    /// The container of the source.
    public let source: Source
    /// The versions of the app, the system and this package.
    public let versions: MigrationVersions
    /// The day of the event in UTC, such as `2026-11-25`.
    public let day: String
    /// Whether the guard blocks further attempts.
    public let guardHeld: Bool
    /// The step of a login push that this event reports instead of an attempt; `nil` for attempts.
    ///
    /// For a push, ``step`` is `apply`, ``attempt`` is 0, ``outcome`` is ``Outcome/nothingToDo``, and ``counts`` is
    /// empty. The JSON contains only the members `schema`, `attemptId`, `push`, `versions` and `day`. See
    /// ``MigrationRollout/record(_:)``.
    public let push: PushMilestone?
}

/// The versions that an event contains.
public struct MigrationVersions: Codable, Equatable, Sendable {
    /// The version of the app.
    public let app: String
    /// The name and the version of the system.
    public let system: String
    /// The version of this package.
    public let package: String

    /// Creates the versions of an event.
    ///
    /// A value is replaced with `unknown` if it is empty, if it has more than 40 characters, or if it has characters
    /// other than ASCII letters, digits, spaces and `.+-()_`. So an event cannot contain free text.
    /// - Parameters:
    ///   - app: The version of the app. If the guard blocks attempts, it blocks them until this version
    ///     changes.
    ///   - system: The name and version of the system.
    public init(app: String = Self.ofThisApp, system: String = Self.ofThisSystem) {
        self.app = Self.checked(app)
        self.system = Self.checked(system)
        package = PackageVersion.current
    }

    /// The short version and the build of the main bundle, such as `4.1 (312)`; `unknown` if the bundle has
    /// no version.
    public static var ofThisApp: String {
        let info = Bundle.main.infoDictionary
        guard let version = info?["CFBundleShortVersionString"] as? String else { return "unknown" }
        guard let build = info?["CFBundleVersion"] as? String else { return version }
        return "\(version) (\(build))"
    }

    /// The name and version of the current system.
    public static var ofThisSystem: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        #if os(iOS)
        let name = "iOS"
        #elseif os(macOS)
        let name = "macOS"
        #else
        let name = "Linux"
        #endif
        return "\(name) \(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }

    private static func checked(_ text: String) -> String {
        1...40 ~= text.utf8.count && text.utf8.allSatisfy(isAllowed) ? text : "unknown"
    }

    /// Returns whether a byte is an ASCII letter, a digit, or one of ` .+-()_`.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: " .+-()_".utf8.contains(byte)
        }
    }
}

extension MigrationEvent {
    /// Returns the counts and the reasons of the records in a receipt.
    static func tallies(_ records: [MigrationRecord]) -> (counts: [Count], reasons: [Reason]) {
        var counts: [String: Count] = [:]
        var reasons: [MigrationReason: Int] = [:]
        for record in records {
            let (outcome, proven) = (record.result.outcome, record.result.isVerified)
            let name = "\(record.kind.rawValue) \(outcome.rawValue) \(proven)"
            let count = (counts[name]?.count ?? 0) + 1
            counts[name] = Count(kind: record.kind, outcome: outcome, proven: proven, count: count)
            if let reason = record.result.code { reasons[reason, default: 0] += 1 }
        }
        return (
            counts.sorted { $0.key < $1.key }.map(\.value),
            reasons.map(Reason.init).sorted { $0.code.rawValue < $1.code.rawValue }
        )
    }
}
