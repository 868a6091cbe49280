import ArgumentParser
import Foundation
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeMigrating
import PushBridgeStore

/// The command `phone`, which simulates a device in the terminal.
///
/// The device enrols, receives pushes, shows banners and answers pushes.
struct Phone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: MovedCommand.phone.abstract,
        discussion: """
            Prints its device token, waits for pushes and reads keys from standard input, one in each line: a approves, \
            d denies, one of a challenge's three numbers answers the challenge, o opens the push in the app, x \
            dismisses it, r restarts the app, t gives the phone another device token, q ends the phone. A key applies to \
            the newest push. After this push has been answered or dismissed, keys apply to the push before it. If an \
            answer fails, its push stays. At its start, the app lists the pending pushes of its store; the same keys \
            answer them. Two phones with the same --store are one device that has \
            both APIs. Exit status: 0; 1 if pushes of --pushes were not answered, or the server has not stored the \
            phone; 64 for a registration URI that \
            cannot be used; 75 for a server that cannot be reached, or if the stand-in has ended.
            """
    )

    enum API: String, CaseIterable, ExpressibleByArgument {
        case legacy
        case async
    }

    @Option(help: "The API that the phone's app uses: legacy or async.")
    var api: API

    @OptionGroup var apns: APNsOptions

    @OptionGroup var provider: ProviderOptions

    @Option(
        help:
            "The APNs environment of the phone's device token: sandbox or production (default: that of the stand-in)."
    )
    var environment: String?

    @Option(
        help: ArgumentHelp(
            "Enrol with this registration URI, or with the URI in @file. Other users of the machine can see a URI in the arguments.",
            valueName: "URI"
        )
    )
    var enrol: String?

    @Option(
        help: ArgumentHelp(
            "The control address of pushbridge simulate, to report if the server did not store the enrolled phone.",
            valueName: "URL"
        )
    )
    var control: String?

    @Option(help: ArgumentHelp("The credential database (default: in memory).", valueName: "file"))
    var store: String?

    @OptionGroup var key: KeyOptions

    @Option(
        help: ArgumentHelp(
            """
            A key to press at the next banner; repeat the option for further banners. After the last push of --pushes, \
            the remaining keys are pressed for the unanswered pushes.
            """,
            valueName: "key"
        )
    )
    var press: [String] = []

    @Option(
        help: ArgumentHelp("End after this many pushes have arrived and been answered.", valueName: "number")
    )
    var pushes: UInt?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let environment, APNsEnvironment(rawValue: environment) == nil {
            throw ValidationError("--environment takes sandbox or production.")
        }
    }

    func run() async throws {
        try await perform(storeRole: .output) {
            let uri = try enrol.map(secretArgument)
            let memory = MemoryCredentialStore()
            var access = provider.arguments(reaching: apns.apns)
            if let environment { access.append("--environment=\(environment)") }
            let phoneOutput = PhoneOutput(json: output.json)
            var phone = DemoPhone(reaching: access, phoneOutput) {
                try store.map { try Destination(path: $0, keyFile: key.keyFile).create() } ?? memory
            } app: { store in
                switch api {
                case .legacy: LegacyPhoneApp(store)
                case .async: try await AsyncPhoneApp(store)
                }
            }
            try await phone.start(enrolling: uri)
            if let uri, let control { try await RegistrationPage(control).report(of: uri, to: phoneOutput) }
            try await phone.run(pressing: press, pushes: pushes.map(Int.init(clamping:)))
        }
    }
}
