import PushBridgeCore

/// What one-time-password mechanisms add; only the field of their own kind is written.
struct OathJSON: Codable {
    /// How codes move on.
    enum Kind: String {
        case totp
        case hotp
    }

    @Nullable var oathType: String?
    @Nullable var algorithm: String?
    @Nullable var digits: JSONInteger?
    let period: JSONInteger?
    let counter: JSONInteger?

    init(_ parameters: LegacyOathParameters, kind: Kind, period: Int? = nil, counter: Int? = nil) {
        oathType = kind.rawValue
        algorithm = parameters.algorithm
        digits = JSONInteger(parameters.digits)
        self.period = period.map(JSONInteger.init)
        self.counter = counter.map(JSONInteger.init)
    }

    /// The factor; in a migration export, absent parameters have the defaults of the `otpauth` URI scheme.
    func factor(_ stated: Kind?, withDefaults: Bool) throws(LegacyRecordError) -> LegacyFactor {
        guard let kind = spelledKind ?? stated ?? (withDefaults ? impliedKind : nil) else {
            throw .missing("oathType")
        }
        let defaults = withDefaults ? Defaults.scheme : .none
        guard let algorithm = algorithm ?? defaults.algorithm else { throw .missing("algorithm") }
        guard let digits = digits?.value ?? defaults.digits else { throw .missing("digits") }
        let parameters = LegacyOathParameters(algorithm: algorithm, digits: digits)
        switch kind {
        case .totp:
            guard let period = period?.value ?? defaults.period else { throw .missing("period") }
            return .totp(parameters, period: period)
        case .hotp:
            guard let counter = counter?.value ?? defaults.counter else { throw .missing("counter") }
            return .hotp(parameters, counter: counter)
        }
    }

    /// Whether `oathType` is one that we know, or absent.
    var isOfKnownType: Bool { oathType == nil || spelledKind != nil }

    // It decides; older exports say it in `type`.
    private var spelledKind: Kind? { oathType.flatMap { Kind(rawValue: $0.lowercased()) } }

    // Of an export that says it nowhere.
    private var impliedKind: Kind { counter == nil ? .totp : .hotp }
}

/// What absent parameters of a one-time-password mechanism stand for.
private struct Defaults {
    static let none = Defaults(algorithm: nil, digits: nil, period: nil, counter: nil)
    static let scheme = Defaults(algorithm: "sha1", digits: 6, period: 30, counter: 0)

    let algorithm: String?
    let digits: Int?
    let period: Int?
    let counter: Int?
}
