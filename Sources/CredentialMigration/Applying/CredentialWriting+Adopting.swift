import PushBridgeCore

extension CredentialWriting {
    /// Gives an account's details to those of its credentials that came without any; answers whether there were.
    @discardableResult
    func adopt(_ account: LegacyAccount) throws -> Bool {
        let push = try pushCredentials(account: account.profile.key).filter(\.lacksAccount)
        let oath = try oathCredentials(account: account.profile.key).filter(\.lacksAccount)
        for var credential in push {
            credential.adopt(account)
            try save(credential)
        }
        for var credential in oath {
            credential.adopt(account)
            try save(credential)
        }
        return !push.isEmpty || !oath.isEmpty
    }
}

extension AccountBound {
    /// Takes over an account's details.
    mutating func adopt(_ account: LegacyAccount) {
        self.account = account.profile
        legacy?.accountAddedAt = account.timeAdded
    }
}
