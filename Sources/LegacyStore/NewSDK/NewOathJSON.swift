import PushBridgeCore

/// What one-time-password credentials of the new SDK add.
struct NewOathJSON: Decodable {
    let oathType: String
    let oathAlgorithm: String
    let digits: JSONInteger
    @Nullable var period: JSONInteger?
    @Nullable var counter: JSONInteger?
    @Nullable var secret: JSONSecret?
    @Nullable var sharedSecret: JSONSecret?

    /// The secret, under either of its names.
    func key() throws(LegacyRecordError) -> JSONSecret {
        guard let secret = secret ?? sharedSecret else { throw .missing("secret") }
        return secret
    }

    /// The factor.
    func factor() throws(LegacyRecordError) -> LegacyFactor {
        let parameters = LegacyOathParameters(algorithm: oathAlgorithm, digits: digits.value)
        switch oathType.lowercased() {
        case "totp":
            guard let period else { throw .missing("period") }
            return .totp(parameters, period: period.value)
        case "hotp":
            guard let counter else { throw .missing("counter") }
            return .hotp(parameters, counter: counter.value)
        default: throw .unsupported(type: oathType, besides: try key().text)
        }
    }
}
