import Dispatch
import Foundation
import GRDB
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@Suite("Sealing")
struct SealingTests {
    @Test func noFileContainsPersonalDataOrSecretsInAnySpelling() throws {
        let files = try StoreFiles()
        let secrets = ["a push secret of mine", "an oath secret of mine", "a spelling", "a challenge"]
        let names = AccountKey(issuer: "Bank of Nowhere", accountName: "alice@example.com")
        let others = [
            "a token id of mine", "a preserved payload", "Bank of Nowhere", "alice@example.com",
            "Bank of Nowhere-alice@example.com", "a filled text", "am.example.com", "a message id",
        ]
        let store = try files.open(.create)
        var push = try PushCredential.sample(account: names, secret: secrets[0]).filled(text: "a filled text")
        push.legacy?.secretSpelling = SharedSecret(utf8: secrets[2])
        push.legacy?.registration?.challenge = SharedSecret(utf8: secrets[3])
        let secret = try #require(SharedSecret(utf8: secrets[1]))
        let oath = OathCredential(
            id: "oath",
            account: push.account,
            password: try OneTimePassword(secret: secret),
            movingFactor: .counter(1),
            createdAt: .distantPast
        )
        let entry = LedgerEntry.sample(
            "\(names.issuer)-\(names.accountName)-push",
            .kept,
            reason: "a filled text",
            verbatim: .sample(Data("a preserved payload".utf8))
        )
        try store.write { view in
            try view.save(push)
            try view.save(oath)
            try view.save(PushNotification.sample(messageId: "a message id").filled(text: "a filled text"))
            try view.save(PushDeviceToken(tokenId: "a token id of mine", createdAt: .distantPast))
            try view.record(entry)
        }
        let open = try files.folder.contents()
        #expect(open["store.sqlite-wal"]?.isEmpty == false)
        try store.close()
        let closed = try files.folder.contents()
        let fingerprints = [entry.record.bytes, Data(entry.record.recordID.utf8)]
        let hidden = (secrets + others).flatMap { spellings(of: Data($0.utf8)) } + fingerprints
        for spelling in hidden {
            for file in Array(open.values) + Array(closed.values) {
                #expect(file.range(of: spelling) == nil)
            }
        }
    }

    /// No two sealed values have the same nonce.
    ///
    /// If two values were sealed with the same key and the same nonce, each would reveal information about the other.
    @Test func noTwoSealedValuesHaveTheSameNonce() throws {
        let files = try StoreFiles()
        let stores = [try files.open(.create), try files.open(.open)]
        let nonces = Lock(Set<Data>())
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            for batch in 0..<3 {
                _ = Result {
                    try stores[number].write { view in
                        for other in 0..<200 { try view.put(PushNotification.sample("\(number) \(other)")) }
                    }
                    let stored = try files.nonces(ofIdsLike: "\(number) %")
                    #expect(stored.count == 200, "\(batch)")
                    nonces.withValue { $0.formUnion(stored) }
                }
            }
        }
        #expect(nonces.withValue { $0.count } == 1200)
        try stores.forEach { try $0.close() }
    }

    /// The search columns are hashed with the key.
    ///
    /// Without the key, an attacker cannot use the database to test a guess of a name or of a short secret.
    @Test func searchColumnsAreHashedWithTheKey() throws {
        let hashes = try (0..<2).map { _ in
            let files = try StoreFiles.filled()
            return try DatabaseQueue(path: files.path).read { db in
                try Data.fetchSet(
                    db,
                    sql: """
                        SELECT owner FROM record WHERE owner NOTNULL
                        UNION SELECT alias FROM record WHERE alias NOTNULL
                        UNION SELECT id FROM record WHERE kind IN (1, 6)
                        """
                )
            }
        }
        #expect(hashes[0].count > 4)
        #expect(hashes[0].isDisjoint(with: hashes[1]))
    }

    @Test(
        arguments: [
            "form = (SELECT form FROM record WHERE id = 'other')",
            "form = (SELECT form FROM record WHERE kind = 3)",
            "form = substr(form, 1, length(form) - 1)",
            "form = CAST(substr(form, 2) || substr(form, 1, 1) AS BLOB)",
            "form = x''",
            "form = x'01'",
        ]
    )
    func aSealedRecordCanBeOpenedOnlyInItsOwnPlace(_ change: String) throws {
        let files = try StoreFiles()
        let store = try files.open(.create)
        try store.write { view in
            try view.save(PushCredential.sample().filled())
            try view.save(PushCredential.sample("other", account: .other))
            try view.save(OathCredential.sample("push", account: .other))
        }
        try files.tamper("UPDATE record SET \(change) WHERE id = 'push' AND kind = 2")
        let sentence = "The push credential cannot be decrypted: it was moved, truncated or changed."
        #expect(throws: StoreError(.damaged, record: "push", reason: sentence)) {
            try store.read { try $0.pushCredential(id: "push") }
        }
        #expect(try store.read { try $0.pushCredential(id: "other") } == .sample("other", account: .other))
        #expect(try store.read { try $0.oathCredential(id: "push") } == .sample("push", account: .other))
    }

    /// Every column on which a decision depends is authenticated together with the sealed data.
    @Test(arguments: [
        "date = date + 1", "is_open = 1", "is_open = 7", "owner = NULL", "alias = x'00'", "alias = x''",
        "owner = (SELECT owner FROM record WHERE id = 'other')", "owner = alias, alias = owner",
    ])
    func aRecordWithAChangedColumnIsReportedAsDamaged(_ change: String) throws {
        let files = try StoreFiles()
        let store = try files.open(.create)
        try store.write { view in
            try view.save(PushCredential.sample().filled())
            try view.save(PushCredential.sample("other", account: .other))
        }
        try files.tamper("UPDATE record SET \(change) WHERE id = 'push' AND kind = 2")
        #expect(try storeErrorCode { _ = try store.read { try $0.pushCredential(id: "push") } } == .damaged)
    }

    @Test func aRowOfAnotherStoreWithTheSameKeyCannotBeOpened() throws {
        let files = try StoreFiles()
        let (mine, theirs) = (try files.open(.create), files.folder.path("other.sqlite"))
        let other = try SQLiteCredentialStore(path: theirs, key: files.key, mode: .create)
        for store in [mine, other] { try store.write { try $0.save(PushCredential.sample().filled()) } }
        try other.close()
        try files.tamper(
            """
            ATTACH '\(theirs)' AS other;
            UPDATE record SET form = (SELECT form FROM other.record AS o WHERE o.kind = record.kind AND o.id = record.id);
            """
        )
        #expect(try storeErrorCode { _ = try mine.read { try $0.pushCredential(id: "push") } } == .damaged)
    }

    @Test func theCredentialsOfAnUnreadableAccountAreNotShownAsUnlocked() throws {
        let files = try StoreFiles()
        let store = try files.open(.create)
        try store.write { view in
            for id in ["1", "2", "3", "4", "5", "6"] { try view.save(PushCredential.sample(id).filled()) }
            try view.save(PushCredential.sample("other", account: .other).filled())
        }
        try files.tamper("UPDATE record SET form = x'01' WHERE kind = 1 AND sequence = 1")
        try store.read { view throws in
            #expect(try view.pushCredentials().map(\.id) == ["other"])
            #expect(
                try view.pushCredentials().unreadable.compactMap(\.record) == ["1", "2", "3", "4", "5", "6"]
            )
            #expect(try storeErrorCode { _ = try view.pushCredential(id: "1") } == .damaged)
            #expect(try view.pushCredentials(account: .sample).isEmpty)
        }
    }

    @Test func sealingAValueTwiceProducesDifferentBytes() throws {
        let files = try StoreFiles()
        let store = try files.open(.create)
        try store.write { try $0.save(PushDeviceToken(tokenId: "00", createdAt: .distantPast)) }
        try store.close()
        let before = try files.folder.contents()["store.sqlite"]
        let again = try files.open()
        try again.write { try $0.save(PushDeviceToken(tokenId: "00", createdAt: .distantPast)) }
        try again.close()
        #expect(try files.folder.contents()["store.sqlite"] != before)
    }

    private func spellings(of bytes: Data) -> [Data] {
        let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let base64 = bytes.base64EncodedString().prefix { $0 != "=" }
        let texts = [
            hex, hex.uppercased(), String(base64), Base64.encodeURLSafe(bytes), Base32.encode(bytes),
        ]
        return [bytes] + texts.map { Data($0.utf8) }
    }
}

extension StoreFiles {
    /// Returns the nonces of the records whose ids match a pattern.
    fileprivate func nonces(ofIdsLike pattern: String) throws -> [Data] {
        try DatabaseQueue(path: path).read { db in
            let sql = "SELECT substr(form, 1, 12) FROM record WHERE id LIKE ?"
            return try Data.fetchAll(db, sql: sql, arguments: [pattern])
        }
    }
}
