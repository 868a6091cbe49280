package import PingAMSimulator
package import PushBridgeCommandLine
import PushBridgeMigrating
package import PushParity

extension SimulatorError: StatedFailure {
    package var failure: CommandFailure {
        let status: ExitStatus =
            switch code {
            case .portUnavailable: .tryAgain
            case .noPushService, .unknownMechanism, .alreadyRegistered, .unreachable, .payloadTooLarge,
                .invalidOrder:
                .usage
            }
        return CommandFailure(status: status, sentence: reason)
    }
}

extension ParityError: StatedFailure {
    package var failure: CommandFailure {
        let status: ExitStatus =
            switch code {
            case .unreadable, .invalidStep: .unreadableInput
            case .notPlayable: .fault
            }
        return CommandFailure(status: status, sentence: reason)
    }
}
