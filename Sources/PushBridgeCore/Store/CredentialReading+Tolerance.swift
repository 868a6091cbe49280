extension CredentialReading {
    /// Calls `body` with every push credential that can be read, oldest first; answers the ids of the others.
    ///
    /// One damaged row must not keep a caller from all the others.
    public func forEachReadablePushCredential(_ body: (PushCredential) throws -> Void) throws -> [String] {
        try unreadable(among: pushCredentialIDs(), read: pushCredential(id:), body)
    }

    /// Calls `body` with every one-time-password credential that can be read, oldest first; answers the ids of the
    /// others.
    public func forEachReadableOathCredential(_ body: (OathCredential) throws -> Void) throws -> [String] {
        try unreadable(among: oathCredentialIDs(), read: oathCredential(id:), body)
    }

    /// Calls `body` with every legacy record kept verbatim that can be read, in the order of recording; answers the
    /// names of the others.
    public func forEachReadablePreservedRecord(
        _ body: (PreservedRecord) throws -> Void
    ) throws -> [RecordFingerprint] {
        try unreadable(among: preservedFingerprints(), read: preservedRecord(for:), body)
    }

    private func unreadable<Name, Value>(
        among names: [Name],
        read: (Name) throws -> Value?,
        _ body: (Value) throws -> Void
    ) throws -> [Name] {
        var unreadable: [Name] = []
        for name in names {
            let value: Value?
            do {
                value = try read(name)
            } catch let error as StoreError where error.code == .damaged {
                unreadable.append(name)
                continue
            }
            if let value { try body(value) }
        }
        return unreadable
    }
}
