public import ArgumentParser
import CredentialMigration
import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import PushBridgeCommandLine
@_spi(PushBridgeTools) public import PushBridgeCore
import PushBridgeInternals
import PushBridgeMigrating

/// The command `doctor`, which diagnoses a store and gives advice.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Diagnose a store and give advice, without names, ids or secrets.",
        discussion: """
            Reads a legacy store, a store of the successor SDK, or a credential database. The status is 1 if a finding is a \
            fault, if the log of a database without records is missing, or if no credential has the secret of the push. An app \
            makes the same report with PushDoctor.
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

    @Option(help: "Check that the device token is for this environment of APNs: sandbox or production.")
    var environment: APNsEnvironment?

    @Option(
        help: ArgumentHelp(
            "Check whether this store has the secret that signed a push (the JSON that the phone received). Sends nothing.",
            valueName: "file"
        )
    )
    var push: String?

    @OptionGroup var output: OutputOptions

    private var setting: PushDoctor.Setting {
        var setting = PushDoctor.Setting()
        setting.hasExtension = hasExtension
        setting.accessGroup = accessGroup
        setting.environment = environment
        return setting
    }

    func run() throws {
        try perform(storeRole: .input) {
            let progress = try ProgressBar(recordsOf: store)
            defer { progress.finish() }
            try URL(storeAt: store).warnOfLeftOvers(services: source.services, progress: progress)
            let payload = try push.map { try Self.payload(of: $0) }
            let isFile = push.map(Evidence.Input.isFile) ?? false
            let evidence = Evidence(
                of: [.init(at: store, named: "store", progress: progress.reading([store]))]
                    + (payload.map { [.init("push", contents: $0, isFile: isFile)] } ?? []),
                isRedacted: true
            )
            let (doctor, cut) = try examineWhole { progress.show("examining", records: $0) }
            progress.finish()
            let isSigned = try payload.map { try hasSecret(of: $0, progress) }
            progress.finish()
            try DoctorReport(doctor, name: store, cut: cut, isPushSigned: isSigned).deliver(
                asJSON: output.json,
                made: evidence
            )
        }
    }

    /// Reads the file of a push.
    /// - Parameter file: The path of the file.
    /// - Returns: The contents of the file.
    /// - Throws: `CommandFailure` if the file cannot be read or is not JSON.
    private static func payload(of file: String) throws(CommandFailure) -> Data {
        let data = try Data(named: file)
        guard JSONValue(json: data) == nil, let fault = JSONFault(in: data) else { return data }
        throw noPush(file, ": invalid JSON at \(fault.words)")
    }

    private static func noPush(_ file: String, _ place: String = "") -> CommandFailure {
        let sentence =
            "\(file) is not a push from PingAM\(place); the JSON that the phone received is required."
        return CommandFailure(status: .unreadableInput, sentence: sentence)
    }

    /// Returns whether a credential of the store has the secret that signed a push.
    private func hasSecret(of payload: Data, _ progress: ProgressBar) throws -> Bool {
        let credentials: [PushCredential]
        do {
            let memory = MemoryCredentialStore()
            let migration = CredentialMigration(from: try source.source(at: store), to: memory)
            let plan = try migration.plan(progress: progress.show)
            _ = try migration.apply(plan, progress: progress.show)
            credentials = try memory.contents().pushCredentials
        } catch let refusal as LegacyStoreError where refusal.code == .notALegacyStore {
            credentials = try Destination(path: store, keyFile: key.keyFile).open().contents().pushCredentials
        }
        for credential in credentials {
            do {
                if try credential.notification(from: payload, id: "", receivedAt: Date()) != nil {
                    return true
                }
                throw Self.noPush(push ?? "")
            } catch let failure as CommandFailure {
                throw failure
            } catch {
                // The push belongs to another credential, or was signed with another secret.
                continue
            }
        }
        return false
    }

    /// Examines the store.
    ///
    /// If the file is cut off, no other finding is reported, because the missing part may contain anything.
    private func examineWhole(_ progress: (Int) -> Void) throws -> (PushDoctor, CutFile?) {
        if CutFile.isEmpty(store) {
            let sentence = "\(store) is an empty file; if it is a copy, copy it again."
            throw CommandFailure(status: .unreadableInput, sentence: sentence)
        }
        let cut = CutFile(at: store)
        let doctor = Result { try examine(progress) }
        if case .failure(let error as LegacyStoreError) = doctor,
            error.code == .locked || error.code == .notALegacyStore && cut?.isStoreForm != true
        {
            throw error
        }
        guard let cut else { return (try doctor.get(), nil) }
        let error = StoreError(.damaged, reason: cut.sentence(about: store))
        return (PushDoctor(setting: setting, progress: progress) { throw error }, cut)
    }

    /// Examines the file as a store of one of the SDKs or, if it is not such a store, as a credential database.
    ///
    /// If the file is not a credential database either, throws the error of the first attempt.
    private func examine(_ progress: (Int) -> Void) throws -> PushDoctor {
        do {
            return try PushDoctor(of: source.source(at: store), setting: setting, progress: progress)
        } catch let refusal as LegacyStoreError where refusal.code == .notALegacyStore {
            let opened = Result { try Destination(path: store, keyFile: key.keyFile).open() }
            if case .failure(let error as StoreError) = opened {
                if error.code == .notAStore { throw refusal }
                guard [.wrongKey, .keyMissing, .damaged].contains(error.code) else { throw error }
                guard CutFile(at: store) == nil else { throw error }
                Terminal.diagnose("pushbridge: \(error.reason.visible)\n")
            }
            return PushDoctor(setting: setting, progress: progress) { try opened.get() }
        }
    }
}

extension APNsEnvironment: @retroactive ExpressibleByArgument {
    /// The names of the environments, for the help and for the error about an invalid name.
    public static var allValueStrings: [String] { [Self.sandbox, .production].map(\.rawValue) }
}

/// The report of `doctor`.
private struct DoctorReport: Report {
    private let doctor: PushDoctor
    private let name: String
    private let cut: CutFile?
    /// Whether the store has the secret of the given push; `nil` if no push was given.
    private let isPushSigned: Bool?

    init(_ doctor: PushDoctor, name: String, cut: CutFile?, isPushSigned: Bool?) {
        self.doctor = doctor
        self.name = name
        self.cut = cut
        self.isPushSigned = isPushSigned
    }

    /// Whether the store is a database without records whose log, which may contain all records, is missing.
    private var lacksLog: Bool {
        doctor.pushCredentials + doctor.oathCredentials + doctor.notifications == 0
            && LegacyFile.lacksLog(URL(fileURLWithPath: name))
    }

    var status: ExitStatus {
        doctor.hasFaults || lacksLog || isPushSigned == false ? .needsAttention : .success
    }

    var text: String {
        if let cut {
            return "doctor: \(cut.sentence(about: name).visible)\n\n\(table)\(advice)\(push)\(verdict)\n"
        }
        let head = """
            doctor: \(name.visible) (\(doctor.container), \(doctor.pushCredentials.counted("push credential")), \
            \(doctor.oathCredentials.counted("one-time-password credential")), \
            \(doctor.notifications.counted("notification")))
            """
        return "\(head)\n\n\(table)\(advice)\(ledger)\(unconvertible)\(skipped)\(push)\(verdict)\n"
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
        members["cutOff"] = .optional(cut?.sentence(about: "The store"))
        members["lacksLog"] = .bool(lacksLog)
        members["signedPush"] = isPushSigned.map(JSONValue.bool) ?? .null
        try write(Data(JSONValue.object(members).line.utf8))
    }

    private var table: String {
        guard !doctor.findings.isEmpty else { return "" }
        var table = Table(
            ("Severity", .left),
            ("Check", .left),
            ("Number", .left),
            ("Count", .right),
            ("What it means", .left)
        )
        for finding in doctor.findings {
            table.add(
                finding.severity.rawValue,
                finding.check.rawValue,
                finding.number,
                "\(finding.count)",
                finding.meaning
            )
        }
        return table.text + "\n"
    }

    private var advice: String {
        guard !doctor.findings.isEmpty else { return "" }
        var table = Table(("Check", .left), ("What to do", .left))
        for finding in doctor.findings { table.add(finding.check.rawValue, finding.remedy) }
        return table.text + "\n"
    }

    /// The records of the ledger that did not arrive, grouped by reason, as text.
    private var ledger: String {
        guard !doctor.ledger.isEmpty else { return "" }
        let all = doctor.ledger.reduce(0) { $0 + $1.count }
        let missing = doctor.ledger.filter { !$0.outcome.isRetirable }
        let count = missing.reduce(0) { $0 + $1.count }
        guard count > 0 else { return "Ledger: all \(all.counted("record")) of the migration arrived.\n\n" }
        return
            "Ledger: \(count) of \(all.counted("record")) of the migration did not arrive.\n\(Self.table(of: missing))\n"
    }

    /// The records of a legacy store that cannot be converted, grouped by reason, as text.
    private var unconvertible: String {
        let count = doctor.unconvertible.reduce(0) { $0 + $1.count }
        guard count > 0 else { return "" }
        return
            "\(count.counted("record")) of the store cannot be converted now.\n\(Self.table(of: doctor.unconvertible))\n"
    }

    private static func table(of counts: [PushDoctor.LedgerCount]) -> String {
        var table = Table(("Outcome", .left), ("Reason", .left), ("Number", .left), ("Records", .right))
        for line in counts {
            table.add(line.outcome.rawValue, line.code?.rawValue ?? "", line.number ?? "", "\(line.count)")
        }
        return table.text
    }

    private var skipped: String {
        let ran = "\(doctor.ran.count) of \(PushDoctor.Check.allCases.count) checks ran"
        guard !doctor.skipped.isEmpty else { return "\(ran).\n\n" }
        var table = Table(("Not checked", .left), ("Number", .left), ("Why", .left))
        for check in doctor.skipped { table.add(check.check.rawValue, check.number, check.reason) }
        return "\(ran).\n\(table.text)\n"
    }

    private var push: String {
        switch isPushSigned {
        case true: "The push was signed with a secret of this store: the server has the same secret.\n\n"
        case false:
            "No credential of this store has the secret that signed the push: the server has a different secret, or the push is for another device.\n\n"
        default: ""
        }
    }

    private var verdict: String {
        if lacksLog { return "The store contains no records, but its log is missing." }
        let counts = PushDoctor.Severity.allCases.reversed().map { severity in
            doctor.findings.count { $0.severity == severity }.counted(severity.rawValue)
        }
        return doctor.findings.isEmpty
            ? "\(doctor.ran.count) checks found nothing."
            : "\(counts.joined(separator: ", "))."
    }
}
