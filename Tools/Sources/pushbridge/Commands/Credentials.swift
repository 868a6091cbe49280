import ArgumentParser
import Foundation
import PushBridgeCore

/// Says what is in a credential store.
struct Credentials: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is in a credential store; secrets are not shown."
    )

    @Argument(help: ArgumentHelp("The credential database.", valueName: "db"))
    var database: String

    @OptionGroup var key: KeyOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .input) {
            let store = try Destination(path: database, keyFile: key.keyFile).open()
            let report = try store.read { try CredentialReport($0, name: database) }
            if output.json {
                try report.writeJSON()
            } else {
                try Terminal.write(report.text)
            }
            try report.status.exit()
        }
    }
}
