import PushBridgeCore

/// A push credential as the new SDK's keychain storage spells it, with what it has no place for.
struct PushCredentialForm: KeychainForm {
    static let noun = "push credential"

    private let account: AccountForm
    private let members: Members

    static func service(in services: KeychainServices) -> String { services.credentials }

    init(_ credential: PushCredential) {
        account = AccountForm(credential.account)
        members = Members(credential)
    }

    init(from decoder: any Decoder) throws {
        account = try AccountForm(from: decoder)
        members = try Members(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try account.encode(to: encoder)
        try members.encode(to: encoder)
    }

    func value(under id: String) -> PushCredential? {
        guard members.id == id,
            members.platform ?? PushPlatform.pingAM.rawValue == PushPlatform.pingAM.rawValue,
            let endpoints = members.endpoints, let secret = SharedSecret(base64: members.sharedSecret)
        else { return nil }
        var credential = PushCredential(
            id: members.id,
            account: account.account(members.pushBridge?.chosenNames),
            endpoints: endpoints,
            sharedSecret: secret,
            createdAt: members.pushBridge?.createdAt.date ?? members.createdAt.date
        )
        credential.userId = members.userId
        // The SDK's storage has the credential's own id where the server told no other.
        credential.deviceResourceId =
            members.pushBridge.map(\.deviceResourceId)
            ?? (members.resourceId == members.id ? nil : members.resourceId)
        credential.legacy = members.pushBridge?.legacy?.details
        return credential
    }
}

private struct Members: Codable {
    let id: String
    let userId: String?
    let resourceId: String?
    let serverEndpoint: String
    let sharedSecret: String
    let createdAt: ISODate
    let platform: String?
    let pushBridge: Extras?

    init(_ credential: PushCredential) {
        id = credential.id
        userId = credential.userId
        resourceId = credential.resourceId
        serverEndpoint = credential.serverEndpoint
        sharedSecret = credential.sharedSecret.withBase64 { $0 }
        createdAt = ISODate(credential.createdAt)
        platform = credential.platform.rawValue
        pushBridge = Extras(credential)
    }

    /// The addresses verbatim, or those that the SDK forms from the only one it keeps.
    var endpoints: PushEndpoints? {
        if let pushBridge {
            return PushEndpoints(
                registration: pushBridge.registrationEndpoint,
                authentication: pushBridge.authenticationEndpoint
            )
        }
        let separator = serverEndpoint.contains("?") ? "&" : "?"
        return PushEndpoints(
            registration: "\(serverEndpoint)\(separator)_action=register",
            authentication: "\(serverEndpoint)\(separator)_action=authenticate"
        )
    }
}

private struct Extras: Codable {
    let registrationEndpoint: String
    let authenticationEndpoint: String
    let deviceResourceId: String?
    let chosenNames: ChosenNames
    let createdAt: ExactDate
    let legacy: LegacyDetailsForm?

    init(_ credential: PushCredential) {
        registrationEndpoint = credential.registrationEndpoint
        authenticationEndpoint = credential.authenticationEndpoint
        deviceResourceId = credential.deviceResourceId
        chosenNames = ChosenNames(credential.account)
        createdAt = ExactDate(credential.createdAt)
        legacy = credential.legacy.map(LegacyDetailsForm.init)
    }
}
