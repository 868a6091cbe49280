public import ArgumentParser
import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import PushBridgeCommandLine
public import PushBridgeCore

/// Diagnoses a store, with advice.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is wrong with a store and what to do; shows no names, ids or secrets.",
        discussion: """
            Takes a legacy store, a store of the new SDK, or a credential database. The status is 1 only if there is a \
            fault: something that does not work. An app makes the same report with PushDoctor.
            """
    )

    @Argument(help: "The store, in any container, or a credential database.")
    var store: String

    @OptionGroup var source: SourceOptions
    @OptionGroup var key: KeyOptions

    @Flag(name: .customLong("extension"), help: "Check that a notification extension can read the store.")
    var hasExtension = false

    @Option(help: "Check that legacy items have this keychain access group.")
    var accessGroup: String?

    @Option(help: "Check that the device token is for this of Apple's services: sandbox or production.")
    var environment: APNsEnvironment?

    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .input) {
            try URL(storeAt: store).warnOfLeftOvers(services: source.services)
            let progress = ProgressBar()
            defer { progress.finish() }
            let doctor = try examine { progress.show(words: "examining: \($0.counted("record")) read") }
            progress.finish()
            try DoctorReport(doctor, name: store).deliver(asJSON: output.json)
        }
    }

    /// A file that is not a store of either SDK may be a credential database; otherwise, throws the first error.
    private func examine(_ progress: (Int) -> Void) throws -> PushDoctor {
        var setting = PushDoctor.Setting()
        setting.hasExtension = hasExtension
        setting.accessGroup = accessGroup
        setting.environment = environment
        do {
            return try PushDoctor(of: source.source(at: store), setting: setting, progress: progress)
        } catch let refusal as LegacyStoreError where refusal.code == .notALegacyStore {
            let opened = Result { try Destination(path: store, keyFile: key.keyFile).open() }
            if case .failure(let error as StoreError) = opened {
                if error.code == .notAStore { throw refusal }
                guard [.wrongKey, .keyMissing, .damaged].contains(error.code) else { throw error }
                Terminal.diagnose("pushbridge: \(error.reason.visible)\n")
            }
            return PushDoctor(setting: setting, progress: progress) { try opened.get() }
        }
    }
}

extension APNsEnvironment: @retroactive ExpressibleByArgument {
    /// The names, for the help and for the error about an invalid name.
    public static var allValueStrings: [String] { [Self.sandbox, .production].map(\.rawValue) }
}

/// The report of `doctor`.
private struct DoctorReport: Report {
    private let doctor: PushDoctor
    private let name: String

    init(_ doctor: PushDoctor, name: String) {
        self.doctor = doctor
        self.name = name
    }

    /// Without its log, a database may lack all of its records.
    private var lacksLog: Bool {
        doctor.pushCredentials + doctor.oathCredentials + doctor.notifications == 0
            && LegacyFile.lacksLog(URL(fileURLWithPath: name))
    }

    var status: ExitStatus { doctor.hasFaults || lacksLog ? .needsAttention : .success }

    var text: String {
        let head = """
            doctor: \(name.visible) (\(doctor.container), \(doctor.pushCredentials.counted("push credential")), \
            \(doctor.oathCredentials.counted("one-time-password credential")), \
            \(doctor.notifications.counted("notification")))
            """
        return "\(head)\n\n\(table)\(advice)\(verdict)\n"
    }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let value = JSONValue(json: try encoder.encode(doctor))
        guard case .object(var members)? = value else {
            throw CommandFailure(status: .fault, sentence: "The report is not an object.")
        }
        members["schema"] = 1
        members["command"] = "doctor"
        try write(Data(JSONValue.object(members).line.utf8))
    }

    private var table: String {
        guard !doctor.findings.isEmpty else { return "" }
        var table = Table(("Severity", .left), ("Check", .left), ("Count", .right), ("What it means", .left))
        for finding in doctor.findings {
            table.add(finding.severity.rawValue, finding.check.rawValue, "\(finding.count)", finding.meaning)
        }
        return table.text + "\n"
    }

    private var advice: String {
        guard !doctor.findings.isEmpty else { return "" }
        var table = Table(("Check", .left), ("What to do", .left))
        for finding in doctor.findings { table.add(finding.check.rawValue, finding.remedy) }
        return table.text + "\n"
    }

    private var verdict: String {
        if lacksLog { return "The store holds no records without its log, which is missing." }
        let counts = PushDoctor.Severity.allCases.reversed().map { severity in
            doctor.findings.count { $0.severity == severity }.counted(severity.rawValue)
        }
        return doctor.findings.isEmpty
            ? "Nothing was found in \(PushDoctor.Check.allCases.count) checks."
            : "\(counts.joined(separator: ", "))."
    }
}
