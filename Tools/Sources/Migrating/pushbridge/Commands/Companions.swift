import ArgumentParser
import Foundation
import PushBridgeCommandLine
import PushBridgeMigrating

/// A command that is run by a companion, which is a separate executable.
protocol CompanionCommand: ParsableCommand {
    /// The command that the companion runs.
    static var moved: MovedCommand { get }
    var passed: PassedArguments { get }
}

/// The unparsed arguments of a companion's command, which only the companion can parse.
struct PassedArguments: ParsableArguments {
    @Argument(
        parsing: .captureForPassthrough,
        help: "The arguments of the command; --help lists them.",
        completion: .custom { words, index, _ in CompanionOptions.completions(of: words, at: index) }
    )
    var arguments: [String] = []
}

extension CompanionCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: moved.rawValue,
            abstract: moved.abstract,
            discussion:
                "Runs \(moved.companion.name), a separate executable next to pushbridge or on the PATH."
        )
    }

    func run() throws {
        // The handling of signals is not changed here. If this process ignored a signal, the companion would
        // ignore it too.
        try perform(translating: { CommandFailure($0, storeRole: .input) }) {
            try Self.moved.companion.takeOver(Self.moved.first + passed.arguments)
        }
    }
}

struct Simulate: CompanionCommand {
    static let moved = MovedCommand.simulate
    @OptionGroup var passed: PassedArguments
}

struct Phone: CompanionCommand {
    static let moved = MovedCommand.phone
    @OptionGroup var passed: PassedArguments
}

struct Parity: CompanionCommand {
    static let moved = MovedCommand.parity
    @OptionGroup var passed: PassedArguments
}

struct Lab: CompanionCommand {
    static let moved = MovedCommand.lab
    @OptionGroup var passed: PassedArguments
}

struct Rehearse: CompanionCommand {
    static let moved = MovedCommand.rehearse
    @OptionGroup var passed: PassedArguments
}

struct Conform: CompanionCommand {
    static let moved = MovedCommand.conform
    @OptionGroup var passed: PassedArguments
}

struct Fleet: CompanionCommand {
    static let moved = MovedCommand.fleet
    @OptionGroup var passed: PassedArguments
}

struct APNs: CompanionCommand {
    static let moved = MovedCommand.apns
    @OptionGroup var passed: PassedArguments
}

struct Audit: CompanionCommand {
    static let moved = MovedCommand.audit
    @OptionGroup var passed: PassedArguments
}
