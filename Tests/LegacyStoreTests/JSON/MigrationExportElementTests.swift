import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

struct MigrationExportElementTests {
    private let required = """
        "id":"A-B-totp","issuer":"A","accountName":"B","mechanismUID":"M","secret":"GEZDGNBV"
        """
    private let account = #""account":{"id":"A-B","issuer":"A","accountName":"B","timeAdded":2000}"#

    @Test func anElementWithOnlyTheRequiredFieldsIsRead() throws {
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

    /// Omitted fields have the same defaults whether the account is embedded, is `null`, or is absent.
    @Test(arguments: [
        (#""type":"totp""#, LegacyRecordKind.totp), (#""type":"HOTP""#, .hotp), (#""type":"OtpAuth""#, .totp),
        (#""type":"otpauth","oathType":"Hotp""#, .hotp), (#""type":"otpauth","counter":0"#, .hotp),
    ])
    func missingMembersHaveDefaults(_ type: String, _ kind: LegacyRecordKind) throws {
        let oath = LegacyOathParameters(algorithm: "sha1", digits: 6)
        let factor: LegacyFactor = kind == .totp ? .totp(oath, period: 30) : .hotp(oath, counter: 0)
        let others = [
            jsonItem(#"{\#(required),\#(type),\#(account)}"#, .mechanism),
            jsonItem(#"{\#(required),\#(type),"account":null}"#, .mechanism),
            exported("{\(required),\(type)}"),
        ]
        for item in others {
            guard case .mechanism(let mechanism) = try item.decoded().record else {
                Issue.record("The item contains no mechanism.")
                continue
            }
            #expect(mechanism.factor == factor)
        }
        let mechanism = try exported("{\(required),\(type)}").decoded()
        #expect(mechanism.embeddedAccount == nil)
    }

    @Test(arguments: [#","metadata":{}"#, ""])
    func everyElementOfAnExportIsReadAsExported(_ metadata: String) throws {
        let bare = #"{\#(required),"type":"totp"}"#
        let nested = #"{\#(required),"type":"totp","account":null}"#
        let scratch = try TemporaryFolder()
        for list in [[bare, nested], [nested, bare]] + (metadata.isEmpty ? [] : [[bare]]) {
            let json = #"{"mechanisms":[\#(list.joined(separator: ","))]\#(metadata)}"#
            let source = try LegacyFile.open(scratch.file("a", json))
            #expect(source.container == "migrationExport")
            for item in try source.allItems() { #expect(throws: Never.self) { try item.decoded() } }
        }
    }

    @Test func theIdOfAnElementIsRequired() {
        let fields = required.replacingOccurrences(of: #""id":"A-B-totp","#, with: "")
        #expect(throws: LegacyRecordError(.damaged, reason: "The field id is missing or empty.")) {
            try jsonItem(#"{\#(fields),"type":"totp",\#(account)}"#, .mechanism).decoded()
        }
    }

    @Test func theErrorContainsTheFaultyFieldOfTheAccount() {
        let reason = "The field account.issuer is missing or empty."
        #expect(throws: LegacyRecordError(.damaged, reason: reason)) {
            try jsonItem(#"{\#(required),"type":"totp","account":{"accountName":"B"}}"#, .mechanism).decoded()
        }
    }

    private func exported(_ json: String) -> LegacyItem {
        LegacyItem(
            position: .index(0),
            service: .mechanism,
            key: "key",
            payload: .exportedJSON(Data(json.utf8))
        )
    }
}
