import CredentialMigration
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The stores in `LegacyFixtures` are migrated to credentials that pass the proof.
///
/// The stores have three file formats, and the stored forms of the SDK since version 2.0.
@Suite struct FixtureMigrationTests {
    static let stores = [
        "everyday.sqlite", "everyday.plist", "everyday.jsonl", "edges.sqlite", "edges.plist", "edges.jsonl",
        "everyday-sdk-2.0.sqlite", "everyday-sdk-3.1.sqlite", "everyday-sdk-3.3.sqlite",
        "everyday-sdk-4.0.sqlite",
    ]

    @Test(arguments: stores)
    func everyRecordIsMigratedAndProven(_ name: String) throws {
        let store = MemoryCredentialStore()
        let migration = CredentialMigration(from: .file(LegacyFixtures.url(name)), to: store)
        let receipt = try migration.apply(migration.plan())
        let unproven = receipt.records.filter { !$0.isRetirable }
        #expect(unproven.map(\.key) == [])
        #expect(receipt.totals.records == receipt.totals[.migrated] + receipt.totals[.kept])
        let verified = try migration.verify().isComplete
        #expect(verified)
    }

    @Test(arguments: stores)
    func everyCredentialMakesTheAnswersAndCodesOfItsMechanism(_ name: String) throws {
        let store = MemoryCredentialStore()
        _ = try migrate(LegacyFile.open(LegacyFixtures.url(name)), to: store)
        let expectations = try Fixtures.expectations(name.hasPrefix("edges") ? "edges" : "everyday")
        for expectation in expectations {
            switch expectation.kind {
            case .push: try expectSameAnswer(expectation, store, generation: name)
            case .totp, .hotp: try expectSameCodes(expectation, store)
            case .account, .notification, .deviceToken, .unknown: break
            }
        }
    }

    @Test func aDamagedStoreLosesOnlyItsDamagedRecords() throws {
        let store = MemoryCredentialStore()
        let receipt = try migrate(LegacyFile.open(LegacyFixtures.url("damaged.sqlite")), to: store)
        let notes = try JSONDecoder().decode(
            [Note].self,
            from: LegacyFixtures.data("damaged.notes.json")
        )
        #expect(receipt.records.count == notes.count)
        for (record, note) in zip(receipt.records.sorted(by: \.key), notes.sorted(by: \.acct)) {
            #expect(record.key == note.acct)
            switch note.damage {
            case "ok": #expect(record.result.isVerified, "\(note)")
            case "bitflip": break
            // This damage removes the secret. A notification has no secret, so it stays intact.
            case "nosecret" where record.kind == .notification: #expect(record.result.isVerified, "\(note)")
            default: #expect(record.result.outcome == .damaged, "\(note)")
            }
            if record.result.outcome == .damaged { #expect(record.result.reason?.isEmpty == false) }
        }
    }

    private struct Note: Decodable {
        let acct: String
        let damage: String
    }

    private func expectSameAnswer(
        _ expectation: Fixtures.Expectation,
        _ store: MemoryCredentialStore,
        generation: String
    ) throws {
        let id = try expectation.mechanismUID
        let credential = try #require(try store.read { try $0.pushCredential(id: id) })
        let challenge = try #require(expectation.probeChallenge)
        let response = ChallengeResponse.compute(base64Challenge: challenge, secret: credential.sharedSecret)
        #expect(response == expectation.probeResponse)
        #expect(credential.updateEndpoint == expectation.updateEndpoint)
    }

    private func expectSameCodes(_ expectation: Fixtures.Expectation, _ store: MemoryCredentialStore) throws {
        let id = try expectation.mechanismUID
        let credential = try #require(try store.read { try $0.oathCredential(id: id) })
        if let code = expectation.codeAtCounter {
            #expect(try credential.password.code(counter: credential.counter) == code)
        }
        for (time, code) in expectation.codes ?? [:] {
            let date = Date(timeIntervalSince1970: try #require(TimeInterval(time)))
            #expect(try credential.password.code(at: date, period: credential.period) == code)
        }
    }
}

extension Sequence {
    fileprivate func sorted(by key: (Element) -> String) -> [Element] {
        sorted { key($0) < key($1) }
    }
}
