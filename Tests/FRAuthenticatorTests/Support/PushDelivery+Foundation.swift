import PingAMSimulator
import PushBridgeCore

extension PushDelivery {
    /// The payload as a dictionary of Foundation's types.
    var foundationPayload: [AnyHashable: Any] { payload.foundationValue as? [AnyHashable: Any] ?? [:] }
}
