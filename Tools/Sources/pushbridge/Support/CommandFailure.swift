import ArgumentParser
import CredentialMigration
import Foundation
import LegacyStore
import PingAMSimulator
import PingPush
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
        case let error as PushError: self.init(status: .fault, sentence: error.localizedDescription)
        case let error as ParityError: self.init(status: ExitStatus(error), sentence: error.reason)
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
        case .noPushService, .unknownMechanism, .payloadTooLarge, .invalidOrder: self = .usage
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
        case .full, .notWritable: self = .unwritableOutput
        case .damaged, .newerVersion, .notAStore, .missing:
            self = role == .input ? .unreadableInput : .unwritableOutput
        case .failed: self = .fault
        }
    }
}
