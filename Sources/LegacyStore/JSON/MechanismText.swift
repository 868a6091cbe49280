import PushBridgeCore

/// A mechanism on its way to the legacy SDK's `toJson()` shape: the common fields, then those of its kind.
struct MechanismText: Encodable {
    private let common: MechanismJSON
    private let specific: any Encodable

    init(_ mechanism: LegacyMechanism) {
        common = MechanismJSON(mechanism)
        specific =
            switch mechanism.factor {
            case .push(let parameters): PushJSON(parameters)
            case .totp(let parameters, let period): OathJSON(parameters, kind: .totp, period: period)
            case .hotp(let parameters, let counter): OathJSON(parameters, kind: .hotp, counter: counter)
            }
    }

    func encode(to encoder: any Encoder) throws {
        try common.encode(to: encoder)
        try specific.encode(to: encoder)
    }
}
