public import ArgumentParser
import PushBridgeCore

/// The reason why a command ends early: a sentence for stderr, and an exit status.
public struct CommandFailure: Error, Equatable {
    /// The exit status.
    public let status: ExitStatus
    /// The message for the user, without secrets.
    public let sentence: String

    /// Creates a failure.
    public init(status: ExitStatus, sentence: String) {
        self.status = status
        self.sentence = sentence
    }
}

/// The exit status of a command; `sysexits.h` defines the numbers from 64.
public enum ExitStatus: Int32, CaseIterable, Sendable {
    /// The command succeeded, and no record needs attention.
    case success = 0
    /// The command finished, but some records or findings need attention.
    case needsAttention = 1
    /// `fleet`: pause the roll-out until the cause is examined or more data is available.
    case hold = 2
    /// `fleet`: stop the roll-out.
    case stop = 3
    /// Invalid arguments.
    case usage = 64
    /// The input cannot be opened, or is of the wrong kind.
    case unreadableInput = 66
    /// A required program or library is not installed, or was not built.
    case unavailable = 69
    /// An internal error of this program.
    case fault = 70
    /// The output cannot be written.
    case unwritableOutput = 73
    /// The store is locked or was changed during the work, or a port or server is unavailable; try again later.
    case tryAgain = 75
    /// A key is missing, invalid, wrong, or readable by other users.
    case wrongKey = 77

    /// The meaning of the status, for help and documents.
    public var meaning: String {
        switch self {
        case .success: "success; no record needs attention"
        case .needsAttention: "finished, but some records or findings need attention"
        case .hold: "the verdict of fleet is hold: pause the roll-out"
        case .stop: "the verdict of fleet is stop: stop the roll-out"
        case .usage: "the command was not understood"
        case .unreadableInput: "the input cannot be opened, or is of the wrong kind"
        case .unavailable: "a required program or library is not installed, or was not built"
        case .fault: "an internal error"
        case .unwritableOutput: "the output cannot be written"
        case .tryAgain:
            "try again later: the store is locked, the store changed during the run, a server does not respond, or the port is in use"
        case .wrongKey: "a key is missing, invalid, wrong, or readable by other users"
        }
    }

    /// Ends the command with this status; returns if the status is `success`.
    /// - Throws: An error of ArgumentParser that sets the status.
    public func exit() throws {
        guard self != .success else { return }
        throw ExitCode(rawValue)
    }
}

extension ParsableCommand {
    /// Runs the body of a command.
    ///
    /// If the body fails, prints one sentence on stderr and ends with the exit status of the failure.
    /// - Parameters:
    ///   - translate: Converts an error of the body to a failure.
    ///   - body: The work of the command.
    /// - Throws: An error of ArgumentParser that sets the exit status.
    public func perform(
        translating translate: (any Error) -> CommandFailure,
        _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch {
            try end(error, translate)
        }
    }

    /// Runs the body of an asynchronous command.
    ///
    /// If the body fails, prints one sentence on stderr and ends with the exit status of the failure.
    /// - Parameters:
    ///   - translate: Converts an error of the body to a failure.
    ///   - body: The work of the command.
    /// - Throws: An error of ArgumentParser that sets the exit status.
    public func perform(
        translating translate: (any Error) -> CommandFailure,
        _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch {
            try end(error, translate)
        }
    }

    private func end(_ error: any Error, _ translate: (any Error) -> CommandFailure) throws {
        if let exit = error as? ExitCode { throw exit }
        let failure = translate(error)
        Terminal.diagnose("pushbridge: \(failure.sentence.visible)\n")
        try failure.status.exit()
    }
}
