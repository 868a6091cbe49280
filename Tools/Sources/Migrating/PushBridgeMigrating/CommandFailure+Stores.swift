package import ArgumentParser
import CredentialMigration
package import Dispatch
import Foundation
import LegacyStore
package import PushBridgeCommandLine
import PushBridgeCore
@_spi(PushBridgeTools) import PushBridgeFiles
import PushBridgeStore

/// An error of the tools that states the exit status with which the command ends.
package protocol StatedFailure: Error {
    /// The failure that the command reports for this error.
    var failure: CommandFailure { get }
}

extension CommandFailure {
    /// Whether a command reads or writes the store whose error it reports.
    package enum StoreRole {
        /// The command reads the store.
        case input
        /// The command writes the store.
        case output
    }

    /// Converts an error that ends a command into a failure.
    package init(_ error: any Error, storeRole: StoreRole) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as LegacyStoreError: self.init(status: ExitStatus(error), sentence: error.reason)
        case let error as StoreError:
            self.init(status: ExitStatus(error, role: storeRole), sentence: error.reason)
        case let error as MigrationError: self.init(status: .tryAgain, sentence: error.reason)
        case let error as any StatedFailure: self = error.failure
        case is any LocalizedError, is any CustomNSError:
            self.init(status: .fault, sentence: error.localizedDescription)
        default: self.init(status: .fault, sentence: "An unexpected fault: \(error)")
        }
    }
}

extension ExitStatus {
    fileprivate init(_ error: LegacyStoreError) {
        switch error.code {
        case .unreadable, .notALegacyStore: self = .unreadableInput
        case .locked, .changed: self = .tryAgain
        case .notWritable: self = .unwritableOutput
        }
    }

    fileprivate init(_ error: StoreError, role: CommandFailure.StoreRole) {
        switch error.code {
        case .locked, .replaced: self = .tryAgain
        case .wrongKey, .keyMissing: self = .wrongKey
        case .full: self = .unwritableOutput
        case .notWritable, .damaged, .newerVersion, .notAStore, .missing:
            self = role == .input ? .unreadableInput : .unwritableOutput
        default: self = .fault
        }
    }
}

extension ParsableCommand {
    /// Runs the body of a command.
    ///
    /// If the command is interrupted, unfinished files are removed.
    /// - Parameters:
    ///   - storeRole: Whether the command reads or writes the credential store; the exit status for some errors of the
    ///     store depends on this.
    ///   - resumes: Whether the command resumes its work when it is run again after an interruption.
    ///   - body: The work of the command.
    /// - Throws: An error of ArgumentParser that sets the exit status.
    package func perform(
        storeRole: CommandFailure.StoreRole,
        resumes: Bool = false,
        _ body: () throws -> Void
    ) throws {
        let interruptions = Interruption.removesUnfinishedFiles(
            message: resumes
                ? "interrupted; run the same command again to continue."
                : Interruption.startsOver
        )
        defer { for interruption in interruptions { interruption.cancel() } }
        try perform(translating: { CommandFailure($0, storeRole: storeRole) }, body)
    }

    /// Runs the body of an asynchronous command.
    package func perform(storeRole: CommandFailure.StoreRole, _ body: () async throws -> Void) async throws {
        try await perform(translating: { CommandFailure($0, storeRole: storeRole) }, body)
    }
}

extension Interruption {
    /// The message of an interrupted command that saved none of its work.
    package static let startsOver = "interrupted; run the same command again to start over."

    /// Makes each of the three signals of ``Interruption`` remove unfinished files and then end the process as usual.
    package static func removesUnfinishedFiles(message: String) -> [any DispatchSourceSignal] {
        calls { number in
            UnfinishedFiles.remove()
            // Only Ctrl-C is reported. On a terminal, the newline ends the line of the progress bar.
            if number == SIGINT {
                Terminal.diagnose("\(Terminal.isErrorInteractive ? "\n" : "")pushbridge: \(message)\n")
            }
            signal(number, SIG_DFL)
            // The signal must be unblocked in this thread before it can end the process. Threads of the queue block
            // signals, and all other threads block the signals that the parent process blocked.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, number)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            kill(getpid(), number)
        }
    }
}
