import PushBridgeCore

/// A mechanism as a migration export has it; what does not apply is left out.
struct ExportedMechanismJSON: Encodable {
    private let id: String
    private let issuer: String
    private let accountName: String
    private let mechanismUID: String
    private let secret: String
    private let type: String
    private var oathType: String?
    private var algorithm: String?
    private var digits: Int?
    private var period: Int?
    private var counter: Int?
    private var registrationEndpoint: String?
    private var authenticationEndpoint: String?
    private var platform: String?
    private let uid: String?
    private let resourceId: String?
    private let timeAdded: JSONDate
    private let account: AccountJSON?

    init(_ mechanism: LegacyMechanism, account: LegacyAccount?) {
        id = mechanism.identifier
        issuer = mechanism.account.issuer
        accountName = mechanism.account.accountName
        mechanismUID = mechanism.mechanismUUID
        secret = mechanism.secret.withUTF8 { $0 }
        type = mechanism.kind == .push ? "push" : "otpauth"
        uid = mechanism.uid
        resourceId = mechanism.resourceId
        timeAdded = JSONDate(mechanism.timeAdded)
        self.account = account.map(AccountJSON.init)
        set(mechanism.factor)
    }

    private mutating func set(_ factor: LegacyFactor) {
        switch factor {
        case .push(let parameters):
            registrationEndpoint = parameters.registrationEndpoint
            authenticationEndpoint = parameters.authenticationEndpoint
            platform = "PING_AM"
        case .totp(let parameters, let period):
            set(parameters, .totp)
            self.period = period
        case .hotp(let parameters, let counter):
            set(parameters, .hotp)
            self.counter = counter
        }
    }

    private mutating func set(_ parameters: LegacyOathParameters, _ kind: OathJSON.Kind) {
        oathType = kind.rawValue
        algorithm = parameters.algorithm
        digits = parameters.digits
    }
}
