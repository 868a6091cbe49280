import ArgumentParser
import Foundation
import PushBridgeCore

/// Compares a real push service with what is known of PingAM's versions.
struct Conform: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Try what a push service answers, and say which version of PingAM it resembles.",
        discussion: """
            Sends what a device may send: wrong messages, an unknown action, a token update without a user. With a \
            registration code, that of a test user, it enrols a device as well, which stays in the user's profile \
            until it is deleted there.
            """
    )

    @Option(help: ArgumentHelp("The deployment, such as https://am.example.com/am.", valueName: "URL"))
    var server: String

    @Option(help: "The realm, such as /alpha.")
    var realm = "/"

    @Option(help: ArgumentHelp("The registration code of a test user.", valueName: "URI"))
    var code: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw ValidationError("--server is no address of a server.")
        }
    }

    func run() async throws {
        try await perform(storeRole: .input) {
            let path = realm.split(separator: "/").map { "/\($0)" }.joined()
            let base = server.hasSuffix("/") ? String(server.dropLast()) : server
            var conformance = Conformance(address: "\(base)/json\(path)/push/sns/message", code: code)
            let report: ConformanceReport
            do {
                report = try await conformance.run()
            } catch let error as URLError {
                let reason = error.localizedDescription
                throw CommandFailure(
                    status: .tryAgain,
                    sentence: "\(server) cannot be asked: \(reason)"
                )
            }
            try Terminal.write(output.json ? "\(report.json.text)\n" : report.text)
            if !report.isConforming { try ExitStatus.needsAttention.exit() }
        }
    }
}
