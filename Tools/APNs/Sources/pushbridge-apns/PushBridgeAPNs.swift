import ArgumentParser
import Foundation
import PushBridgeAPNs
import PushBridgeCommandLine

/// The commands of `pushbridge apns`, and three commands that other commands of `pushbridge` run.
@main
struct APNs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushbridge apns",
        abstract:
            "Run a stand-in for Apple's push service, send a push to it or to Apple, or explain a refusal.",
        subcommands: [Serve.self, Send.self, Explain.self, Relay.self, Receive.self, Front.self]
    )

    /// Runs the command that the arguments name.
    static func main() async {
        endIfMisspelt(Array(CommandLine.arguments.dropFirst()))
        await main(nil)
    }
}

extension ProviderOptions {
    /// Returns the entry in an access file for the provider or topic that the options name.
    func access(in file: String) throws -> APNsAccess {
        guard let access = try APNsAccess.read(file).access(named: provider, topic: topic) else {
            let wanted = provider.map { "named \($0)" } ?? "for the topic \(topic ?? "")"
            throw CommandFailure(status: .usage, sentence: "\(file) has no provider \(wanted).")
        }
        return access
    }
}

extension ParsableCommand {
    /// Runs the body of a command.
    ///
    /// If the body fails, prints one sentence on stderr and sets the documented exit status.
    func perform(_ body: () async throws -> Void) async throws {
        try await perform(translating: CommandFailure.init(anyError:), body)
    }
}

extension CommandFailure {
    fileprivate init(anyError error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as APNsError: self.init(status: ExitStatus(error), sentence: error.reason)
        case is any LocalizedError, is any CustomNSError:
            self.init(status: .fault, sentence: error.localizedDescription)
        default: self.init(status: .fault, sentence: "An unexpected fault: \(error)")
        }
    }
}

extension ExitStatus {
    fileprivate init(_ error: APNsError) {
        switch error.code {
        case .unreadableKey, .untrusted: self = .unreadableInput
        case .portUnavailable, .unreachable, .standInEnded, .noAnswer: self = .tryAgain
        case .invalidRequest, .noDevices: self = .usage
        }
    }
}
