import PushBridgeCore

/// The members that a credential has of its account.
struct AccountForm: Codable {
    private let issuer: String
    private let displayIssuer: String?
    private let accountName: String
    private let displayAccountName: String?
    private let imageURL: String?
    private let backgroundColor: String?
    private let policies: String?
    private let lockingPolicy: String?
    private let isLocked: Bool?

    init(_ account: AccountProfile) {
        issuer = account.issuer
        displayIssuer = account.customDisplayIssuer ?? account.issuer
        accountName = account.accountName
        displayAccountName = account.customDisplayAccountName ?? account.accountName
        imageURL = account.imageURL
        backgroundColor = account.backgroundColor
        policies = account.policies
        lockingPolicy = account.lockingPolicy
        isLocked = account.isLocked
    }

    /// The account; without `chosen`, a name to show counts as the user's choice if it differs from the name.
    func account(_ chosen: ChosenNames?) -> AccountProfile {
        var account = AccountProfile(issuer: issuer, accountName: accountName)
        account.customDisplayIssuer =
            chosen.map(\.issuer) ?? (displayIssuer == issuer ? nil : displayIssuer)
        account.customDisplayAccountName =
            chosen.map(\.accountName) ?? (displayAccountName == accountName ? nil : displayAccountName)
        account.imageURL = imageURL
        account.backgroundColor = backgroundColor
        account.policies = policies
        account.lockingPolicy = lockingPolicy
        account.isLocked = isLocked ?? false
        return account
    }
}

/// The names to show that the user chose.
struct ChosenNames: Codable {
    let issuer: String?
    let accountName: String?

    init(_ account: AccountProfile) {
        issuer = account.customDisplayIssuer
        accountName = account.customDisplayAccountName
    }
}
