import ArgumentParser
import CredentialMigration
import Foundation
import LegacyStore
import PingAMSimulator
import PushBridgeAPNs
import PushBridgeCore
import PushParity

/// Why a command ends early: one sentence for stderr and a status.
struct CommandFailure: Error {
    let status: ExitStatus
    let sentence: String
}

extension CommandFailure {
    /// What a command does with the credential store that fails.
    enum StoreRole {
        /// Reads it.
        case input
        /// Writes it.
        case output
    }

    /// Translates any error once, at the edge.
    init(_ error: any Error, storeRole: StoreRole) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as LegacyStoreError: self.init(status: ExitStatus(error), sentence: error.reason)
        case let error as StoreError:
            self.init(status: ExitStatus(error, role: storeRole), sentence: error.reason)
        case let error as MigrationError: self.init(status: .tryAgain, sentence: error.reason)
        case let error as SimulatorError: self.init(status: ExitStatus(error), sentence: error.reason)
        case let error as APNsError: self.init(status: ExitStatus(error), sentence: error.reason)
        case let error as ParityError: self.init(status: ExitStatus(error), sentence: error.reason)
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

    fileprivate init(_ error: SimulatorError) {
        switch error.code {
        case .portUnavailable: self = .tryAgain
        case .noPushService, .unknownMechanism, .alreadyRegistered, .unreachable, .payloadTooLarge,
            .invalidOrder:
            self = .usage
        }
    }

    fileprivate init(_ error: APNsError) {
        switch error.code {
        case .unreadableKey, .untrusted: self = .unreadableInput
        case .portUnavailable, .unreachable, .noAnswer: self = .tryAgain
        case .invalidRequest, .noDevices: self = .usage
        }
    }

    fileprivate init(_ error: ParityError) {
        switch error.code {
        case .unreadable, .invalidStep: self = .unreadableInput
        case .notPlayable: self = .fault
        }
    }

    fileprivate init(_ error: StoreError, role: CommandFailure.StoreRole) {
        switch error.code {
        case .locked: self = .tryAgain
        case .wrongKey: self = .wrongKey
        case .full: self = .unwritableOutput
        case .notWritable, .damaged, .newerVersion, .notAStore, .missing:
            self = role == .input ? .unreadableInput : .unwritableOutput
        default: self = .fault
        }
    }
}

/// How a run ended, in the numbers of `sysexits.h` where they exist.
enum ExitStatus: Int32 {
    /// Everything is retirable or kept.
    case success = 0
    /// Finished; some records need attention.
    case needsAttention = 1
    /// The command was not understood.
    case usage = 64
    /// The input cannot be opened or is not a store.
    case unreadableInput = 66
    /// A fault of ours.
    case fault = 70
    /// The output cannot be written.
    case unwritableOutput = 73
    /// Locked, or changed meanwhile: try again later.
    case tryAgain = 75
    /// The key does not fit.
    case wrongKey = 77

    /// Ends the command with this status, unless it is success.
    func exit() throws {
        guard self != .success else { return }
        throw ExitCode(rawValue)
    }
}

extension ParsableCommand {
    /// Runs a command's body; a failure becomes one sentence on stderr and the documented status.
    func perform(storeRole: CommandFailure.StoreRole, _ body: () throws -> Void) throws {
        let interruptions = Interruption.removesUnfinishedFiles()
        defer { for interruption in interruptions { interruption.cancel() } }
        do {
            try body()
        } catch {
            try end(error, storeRole: storeRole)
        }
    }

    /// Runs the body of a command that waits.
    func perform(storeRole: CommandFailure.StoreRole, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            try end(error, storeRole: storeRole)
        }
    }

    private func end(_ error: any Error, storeRole: CommandFailure.StoreRole) throws {
        if let exit = error as? ExitCode { throw exit }
        let failure = CommandFailure(error, storeRole: storeRole)
        Terminal.diagnose("pushbridge: \(failure.sentence.visible)\n")
        try failure.status.exit()
    }
}
