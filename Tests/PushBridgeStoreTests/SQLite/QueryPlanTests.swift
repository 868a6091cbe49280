import Foundation
import GRDB
import PushBridgeCore
import Testing

@testable import PushBridgeStore

@Suite("Query plans")
struct QueryPlanTests {
    @Test(
        arguments: [
            (
                PushCredential.queries.find,
                "SEARCH push_credential USING INDEX sqlite_autoindex_push_credential_1 (id=?)"
            ),
            (PushCredential.queries.list, "SCAN push_credential USING INDEX push_credential_by_age"),
            (
                PushCredential.queries.ofAccount,
                "SEARCH push_credential USING INDEX push_credential_by_account (issuer=? AND account_name=?)"
            ),
            (
                OathCredential.queries.find,
                "SEARCH oath_credential USING INDEX sqlite_autoindex_oath_credential_1 (id=?)"
            ),
            (OathCredential.queries.list, "SCAN oath_credential USING INDEX oath_credential_by_age"),
            (
                OathCredential.queries.ofAccount,
                "SEARCH oath_credential USING INDEX oath_credential_by_account (issuer=? AND account_name=?)"
            ),
            (
                NotificationQueries.find,
                "SEARCH notification USING INDEX sqlite_autoindex_notification_1 (id=?)"
            ),
            (
                NotificationQueries.ofMessage,
                "SEARCH notification USING INDEX notification_by_message (message_id=?)"
            ),
            (
                NotificationQueries.narrowed(by: .all).list,
                "SCAN notification USING INDEX notification_by_age"
            ),
            (
                NotificationQueries.narrowed(by: .pending).list,
                "SCAN notification USING INDEX notification_pending"
            ),
            (
                NotificationQueries.narrowed(by: NotificationQuery(credentialId: "")).list,
                "SEARCH notification USING INDEX notification_by_credential (credential_id=?)"
            ),
            (
                NotificationQueries.narrowed(by: NotificationQuery(credentialId: "", pendingOnly: true)).list,
                "SEARCH notification USING INDEX notification_by_credential (credential_id=?)"
            ),
            (
                NotificationQueries.narrowed(by: sentAtOnce).list,
                "SEARCH notification USING INDEX notification_by_credential"
                    + " (credential_id=? AND sent_at>? AND sent_at<?)"
            ),
            (
                MigrationQueries.ledgerEntry,
                "SEARCH ledger USING INDEX sqlite_autoindex_ledger_1 (fingerprint=?)"
            ),
            (MigrationQueries.ledger, "SCAN ledger"),
            (
                MigrationQueries.preservedRecord,
                "SEARCH preserved_record USING INDEX sqlite_autoindex_preserved_record_1 (fingerprint=?)"
            ),
            (MigrationQueries.preserved, "SCAN preserved_record"),
        ]
    )
    func everyLookUpHasItsIndexAndNothingIsSorted(_ query: Query, _ plan: String) throws {
        let database = try DatabaseQueue()
        try Schema.migrator.migrate(database)
        let steps = try database.read { db in
            let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN " + query.sql)
            statement.setUncheckedArguments([])
            return try Row.fetchAll(statement).map { $0["detail"] as String? }
        }
        #expect(steps == [plan])
    }
}

private var sentAtOnce: NotificationQuery {
    var query = NotificationQuery(credentialId: "")
    query.sentAt = Date.distantPast...Date.distantPast
    return query
}
