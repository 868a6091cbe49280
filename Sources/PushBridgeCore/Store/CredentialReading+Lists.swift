extension CredentialReading {
    /// All push credentials, oldest first.
    public func pushCredentials() throws -> [PushCredential] {
        try collect(forEachPushCredential)
    }

    /// All one-time-password credentials, oldest first.
    public func oathCredentials() throws -> [OathCredential] {
        try collect(forEachOathCredential)
    }

    /// The notifications that the query selects, oldest first.
    public func notifications(_ query: NotificationQuery = .all) throws -> [PushNotification] {
        try collect { try forEachNotification(query, $0) }
    }

    /// The whole ledger, in the order of recording.
    public func ledgerEntries() throws -> [LedgerEntry] {
        try collect(forEachLedgerEntry)
    }

    /// All legacy records kept verbatim, in the order of recording.
    public func preservedRecords() throws -> [PreservedRecord] {
        try collect(forEachPreservedRecord)
    }

    private func collect<Element>(_ each: ((Element) throws -> Void) throws -> Void) rethrows -> [Element] {
        var elements: [Element] = []
        try each { elements.append($0) }
        return elements
    }
}
