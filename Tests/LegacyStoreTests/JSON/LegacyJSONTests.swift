import Foundation
import LegacyStore
import PushBridgeCore
import Testing

struct LegacyJSONTests {
    @Test(arguments: ["everyday.expected.json", "edges.expected.json"])
    func everyFieldRoundTrips(_ file: String) throws {
        for expected in try StoreFixture.expected(file) {
            let record = try jsonItem(expected.json, expected.service).decoded().record
            #expect(try fields(record.legacyJSON()) == fields(Data(expected.json.utf8)))
            #expect(record.kind.rawValue == expected.kind)
            #expect(record.identifier == expected.key)
        }
    }

    @Test func absentKeysMeanTheSameAsNulls() throws {
        let json = #"{"issuer":"A","accountName":"B","timeAdded":1700000000125}"#
        let account = LegacyAccount(
            profile: AccountProfile(issuer: "A", accountName: "B"),
            timeAdded: Date(timeIntervalSince1970: 1_700_000_000.125)
        )
        #expect(try jsonItem(json, .account).decoded() == DecodedItem(record: .account(account)))
    }

    @Test func androidMechanismsAreRead() throws {
        let json = """
            {"id":"A-B-otpauth","issuer":"A","accountName":"B","mechanismUID":"M","secret":"ABCDEFGH",
             "type":"otpauth","oathType":"HOTP","algorithm":"SHA1","digits":6.0,"counter":7,"timeAdded":1.7e12}
            """
        let mechanism = LegacyMechanism(
            mechanismUUID: "M",
            account: AccountKey(issuer: "A", accountName: "B"),
            secret: try #require(SharedSecret(utf8: "ABCDEFGH")),
            timeAdded: Date(timeIntervalSince1970: 1_700_000_000),
            factor: .hotp(LegacyOathParameters(algorithm: "SHA1", digits: 6), counter: 7)
        )
        #expect(try jsonItem(json, .mechanism).decoded().record == .mechanism(mechanism))
    }

    @Test(arguments: ["1700000000", "1700000000000", "1.7e9"])
    func tokenDatesAreSecondsOrMilliseconds(_ date: String) throws {
        let item = jsonItem(#"{"tokenId":"AB","timeAdded":\#(date)}"#, .deviceToken)
        let token = PushDeviceToken(tokenId: "AB", createdAt: Date(timeIntervalSince1970: 1_700_000_000))
        #expect(try item.decoded().record == .deviceToken(token))
        #expect(try token.json == #"{"timeAdded":1700000000,"tokenId":"AB"}"#)
    }

    @Test func textInJSONIsEscaped() throws {
        let token = PushDeviceToken(tokenId: "\"\\\n\u{1}", createdAt: Date(timeIntervalSince1970: 0.5))
        #expect(try token.json == #"{"timeAdded":0.5,"tokenId":"\"\\\n\u0001"}"#)
    }

    @Test(arguments: [
        (#"{"accountName":"B","timeAdded":1}"#, "The field issuer is missing or empty."),
        (#"{"issuer":null,"accountName":"B","timeAdded":1}"#, "The field issuer is missing or empty."),
        (#"{"issuer":"A","accountName":7,"timeAdded":1}"#, "The field accountName is not text."),
        (#"{"issuer":"A","accountName":"B"}"#, "The field timeAdded is missing or empty."),
        (#"{"issuer":"A","accountName":"B","timeAdded":"1"}"#, "The field timeAdded is not a number."),
        (#"{"issuer":"A","accountName":"B","timeAdded":1,"lock":1}"#, "The field lock is not true or false."),
        (#"[]"#, "The record is not an object."),
        ("null", "The record is not an object."),
        (#"{"issuer"#, "The record is not well-formed JSON."),
        ("", "The record is not well-formed JSON."),
    ])
    func theErrorContainsTheNameOfTheFaultyField(_ json: String, _ reason: String) {
        #expect(throws: LegacyRecordError(.damaged, reason: reason)) {
            try jsonItem(json, .account).decoded()
        }
    }

    @Test(arguments: [
        (#""type":"webauthn""#, LegacyRecordError.Code.unsupported),
        (#""type":"otpauth","oathType":"ocra""#, .unsupported),
        (#""type":"otpauth","oathType":"totp","digits":6,"algorithm":"sha1""#, .damaged),
        (#""type":"otpauth","digits":6,"algorithm":"sha1","period":30"#, .damaged),
        (#""type":"pushauth","authenticationEndpoint":"https://a.b/c""#, .damaged),
    ])
    func mechanismsOfUnknownKindOrWithMissingFieldsAreRefused(_ kind: String, _ code: LegacyRecordError.Code)
    {
        let common = #""mechanismUID":"M","issuer":"A","accountName":"B","secret":"GEZDGNBV","timeAdded":1"#
        let error = #expect(throws: LegacyRecordError.self) {
            try jsonItem("{\(common),\(kind)}", .mechanism).decoded()
        }
        #expect(error?.code == code)
    }

    @Test(arguments: [
        ("webauthn", "type webauthn"), ("gezdgnbv", "an unknown type"), ("zdgn", "an unknown type"),
        ("GEZDGNBV", "an unknown type"), ("a type of our own", "an unknown type"),
        ("thirteenchars", "an unknown type"), ("", "an unknown type"),
    ])
    func theErrorContainsAnUnknownTypeUnlessItMayBeASecret(_ type: String, _ name: String) {
        let common = #""mechanismUID":"M","issuer":"A","accountName":"B","secret":"GEZDGNBV","timeAdded":1"#
        let expected = LegacyRecordError(.unsupported, reason: "Mechanisms of \(name) are not supported.")
        for kind in [#""type":"\#(type)""#, #""type":"otpauth","oathType":"\#(type)""#] {
            #expect(throws: expected) { try jsonItem("{\(common),\(kind)}", .mechanism).decoded() }
        }
    }

    @Test(arguments: ["mechanismUID", "uid", "resourceId"])
    func anIdentifierThatEqualsTheSecretIsDamaged(_ field: String) {
        var fields = ["mechanismUID": "M", "issuer": "A", "accountName": "B", "secret": "GEZDGNBV"]
        fields[field] = "GEZDGNBV"
        let common = fields.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
        let kind = #""type":"totp","digits":6,"algorithm":"sha1","period":30,"timeAdded":1"#
        #expect(throws: LegacyRecordError(.damaged, reason: "An identifier in the record equals the secret."))
        {
            try jsonItem("{\(common),\(kind)}", .mechanism).decoded()
        }
    }

    @Test func aRecordWithAnEmptyIdIsDamaged() {
        let common = #""mechanismUID":"","issuer":"A","accountName":"B","secret":"GEZDGNBV","timeAdded":1"#
        let kind = #""type":"totp","digits":6,"algorithm":"sha1","period":30"#
        #expect(throws: LegacyRecordError(.damaged, reason: "The field mechanismUID is missing or empty.")) {
            try jsonItem("{\(common),\(kind)}", .mechanism).decoded()
        }
        #expect(throws: LegacyRecordError(.damaged, reason: "The field tokenId is missing or empty.")) {
            try jsonItem(#"{"tokenId":"","timeAdded":1}"#, .deviceToken).decoded()
        }
    }

    @Test func errorsNeverQuoteSecrets() {
        let json = #"{"mechanismUID":"M","issuer":"A","accountName":"B","secret":"GEZDGNBV","type":"totp"}"#
        let error = #expect(throws: LegacyRecordError.self) { try jsonItem(json, .mechanism).decoded() }
        #expect(error.map { "\($0)" }?.contains("GEZDGNBV") == false)
    }
}

extension PushDeviceToken {
    fileprivate var json: String {
        get throws { String(decoding: try LegacyRecord.deviceToken(self).legacyJSON(), as: UTF8.self) }
    }
}
