import ArgumentParser
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating
import PushBridgeStore

/// The command `move`, which moves the records of one credential database to another.
struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Move the records of a credential database to another path or another key, and prove each record.",
        discussion: """
            The first database keeps all records until the second contains every one. An interrupted move is completed by the \
            same command. Records that cannot be read, or that conflict with records of the second database, stay where \
            they are.
            """
    )

    @Argument(help: ArgumentHelp("The credential database to move from.", valueName: "db"))
    var database: String

    @OptionGroup var key: KeyOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The credential database to move to; created if it is missing.", valueName: "db")
    )
    var target: String

    @Option(
        name: .customLong("to-key-file"),
        help: ArgumentHelp(
            "The file with the sealing key of the database to move to (default: DB.key).",
            valueName: "file"
        )
    )
    var targetKeyFile: String?

    @Flag(name: .customLong("dry-run"), help: "Report what would be moved, and change nothing.")
    var isDryRun = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .input, resumes: true) {
            let (from, to) = (
                Destination(path: database, keyFile: key.keyFile),
                Destination(path: target, keyFile: targetKeyFile)
            )
            let report = MoveReport(
                from: database,
                to: target,
                isDryRun: isDryRun,
                receipt: try move(from, to)
            )
            try report.deliver(asJSON: output.json)
        }
    }

    private func move(_ from: Destination, _ to: Destination) throws -> StoreMoveReceipt {
        guard !isDryRun else {
            return try StoreMove(from: from.open(), to: to.openIfPresent() ?? MemoryCredentialStore()).plan()
        }
        guard let source = try from.openIfPresent(writable: true) else {
            throw StoreError(.missing, reason: "There is no credential store at \(database).")
        }
        let progress = ProgressBar()
        defer { progress.finish() }
        return try to.write(checking: {}) { target in
            try StoreMove(from: source, to: target).run { progress.show(steps: $0.completed, of: $0.total) }
        }
    }
}

/// The result of `move`.
struct MoveReport: Report {
    let from: String
    let to: String
    let isDryRun: Bool
    let receipt: StoreMoveReceipt

    /// The exit status; `needsAttention` if records remain in the first database.
    var status: ExitStatus { receipt.isComplete ? .success : .needsAttention }

    private var moved: [(kind: String, count: Int)] {
        receipt.moved.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var text: String {
        var table = Table(("Kind", .left), ("Records", .right))
        for (kind, count) in moved { table.add(kind, "\(count)") }
        var text = "move: \(from) -> \(to)\(isDryRun ? " (dry run)" : "")\n"
        text += moved.isEmpty ? "\nThere is nothing to move.\n" : "\n\(table.text)"
        for record in receipt.remaining {
            text += "\nNot moved (\(record.kind)): \(record.reason)"
        }
        return receipt.isComplete ? text : "\(text)\n"
    }

    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let report: JSONValue = [
            "schema": 1, "command": "move", "from": .string(from), "to": .string(to),
            "dryRun": .bool(isDryRun),
            "moved": .object(Dictionary(uniqueKeysWithValues: moved.map { ($0.kind, .integer($0.count)) })),
            "remaining": .array(
                receipt.remaining.map { ["kind": .string($0.kind), "reason": .string($0.reason)] }
            ),
        ]
        try write(Data(report.line.utf8))
    }
}
