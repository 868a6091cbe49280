#if canImport(Security)

extension KeychainSealingKey {
    /// Names an item of the system's keychain; it is read or made when a store is opened.
    public init(service: String, accessGroup: String? = nil) {
        self.init(service: service, accessGroup: accessGroup, keychain: SystemKeychain())
    }
}
#endif
