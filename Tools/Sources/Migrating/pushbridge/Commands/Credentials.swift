import ArgumentParser
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeInternals
import PushBridgeMigrating

/// The command `credentials`, which lists the content of a credential store.
struct Credentials: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the contents of a credential store, without secrets."
    )

    @Argument(help: ArgumentHelp("The credential database.", valueName: "db"))
    var database: String

    @OptionGroup var key: KeyOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .input) {
            let store = try Destination(path: database, keyFile: key.keyFile).open()
            let progress = ProgressBar()
            let contents = try store.contents { progress.show("reading", records: $0, of: $1) }
            progress.finish()
            try CredentialReport(contents, name: database).deliver(asJSON: output.json)
        }
    }
}

/// The report of `credentials`.
struct CredentialReport: Report {
    let name: String
    let credentials: [Line]
    let notifications: Int
    let pending: Int
    let hasDeviceToken: Bool
    let preserved: Int
    let unreadable: [String]

    init(_ contents: StoreContents, name: String) {
        self.name = name
        unreadable = contents.unreadable
        credentials = contents.pushCredentials.map(Line.init) + contents.oathCredentials.map(Line.init)
        notifications = contents.notifications.count
        pending = contents.notifications.count(where: \.pending)
        hasDeviceToken = contents.deviceToken != nil
        preserved = contents.keptRecords
    }

    var status: ExitStatus { unreadable.isEmpty ? .success : .needsAttention }

    var text: String {
        var table = Table(
            ("Kind", .left),
            ("Issuer", .left),
            ("Account", .left),
            ("Locked", .left),
            ("Details", .left),
            ("Id", .left)
        )
        for line in credentials {
            table.add(
                line.kind,
                line.displayIssuer,
                line.displayAccountName,
                line.locked ? "yes" : "no",
                line.details,
                line.id
            )
        }
        return """
            \(name.visible): \(credentials.count.counted("credential")), \(notifications.counted("notification")) \
            (\(pending) pending), \(hasDeviceToken ? "1" : "no") device token, \
            \(preserved.counted("legacy record")) kept verbatim
            \(table.isEmpty ? "" : "\n\(table.text)")\
            \(unreadable.isEmpty ? "" : "\nCannot be read, because the database is damaged:\n\(damage)")
            """
    }

    private var damage: String { unreadable.map { "  \($0)\n" }.joined() }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let head: JSONValue = [
            "schema": 1, "command": "credentials", "store": .string(name), "unreadable": .strings(unreadable),
            "notifications": .integer(notifications), "pending": .integer(pending),
            "deviceToken": .bool(hasDeviceToken), "preserved": .integer(preserved),
        ]
        try JSONStream(write: write).document(head: head, array: "credentials", of: credentials)
    }
}

extension CredentialReport {
    /// One credential, without its secret.
    struct Line: Encodable {
        let kind: String
        let id: String
        let issuer: String
        let accountName: String
        let displayIssuer: String
        let displayAccountName: String
        let locked: Bool
        let createdAt: Date
        let details: String

        init(_ credential: PushCredential) {
            self.init(credential, id: credential.id, kind: "push", details: credential.serverEndpoint)
        }

        init(_ credential: OathCredential) {
            let factor =
                switch credential.movingFactor {
                case .time(let period): "every \(period) s"
                case .counter(let counter): "counter \(counter)"
                }
            let details =
                "\(credential.oathAlgorithm.rawValue.lowercased()), \(credential.digits) digits, \(factor)"
            self.init(credential, id: credential.id, kind: credential.oathType.rawValue, details: details)
        }

        private init(_ credential: some AccountBound, id: String, kind: String, details: String) {
            self.kind = kind
            self.id = id
            issuer = credential.issuer
            accountName = credential.accountName
            displayIssuer = credential.displayIssuer
            displayAccountName = credential.displayAccountName
            locked = credential.isLocked
            createdAt = credential.createdAt
            self.details = details
        }
    }
}
