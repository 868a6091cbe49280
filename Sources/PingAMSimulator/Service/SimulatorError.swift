import Foundation

/// Why the simulator does not do what its owner asked; requests of devices are refused over HTTP instead.
public struct SimulatorError: Error, Equatable, Sendable {
    /// The kind of failure.
    public enum Code: Sendable {
        /// The realm has no push service.
        case noPushService
        /// No device registered under this id.
        case unknownMechanism
        /// The push is larger than APNs delivers.
        case payloadTooLarge
        /// The order makes no sense.
        case invalidOrder
        /// The port is taken or not ours to open.
        case portUnavailable
    }

    /// The kind of failure.
    public let code: Code
    /// One sentence for a person.
    public let reason: String

    static func checkSize(_ payload: Data) throws(SimulatorError) {
        guard payload.count > PushDelivery.largestPayload else { return }
        throw SimulatorError(
            code: .payloadTooLarge,
            reason:
                "The payload has \(payload.count) bytes; APNs delivers \(PushDelivery.largestPayload) at most."
        )
    }
}
