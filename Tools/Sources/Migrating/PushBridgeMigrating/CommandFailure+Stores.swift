package import ArgumentParser
import CredentialMigration
package import Dispatch
import Foundation
import LegacyStore
package import PushBridgeCommandLine
import PushBridgeCore
@_spi(PushBridgeTools) import PushBridgeFiles
import PushBridgeStore

/// An error of another part of the tools that states its exit status.
package protocol StatedFailure: Error {
    /// The failure as a command reports it.
    var failure: CommandFailure { get }
}

extension CommandFailure {
    /// The failing operation on the credential store.
    package enum StoreRole {
        /// Reading the store.
        case input
        /// Writing the store.
        case output
    }

    /// Converts any error to a failure; used once, where a command ends.
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
    /// Runs a command's body, and removes unfinished files if it is interrupted.
    /// - Parameters:
    ///   - storeRole: Whether a store that fails is input or output.
    ///   - resumes: Whether the same command continues the work of an interrupted one.
    ///   - body: The work of the command.
    /// - Throws: The status, in ArgumentParser's form.
    package func perform(
        storeRole: CommandFailure.StoreRole,
        resumes: Bool = false,
        _ body: () throws -> Void
    ) throws {
        let interruptions = Interruption.removesUnfinishedFiles(
            saying: resumes
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
    /// The sentence about a command that keeps nothing of an interrupted run.
    package static let startsOver = "interrupted; run the same command again to start over."

    /// Makes the three signals remove unfinished files, and then end the process as usual.
    package static func removesUnfinishedFiles(saying sentence: String) -> [any DispatchSourceSignal] {
        calls { number in
            UnfinishedFiles.remove()
            // Ends the line of a progress bar.
            if number == SIGINT {
                Terminal.diagnose("\(Terminal.isErrorInteractive ? "\n" : "")pushbridge: \(sentence)\n")
            }
            signal(number, SIG_DFL)
            // The threads of the queue block signals, and so do all others if the process that started this one did.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, number)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            kill(getpid(), number)
        }
    }
}
