public import Foundation
import PushBridgeCore
import PushBridgePlatform

/// Demands that the device was not tampered with; the policy `deviceTampering`, with the threshold `score`.
///
/// An evaluator leaves it out where nothing looks for signs of it.
public final class DeviceTamperingPolicy: NSObject, FRAPolicy {
    /// `deviceTampering`.
    public let name = "deviceTampering"
    /// A dictionary with the threshold under `score`; 1 where there is none.
    public var data: Any?

    /// Asks the platform.
    override public init() {
        super.init()
    }

    /// Whether the device's score lies below the threshold; an unknown one, below 0, does.
    public func evaluate() -> Bool {
        PushBridgeCore.DeviceTamperingPolicy.ofDevice
            .isSatisfied(by: data.flatMap { JSONValue($0) } ?? .null)
    }
}

extension DeviceTamperingPolicy: DevicePolicy {
    var isKnown: Bool { TamperingScore.shared.isKnown }
}
