import PushBridgeCore

/// The device token, with the credentials whose server has not accepted it yet.
struct DeviceTokenForm: KeychainForm {
    static let noun = "device token"
    /// The account of the only token.
    static let account = "current"

    private let tokenId: String
    private let createdAt: ISODate
    private let pushBridge: Extras?

    static func service(in services: KeychainServices) -> String { services.tokens }

    init(_ token: PushDeviceToken) {
        tokenId = token.tokenId
        createdAt = ISODate(token.createdAt)
        pushBridge = Extras(
            createdAt: ExactDate(token.createdAt),
            unconfirmedCredentialIds: token.unconfirmedCredentialIds.sorted()
        )
    }

    /// The token, whatever account it lies under, because there is only one.
    func value(under account: String) -> PushDeviceToken? {
        var token = PushDeviceToken(tokenId: tokenId, createdAt: pushBridge?.createdAt.date ?? createdAt.date)
        token.unconfirmedCredentialIds = Set(pushBridge?.unconfirmedCredentialIds ?? [])
        return token
    }

    private struct Extras: Codable {
        let createdAt: ExactDate
        let unconfirmedCredentialIds: [String]
    }
}
