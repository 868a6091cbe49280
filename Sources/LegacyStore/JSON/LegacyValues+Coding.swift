package import PushBridgeCore

// The legacy SDK's JSON for types that code themselves; secrets are in clear, as there.

extension LegacyAccount {
    /// Reads the shape of `toJson()`.
    package init(legacyJSON decoder: any Decoder) throws {
        self = try AccountJSON(from: decoder).account()
    }

    /// Writes the shape of `toJson()`.
    package func encodeLegacyJSON(to encoder: any Encoder) throws {
        try AccountJSON(self).encode(to: encoder)
    }
}

extension LegacyMechanism {
    /// Reads the shape of `toJson()`.
    package init(legacyJSON decoder: any Decoder) throws {
        self = try MechanismElement(from: decoder).mechanism
    }

    /// Writes the shape of `toJson()`.
    package func encodeLegacyJSON(to encoder: any Encoder) throws {
        try MechanismText(self).encode(to: encoder)
    }
}

extension LegacyNotification {
    /// Reads the shape of `toJson()`.
    package init(legacyJSON decoder: any Decoder) throws {
        self = try NotificationJSON(from: decoder).notification
    }

    /// Writes the shape of `toJson()`.
    package func encodeLegacyJSON(to encoder: any Encoder) throws {
        try NotificationJSON(self).encode(to: encoder)
    }
}

extension PushDeviceToken {
    /// Reads the shape of `toJson()`.
    package init(legacyJSON decoder: any Decoder) throws {
        self = try DeviceTokenJSON(from: decoder).token()
    }

    /// Writes the shape of `toJson()`.
    package func encodeLegacyJSON(to encoder: any Encoder) throws {
        try DeviceTokenJSON(self).encode(to: encoder)
    }
}
