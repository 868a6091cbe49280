import ArgumentParser
import Foundation
import PushBridgeCommandLine
import PushBridgeCore

/// Compares a real push service with what is known of PingAM's versions.
struct Conform: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Try what a push service answers, and say which version of PingAM it resembles.",
        discussion: """
            Sends what a device may send: wrong messages, an unknown action, a token update without a user. With a \
            registration code, that of a test user, it enrols a device as well, which stays in the user's profile \
            until it is deleted there; leave the page that shows the code open, which stores the device. With @file for a code or a session it is read from that file: other users see the \
            arguments of a command. The more it may look at, the closer it comes: a push, as an app was handed it, \
            and the session of a user who approved a login. Where more than one version is left, it says \
            which check would decide.
            """
    )

    @Option(help: ArgumentHelp("The deployment, such as https://am.example.com/am.", valueName: "URL"))
    var server: String

    @Option(help: "The realm, such as /alpha.")
    var realm = "/"

    @Option(help: ArgumentHelp("The registration code of a test user, or @file.", valueName: "URI"))
    var code: String?

    @Option(
        help: ArgumentHelp("A push of the server: its payload as JSON, or an .apns file.", valueName: "file")
    )
    var push: String?

    @Option(help: ArgumentHelp("A user who approved a login, for --session.", valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp(
            "The user's session, the value of iPlanetDirectoryPro, or @file.",
            valueName: "session"
        )
    )
    var session: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (user == nil) == (session == nil) else {
            throw ValidationError("--user and --session go together.")
        }
        guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw ValidationError("--server is no address of a server.")
        }
        guard url.query == nil, url.fragment == nil else {
            throw ValidationError("--server is the address of a deployment, without a query.")
        }
    }

    func run() async throws {
        try await perform(storeRole: .input) {
            let path = realm.split(separator: "/").map { "/\($0)" }.joined()
            let base = server.hasSuffix("/") ? String(server.dropLast()) : server
            var conformance = Conformance(base: "\(base)/json\(path)")
            conformance.code = try code.map(secretArgument)
            conformance.push = try push.map { try Data(named: $0) }
            if let user, let session { conformance.owner = (user, try secretArgument(session)) }
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
            try report.deliver(asJSON: output.json)
        }
    }
}
