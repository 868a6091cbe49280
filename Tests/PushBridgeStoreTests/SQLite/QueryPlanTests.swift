import Foundation
import GRDB
import PushBridgeCore
import Testing

@testable import PushBridgeStore

@Suite("Query plans")
struct QueryPlanTests {
    static let plans: [(RecordStatement, [String])] = {
        let narrow = RecordQuery(owner: "")
        var pending = RecordQuery.all
        pending.openOnly = true
        var aged = RecordQuery.all
        aged.dates = Date.distantPast...Date.distantPast
        var agedOfOne = narrow
        agedOfOne.dates = aged.dates
        let find = "SEARCH record USING INDEX record_by_id (kind=? AND id=?)"
        let ofOne = "record_by_owner (kind=? AND owner=?)"
        return [
            (RecordStatement(.read, .push, RecordQuery(id: "")), [find]),
            (RecordStatement(.read, .account, RecordQuery(id: "")), [find]),
            (RecordStatement(.read, .ledger, RecordQuery(id: "")), [find]),
            (RecordStatement(.read, .push, narrow), ["SEARCH record USING INDEX \(ofOne)"]),
            (
                RecordStatement(.read, .notification, RecordQuery(alias: "")),
                ["SEARCH record USING INDEX record_by_alias (kind=? AND alias=?)"]
            ),
            (
                RecordStatement(.read, .notification, .all),
                ["SEARCH record USING INDEX notification_by_date (kind=?)"]
            ),
            (
                RecordStatement(.read, .notification, pending),
                ["SEARCH record USING INDEX open_record (kind=?)"]
            ),
            (RecordStatement(.read, .ledger, .all), ["SCAN record"]),
            (RecordStatement(.read, .notification, narrow), ["SEARCH record USING INDEX \(ofOne)"]),
            (
                RecordStatement(.read, .notification, agedOfOne),
                ["SEARCH record USING INDEX record_by_owner (kind=? AND owner=? AND date>? AND date<?)"]
            ),
            (
                RecordStatement(.remove, .notification, aged),
                ["SEARCH record USING INDEX notification_by_date (kind=? AND date>? AND date<?)"]
            ),
        ]
    }()

    @Test(arguments: plans)
    func everyQueryUsesItsIndexWithoutSorting(_ statement: RecordStatement, _ plan: [String]) throws {
        let database = try DatabaseQueue()
        try Schema.migrator.migrate(database)
        let steps = try database.read { db in
            let explained = try db.makeStatement(sql: "EXPLAIN QUERY PLAN " + statement.sql)
            explained.setUncheckedArguments([])
            return try Row.fetchAll(explained).map { $0["detail"] as String? }
        }
        #expect(steps == plan)
    }
}
