import ArgumentParser
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating

/// The command `conform`, which compares a real push service with the known versions of PingAM.
struct Conform: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: MovedCommand.conform.abstract,
        discussion: """
            Sends requests that any device can send: wrong messages, an unknown action, a token update without a user. \
            With the registration URI of a test user, the command also enrols a device. The device stays in the user's \
            profile until it is deleted there. Leave the page that shows the code open, because this page stores the \
            device. With @file, a code or a session is read from that file, because other users can see the arguments \
            of a command.

            With --answer, which states the consent of the test user, the command asks for pushes to the device and \
            answers them: it approves, denies, and sends every kind of wrong answer. Supply each push as an app received it, \
            and leave the push's login page open. With --session, the command deletes the profile of the device at the end. \
            If the server is pushbridge simulate, --control does all of this with a new user.

            The result is more exact if the command can also examine a push, and the profiles of a user who approved a \
            login; for the profiles, it needs a session of this user. If more than one version remains, the command names \
            the check that would decide.
            """
    )

    @Option(help: ArgumentHelp("The deployment, such as https://am.example.com/am.", valueName: "URL"))
    var server: String

    @Option(help: "The realm, such as /alpha.")
    var realm = "/"

    @Option(
        help: ArgumentHelp(
            "A realm without a push service: the command tests how the server responds to a request in this realm.",
            valueName: "realm"
        )
    )
    var otherRealm: String?

    @Option(help: ArgumentHelp("The registration URI of a test user, or @file.", valueName: "URI"))
    var code: String?

    @Option(
        help: ArgumentHelp(
            """
            A push from the server: its payload as JSON, an .apns file, or the response of pushbridge simulate. Also a \
            folder of such files, or - for standard input. May be repeated.
            """,
            valueName: "path"
        )
    )
    var push: [String] = []

    @Flag(
        help:
            "Answer pushes to the new device: the test user consents. Needs --code and --push, or --control."
    )
    var answer = false

    @Option(help: ArgumentHelp("How many seconds to wait for each push.", valueName: "seconds"))
    var wait: UInt16 = 120

    @Option(
        help: ArgumentHelp(
            """
            Test an answer to an expired push: answer one push this many seconds after it arrived. By default, a push \
            expires after 120 seconds.
            """,
            valueName: "seconds"
        )
    )
    var late: UInt16?

    @Option(
        help: ArgumentHelp("The device token of a real phone, which then shows the pushes.", valueName: "hex")
    )
    var deviceToken: String?

    @Option(
        help: ArgumentHelp(
            "The control address of pushbridge simulate, or @file. The command creates the user and the pushes there.",
            valueName: "URL"
        )
    )
    var control: String?

    @Option(
        help: ArgumentHelp("The name of a user who approved a login; needs --session.", valueName: "name")
    )
    var user: String?

    @Option(
        help: ArgumentHelp(
            "The user's session: the value of the cookie iPlanetDirectoryPro, or @file.",
            valueName: "session"
        )
    )
    var session: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (user == nil) == (session == nil) else {
            throw ValidationError("Use --user and --session together.")
        }
        guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw ValidationError(
                "\(server) is not the address of a server, such as https://am.example.com/am."
            )
        }
        guard url.query == nil, url.fragment == nil else {
            throw ValidationError("--server takes a deployment's address, without a query or a fragment.")
        }
        guard !answer || code != nil && !push.isEmpty || control != nil else {
            throw ValidationError(
                "--answer needs --code and --push, or --control, because it answers pushes to the device that it enrols."
            )
        }
        guard control == nil || code == nil && user == nil && push.isEmpty else {
            throw ValidationError(
                "--control creates the code, the pushes and the session itself: omit --code, --push and --user."
            )
        }
        guard late == nil || answer || control != nil else {
            throw ValidationError("--late needs --answer or --control.")
        }
        guard push.count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("Standard input can be read only once: use --push - only once.")
        }
        guard deviceToken?.allSatisfy(\.isHexDigit) ?? true, deviceToken?.isEmpty != true else {
            throw ValidationError("--device-token takes hexadecimal digits.")
        }
    }

    func run() async throws {
        try await perform(storeRole: .input) {
            // A server has no digest, and the options contain its address; so the inputs are only the files.
            let evidence = Evidence(of: push.filter { $0 != "-" }.map { .init(at: $0) })
            let activity = Activity()
            let report: ConformanceReport
            do {
                report = try await activity.during {
                    let conformance = try await conformance(reportingTo: activity)
                    return try await Self.run(conformance)
                }
            } catch let error as URLError {
                let reason = error.localizedDescription.trimmingCharacters(in: ["."])
                throw CommandFailure(
                    status: .tryAgain,
                    sentence:
                        "\(server) cannot be reached: \(reason). Is the address right, and is the server running?"
                )
            }
            try report.deliver(asJSON: output.json, made: evidence)
        }
    }

    /// Runs until all tests are finished or the user interrupts.
    ///
    /// After an interruption, a report of the findings is still written, if there are any. A second signal ends the
    /// process.
    private static func run(_ conformance: Conformance) async throws -> ConformanceReport {
        let running = Task {
            var conformance = conformance
            return try await conformance.run()
        }
        let signals = Interruption.calls { number in
            if running.isCancelled { Foundation.exit(128 + number) }
            running.cancel()
        }
        defer { for signal in signals { signal.cancel() } }
        do {
            return try await running.value
        } catch {
            // If an interruption arrives before any finding, there is nothing to report.
            guard running.isCancelled else { throw error }
            throw ExitCode(128 + SIGINT)
        }
    }

    private func conformance(reportingTo activity: Activity) async throws -> Conformance {
        let environment = ConformanceEnvironment { await activity.show($0) }
        var conformance = Conformance(base: base(of: realm), environment)
        conformance.otherBase = otherRealm.map(base)
        conformance.lateness = late.map(Int.init)
        if let deviceToken { conformance.deviceToken = deviceToken }
        if let control {
            let address = try secretArgument(control)
            let place = ControlAddress(
                address: address.hasSuffix("/") ? String(address.dropLast()) : address,
                realm: realm,
                environment: environment
            )
            let made = try await place.createUser()
            conformance.code = made.code
            conformance.owner = (made.user, made.session)
            conformance.supply = place
            return conformance
        }
        conformance.code = try code.map(secretArgument)
        if let user, let session { conformance.owner = (user, try secretArgument(session)) }
        let places = try push.map { try PushPlace($0, mayBeMissing: answer) }
        if answer {
            conformance.supply = HandedPushes(places, patience: Int(wait)) { await activity.notify($0) }
            for place in places where !place.isInput {
                conformance.pushes += try await place.documents().compactMap(ObservedPush.init)
            }
        } else {
            for place in places { conformance.pushes += try await place.pushes() }
        }
        return conformance
    }

    /// Returns the server's URL, followed by `/json` and the path of the realm.
    private func base(of realm: String) -> String {
        let path = realm.split(separator: "/").map { "/\($0)" }.joined()
        return "\(server.hasSuffix("/") ? String(server.dropLast()) : server)/json\(path)"
    }
}
