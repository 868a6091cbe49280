import PushBridgeCore

/// A row that is a credential of an account.
protocol StoredCredential: StoredRow {
    static var queries: CredentialQueries { get }
}

/// The statements of both tables of credentials.
struct CredentialQueries: Sendable {
    let find: Query
    let ids: Query
    let carriedAccounts: Query
    let list: Query
    let ofAccount: Query
    let removal: Query

    init(_ table: Table) {
        find = table.query("WHERE id = ?")
        ids = table.query(["id"], "ORDER BY created_at, id")
        carriedAccounts = table.query(
            LegacyAccount.carriedColumns,
            "WHERE issuer = ? AND account_name = ? ORDER BY created_at, id"
        )
        list = table.query("ORDER BY created_at, id")
        ofAccount = table.query("WHERE issuer = ? AND account_name = ? ORDER BY created_at, id")
        removal = table.removal("WHERE id = ?")
    }
}
