import AuthenticatorCore
import Foundation
import LegacyStore
import Testing

struct MigrationExportElementTests {
    private let required = """
        "id":"A-B-totp","issuer":"A","accountName":"B","mechanismUID":"M","secret":"GEZDGNBV"
        """
    private let account = #""account":{"id":"A-B","issuer":"A","accountName":"B","timeAdded":2000}"#

    @Test func requiredFieldsAreEnough() throws {
        let item = jsonItem(#"{\#(required),"type":"totp",\#(account)}"#, .mechanism)
        let mechanism = LegacyMechanism(
            mechanismUUID: "M",
            account: AccountKey(issuer: "A", accountName: "B"),
            secret: try #require(SharedSecret(utf8: "GEZDGNBV")),
            timeAdded: Date(timeIntervalSince1970: 2),
            factor: .totp(LegacyOathParameters(algorithm: "sha1", digits: 6), period: 30)
        )
        let nested = LegacyAccount(
            profile: AccountProfile(issuer: "A", accountName: "B"),
            timeAdded: Date(timeIntervalSince1970: 2)
        )
        #expect(try item.decoded() == DecodedItem(record: .mechanism(mechanism), embeddedAccount: nested))
    }

    @Test func theIdIsRequired() {
        let fields = required.replacingOccurrences(of: #""id":"A-B-totp","#, with: "")
        #expect(throws: LegacyRecordError(.damaged, reason: "The field id is missing.")) {
            try jsonItem(#"{\#(fields),"type":"totp",\#(account)}"#, .mechanism).decoded()
        }
    }

    @Test func faultsInTheAccountAreNamed() {
        let reason = "The field account.issuer is missing."
        #expect(throws: LegacyRecordError(.damaged, reason: reason)) {
            try jsonItem(#"{\#(required),"type":"totp","account":{"accountName":"B"}}"#, .mechanism).decoded()
        }
    }
}
