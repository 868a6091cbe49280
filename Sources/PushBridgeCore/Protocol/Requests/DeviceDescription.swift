/// How this device introduces itself to the push service.
public struct DeviceDescription: Equatable, Sendable {
    /// The APNs token in hexadecimal.
    public let deviceId: String
    /// The name that users see in their list of devices.
    public let deviceName: String

    /// Creates a description.
    public init(deviceId: String, deviceName: String) {
        self.deviceId = deviceId
        self.deviceName = deviceName
    }

    /// The claims of the device; servers accept no other type and way.
    func claims(mechanismUid: String) -> [String: JSONValue] {
        [
            "mechanismUid": .string(mechanismUid),
            "deviceId": .string(deviceId),
            "deviceName": .string(deviceName),
            "deviceType": "ios",
            "communicationType": "apns",
        ]
    }
}

extension DeviceDescription: CustomStringConvertible, CustomReflectable {
    /// The name, never the token.
    public var description: String { "DeviceDescription(\(deviceName))" }
    /// An empty mirror, so that `dump` finds nothing to show.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
