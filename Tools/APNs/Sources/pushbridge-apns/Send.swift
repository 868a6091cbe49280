import ArgumentParser
import Foundation
import PushBridgeAPNs
import PushBridgeCommandLine
import PushBridgeCore

/// Sends one push.
struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send one push by way of APNs or its stand-in, and say what came back.",
        discussion: """
            Waits and tries again after 429, 500 and 503, and says what else to do. Its provider token is used by \
            later runs as well, for 55 minutes, from a file in the user's cache folder that only the user may read. For \
            Apple's own hosts the file names "host" (api.push.apple.com or api.sandbox.push.apple.com) beside keyFile, \
            keyId, teamId and topic, and no certificate. This was tried with the stand-in only: Apple's hosts need a \
            key of a team. Exit status: 0 delivered; 1 refused; 66 not trusted; 75 not reached.
            """
    )

    @OptionGroup var apns: APNsOptions

    @Argument(help: "The device token.")
    var token: String

    @Option(help: ArgumentHelp("The file with the payload, JSON (default: an alert).", valueName: "file"))
    var payload: String?

    @OptionGroup var provider: ProviderOptions

    @Option(help: "The push type.")
    var type = "alert"

    @Option(help: "The priority: 10, 5 or 1.")
    var priority: String?

    @Option(help: "When APNs gives up, in seconds since 1970; 0 tries once.")
    var expiration: String?

    @Option(help: "The id of pushes that replace each other.")
    var collapseId: String?

    @Option(help: "The id of this push, a UUID.")
    var id: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await perform {
            let chosen = try provider.access(in: apns.apns).provider()
            let standard = APNsService.topic(ofType: type, bundle: chosen.topic)
            var push = APNsPush(to: token, topic: provider.topic ?? standard, payload: try body())
            push.type = type
            push.priority = priority
            push.expiration = expiration
            push.collapseId = collapseId
            push.id = id
            let outcome = try await chosen.send(push)
            try Terminal.write(output.json ? outcome.json.line : "\(outcome.words.visible)\n")
            if !chosen.keepsToken {
                let words = "The provider token is not kept; the next run signs another, too soon for APNs."
                Terminal.diagnose("\(words)\n")
            }
            if outcome.answer.status != 200 { try ExitStatus.needsAttention.exit() }
        }
    }

    private func body() throws -> Data {
        guard let payload else { return Data(#"{"aps":{"alert":"PushBridge"}}"#.utf8) }
        return try Data(named: payload)
    }
}
