/// A view that reports how many of a store's records were read.
private final class ReportingView: CredentialReading {
    /// The kinds whose records count for the progress.
    private static let kinds: [any StoredRecord.Type] = [
        AccountProfile.self, PushCredential.self, OathCredential.self, PushNotification.self,
        PushDeviceToken.self,
    ]

    private let view: any CredentialReading
    private let progress: (_ completed: Int, _ total: Int) -> Void
    private let total: Int
    private var completed = 0

    init(_ view: any CredentialReading, _ progress: @escaping (Int, Int) -> Void) throws {
        (self.view, self.progress) = (view, progress)
        total = try Self.kinds.reduce(0) { try $0 + view.count(of: $1.recordKind, where: .all) }
    }

    var denormalizesAccounts: Bool { view.denormalizesAccounts }
    var keepsLegacyKeys: Bool { view.keepsLegacyKeys }
    var keepsAccounts: Bool { view.keepsAccounts }

    func checkPlace(for account: AccountKey) throws { try view.checkPlace(for: account) }

    func forEach(
        _ kind: RecordKind,
        where query: RecordQuery,
        _ body: (any StoredRecord) throws -> Void
    ) throws -> [StoreError] {
        // Only a query for all records of a kind counts, so that a record that is also looked up counts once.
        let counts = query == .all && Self.kinds.contains { $0.recordKind == kind }
        return try view.forEach(kind, where: query) { record in
            if counts {
                completed += 1
                if completed.isMultiple(of: 1000) { progress(min(completed, total), total) }
            }
            try body(record)
        }
    }

    func ids(of kind: RecordKind, where query: RecordQuery) throws -> [String] {
        try view.ids(of: kind, where: query)
    }

    func count(of kind: RecordKind, where query: RecordQuery) throws -> Int {
        try view.count(of: kind, where: query)
    }
}

extension CredentialReading {
    /// Returns a view of the same records that reports its progress after every thousand records.
    /// - Parameter progress: Receives how many records were read and how many there are; called on the
    ///   caller's thread.
    /// - Returns: The view.
    /// - Throws: The store's errors.
    package func reporting(
        _ progress: @escaping (_ completed: Int, _ total: Int) -> Void
    ) throws -> any CredentialReading {
        try ReportingView(self, progress)
    }
}
