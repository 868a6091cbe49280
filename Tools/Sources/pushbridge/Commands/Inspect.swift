import ArgumentParser
import Foundation
import LegacyStore

/// Says what is in a legacy store.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is in a legacy store: accounts, mechanisms, notifications, token, problems."
    )

    @Argument(help: "The legacy store, in any of the five containers.")
    var store: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        try perform(storeRole: .input) {
            let source = try LegacyFile.open(URL(fileURLWithPath: store))
            let report = try InspectionReport(source, name: store)
            if output.json {
                try report.writeJSON()
            } else {
                try Terminal.write(report.text)
            }
            try report.status.exit()
        }
    }
}
