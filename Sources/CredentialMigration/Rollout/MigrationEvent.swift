public import Foundation
@_spi(PushBridgeTools) public import PushBridgeCore

/// The result of one attempt to migrate, to retire, to rehearse or to compare, or one step of a push, in numbers and codes only.
///
/// It contains no name, record id, address, key or free text. The same event may be delivered more than once, with the
/// same ``attemptId``.
public struct MigrationEvent: Codable, Equatable, Sendable {
    /// How an attempt ended.
    public enum Outcome: String, CaseIterable, Codable, Sendable {
        /// Every record arrived or is kept, and was proven; or was removed from the source.
        case complete
        /// Some records did not arrive, or are not proven; or the time of a step that only reads was over.
        case partial
        /// Some records were locked; the next attempt continues.
        case locked
        /// There was nothing to do after all.
        case nothingToDo
        /// It failed as a whole.
        case failed
        /// It ended without an outcome: the app crashed or was killed. Written at the next launch.
        case interrupted
        /// None was made, because the guard holds; written once for each version of the app.
        case held
    }

    /// How many records of a kind had an outcome.
    public struct Count: Codable, Equatable, Sendable {
        /// The kind.
        public let kind: LegacyRecordKind
        /// The outcome.
        public let outcome: MigrationOutcome
        /// Whether they were read back and proven.
        public let proven: Bool
        /// How many.
        public let count: Int
    }

    /// How often a reason occurred.
    public struct Reason: Codable, Equatable, Sendable {
        /// The reason.
        public let code: MigrationReason
        /// How often.
        public let count: Int
    }

    /// How long an attempt took.
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

    /// The kind of container that the records come from.
    public enum Source: String, CaseIterable, Codable, Sendable {
        /// Items of a keychain.
        case keychain
        /// An app's own storage.
        case storageClient
        /// A database.
        case sqlite
        /// A property list.
        case propertyList
        /// JSON lines.
        case jsonLines
        /// A JSON document of legacy records.
        case legacyJSON
        /// An export of this package.
        case migrationExport
        /// A JSON document of the successor's credentials.
        case newSDKJSON
        /// Memory.
        case memory
        /// A source of the app's, or not known yet.
        case other

        init(container: String?) { self = container.flatMap(Self.init) ?? .other }
    }

    /// The version of the form of the event; 1.
    public let schema: Int
    /// A random number of this attempt; events with the same one are the same event.
    public let attemptId: UUID
    /// The number of the attempt on this phone, from 1; a ``Outcome/held`` one has that of the last.
    public let attempt: Int
    /// The attempted step.
    public let step: MigrationGate.Step
    /// How it ended.
    public let outcome: Outcome
    /// How many records of each kind had which outcome; empty where that is not known.
    public let counts: [Count]
    /// Why records did not arrive, or why it failed.
    ///
    /// For ``MigrationGate/Step/compare``, `noCredential` counts records that arrived and are no longer in the store; no
    /// member of ``counts`` contains them.
    public let reasons: [Reason]
    /// How long it took; `nil` for ``Outcome/interrupted`` and ``Outcome/held``.
    public let duration: Duration?
    /// Where the records come from.
    public let source: Source
    /// The version of the app, the system and this package.
    public let versions: MigrationVersions
    /// The day on which it was written, in UTC: `2026-11-25`.
    public let day: String
    /// Whether the guard holds further attempts back.
    public let guardHeld: Bool
    /// The step of a login push that this event reports instead of an attempt; `nil` for attempts.
    ///
    /// Such an event has the ``step`` `apply`, the number 0, the ``outcome`` ``Outcome/nothingToDo`` and no counts, and
    /// its JSON has only the members `schema`, `attemptId`, `push`, `versions` and `day`. See
    /// ``MigrationRollout/record(_:)``.
    public let push: PushMilestone?
}

/// The versions that an event names.
public struct MigrationVersions: Codable, Equatable, Sendable {
    /// The version of the app.
    public let app: String
    /// The name and the version of the system.
    public let system: String
    /// The version of this package.
    public let package: String

    /// Creates the versions of an event.
    ///
    /// A value becomes `unknown` if it has more than 40 characters, or characters other than letters, digits, spaces
    /// and `.+-()_`, so that no free text gets into an event.
    /// - Parameters:
    ///   - app: The version of the app; the guard holds until it changes.
    ///   - system: The name and version of the system.
    public init(app: String = Self.ofThisApp, system: String = Self.ofThisSystem) {
        self.app = Self.checked(app)
        self.system = Self.checked(system)
        package = PackageVersion.current
    }

    /// The short version and the build of the main bundle, as `4.1 (312)`; `unknown` if it has none.
    public static var ofThisApp: String {
        let info = Bundle.main.infoDictionary
        guard let version = info?["CFBundleShortVersionString"] as? String else { return "unknown" }
        guard let build = info?["CFBundleVersion"] as? String else { return version }
        return "\(version) (\(build))"
    }

    /// The name and version of the system this runs on.
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

    /// Whether a byte is an ASCII letter, a digit, or one of ` .+-()_`.
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
    /// The counts and reasons of a receipt's records.
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
