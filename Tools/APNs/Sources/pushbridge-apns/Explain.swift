import ArgumentParser
import Foundation
import PushBridgeAPNs
import PushBridgeCommandLine
import PushBridgeCore

/// Explains refusals.
struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain why APNs refused a push: the cause, who can correct it, and what to do.",
        discussion: "Without a reason, explains all reasons. Exit status: 0; 64 for an unpublished reason."
    )

    @Argument(help: "The reason as APNs spells it, such as BadDeviceToken.")
    var reason: APNsReason?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await perform {
            let reasons = reason.map { [$0] } ?? APNsReason.allCases
            guard !output.json else {
                return try Terminal.write(JSONValue.array(reasons.map(\.json)).line)
            }
            for reason in reasons {
                let answer = APNsAnswer(status: reason.status, id: "", body: reason.body)
                let outcome = APNsOutcome(answer: answer, attempts: 1)
                let lines = [outcome.words] + outcome.explanation
                try Terminal.write("\(lines.joined(separator: "\n"))\n")
            }
        }
    }
}

extension APNsReason: ExpressibleByArgument {}

extension APNsReason {
    fileprivate var body: Data { JSONValue.object(["reason": .string(rawValue)]).data }

    fileprivate var json: JSONValue {
        [
            "reason": .string(rawValue), "status": .integer(status), "cause": .string(explanation.cause),
            "fault": .string(explanation.fault.rawValue), "remedy": .string(explanation.remedy),
        ]
    }
}
