import ArgumentParser
import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating

/// The command `rehearse`, in which credentials answer logins at a simulated push service.
struct Rehearse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: MovedCommand.rehearse.abstract,
        discussion: """
            Every push credential of a database gets a login push and approves it. Requests keep the path and the \
            query of the credential's address, and never leave this process. Without a database, a sample credential \
            is enrolled; it approves and denies pushes of every kind. With --am-version all, everything happens on \
            every version of the server.
            """
    )

    @Argument(help: ArgumentHelp("The credential database.", valueName: "db"))
    var database: String?

    @OptionGroup var server: ServerVersionOptions
    @OptionGroup var key: KeyOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard database != nil || key.keyFile == nil else {
            throw ValidationError("--key-file needs a database.")
        }
    }

    func run() async throws {
        try await perform(storeRole: .input) {
            if let database {
                try await rehearseStore(at: database)
            } else {
                try await rehearseLife()
            }
        }
    }

    private func rehearseStore(at path: String) async throws {
        let store = try Destination(path: path, keyFile: key.keyFile).open()
        let progress = ProgressBar()
        defer { progress.finish() }
        let report = try await StoreRehearsal(of: store, on: server.announcedVersions()).report(name: path) {
            progress.show("rehearsing", $0, of: $1, unit: "credentials")
        }
        progress.finish()
        try report.deliver(asJSON: output.json)
    }

    private func rehearseLife() async throws {
        var report = LifeRehearsalReport()
        let progress = ProgressBar()
        defer { progress.finish() }
        let versions = try server.announcedVersions()
        for (index, version) in versions.enumerated() {
            progress.show("rehearsing", index, of: versions.count, unit: "versions")
            report.add(try await LifeRehearsal(version).steps(), version)
        }
        progress.finish()
        try report.deliver(asJSON: output.json)
    }
}

extension Report where Self: Encodable {
    /// Writes the JSON in several lines, because the report is short.
    func writeJSON(to write: @escaping (Data) throws -> Void) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys, .prettyPrinted]
        try write(encoder.encode(self) + Data("\n".utf8))
    }
}
