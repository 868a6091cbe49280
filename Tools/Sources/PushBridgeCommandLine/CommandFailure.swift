public import ArgumentParser
import PushBridgeCore

/// Why a command ends early: one sentence for stderr and a status.
public struct CommandFailure: Error, Equatable {
    /// The status to end with.
    public let status: ExitStatus
    /// The sentence for a person, without secrets.
    public let sentence: String

    /// Creates a failure.
    public init(status: ExitStatus, sentence: String) {
        self.status = status
        self.sentence = sentence
    }
}

/// How a run ended, in the numbers of `sysexits.h` where they exist.
public enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Everything is retirable or kept.
    case success = 0
    /// Finished; some records need attention.
    case needsAttention = 1
    /// Of `fleet`: the roll-out should not go on before something is looked at, or more is known.
    case hold = 2
    /// Of `fleet`: the roll-out should be stopped.
    case stop = 3
    /// The command was not understood.
    case usage = 64
    /// The input cannot be opened or is not a store.
    case unreadableInput = 66
    /// A part of the command line is needed that was not built.
    case unavailable = 69
    /// A fault of this program.
    case fault = 70
    /// The output cannot be written.
    case unwritableOutput = 73
    /// Locked, or changed during the work: try again later.
    case tryAgain = 75
    /// The key does not fit.
    case wrongKey = 77

    /// Its meaning, in the words of help and documents.
    public var meaning: String {
        switch self {
        case .success: "everything arrived or is kept"
        case .needsAttention: "finished, some records need attention"
        case .hold: "the verdict hold of fleet"
        case .stop: "the verdict stop of fleet"
        case .usage: "the command was not understood"
        case .unreadableInput: "the input cannot be opened or is not a store"
        case .unavailable: "pushbridge-apns or pushbridge-audit is needed and was not built"
        case .fault: "a fault of ours"
        case .unwritableOutput: "the output cannot be written"
        case .tryAgain: "locked, changed meanwhile or port taken, try again later"
        case .wrongKey: "the key is missing, is another one, or is open to others"
        }
    }

    /// Ends the command with this status, unless it is success.
    /// - Throws: The status, in ArgumentParser's form.
    public func exit() throws {
        guard self != .success else { return }
        throw ExitCode(rawValue)
    }
}

extension ParsableCommand {
    /// Runs a command's body; a failure becomes one sentence on stderr and the documented status.
    /// - Parameters:
    ///   - translate: Makes a failure of an error of the body.
    ///   - body: The work of the command.
    /// - Throws: The status, in ArgumentParser's form.
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

    /// Runs the body of a command that waits; see the spelling for one that does not.
    /// - Parameters:
    ///   - translate: Makes a failure of an error of the body.
    ///   - body: The work of the command.
    /// - Throws: The status, in ArgumentParser's form.
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
