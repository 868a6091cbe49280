import Foundation
import PushBridgeCore
import PushBridgeStore
import Testing

@Suite("Damaged rows")
struct DamagedRowTests {
    @Test(
        arguments: [
            "UPDATE push_credential SET registration_endpoint = 'nowhere'",
            "UPDATE push_credential SET issuer = NULL",
            "UPDATE push_credential SET issuer = x'00'",
            "UPDATE push_credential SET created_at = 'yesterday'",
            "UPDATE push_credential SET is_locked = 0.5",
            "UPDATE oath_credential SET digits = 10",
            "UPDATE oath_credential SET algorithm = 'sha224'",
            "UPDATE oath_credential SET counter = period",
            "UPDATE oath_credential SET period = NULL",
            "UPDATE notification SET push_type = 'shout'",
            "UPDATE notification SET ttl = 'long'",
            "UPDATE ledger SET fingerprint = x'00'",
            "UPDATE ledger SET outcome = 'lost'",
            "UPDATE preserved_record SET format = 'xml'",
            "UPDATE device_token SET token_id = NULL",
        ]
    )
    func aValueThatMakesNoSenseIsDamageAndNoTrap(_ change: String) throws {
        let files = try StoreFiles.filled()
        // What a failing disk or a hostile hand can do, the schema forbids.
        try files.tamper(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(replace(replace(sql, ') STRICT', ')'), ' NOT NULL', ''), 'CHECK (', 'CHECK (1 OR ');
            PRAGMA writable_schema = RESET;
            """
        )
        try files.tamper(change)
        let store = try files.open(.readOnly)
        let code = try storeErrorCode {
            try store.read { view in
                _ = try view.pushCredentials()
                _ = try view.oathCredentials()
                _ = try view.notifications()
                _ = try view.ledgerEntries()
                _ = try view.preservedRecords()
                _ = try view.deviceToken()
            }
        }
        #expect(code == .damaged)
    }

    @Test func aDateThatIsNoNumberIsRefused() throws {
        let store = try StoreFiles().open(.create)
        let nowhen = Date(timeIntervalSinceReferenceDate: .nan)
        let sentence = "A time for push_credential is not a number."
        #expect(throws: StoreError(.failed, record: "push", reason: sentence)) {
            try store.write { try $0.save(PushCredential.sample(createdAt: nowhen)) }
        }
    }
}
