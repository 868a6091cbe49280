/// The fields of the legacy SDK's archives.
package enum LegacyArchiveKey: String, CaseIterable {
    // Accounts, and partly mechanisms.
    case issuer
    case accountName
    case displayIssuer
    case displayAccountName
    case imageURL = "imageUrl"
    case backgroundColor
    case timeAdded
    case policies
    case lockingPolicy
    case lock

    // Mechanisms, and partly notifications.
    case mechanismUUID
    case type
    case version
    case secret
    case uid
    case resourceId
    case algorithm
    case digits
    case period
    case counter
    case authenticationEndpoint = "authEndpoint"
    case registrationEndpoint = "regEndpoint"
    case messageId
    case challenge
    case loadBalancer

    // Notifications.
    case loadBalanceKey
    case ttl
    case pending
    case approved
    case customPayload
    case message
    case pushType
    case numbersChallenge
    case contextInfo

    // The device token.
    case tokenId
}
