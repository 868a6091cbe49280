import Foundation

/// JSON documents built from the fixtures.
enum LegacyDocument {
    /// Returns the records of a fixture as a legacy JSON document.
    static func make(_ fixture: String) throws -> String {
        let expected = try StoreFixture.expected(fixture)
        func list(_ kinds: Set<String>) -> String {
            expected.filter { kinds.contains($0.kind) }.map(\.json).joined(separator: ",\n  ")
        }
        return """
            {"accounts": [
              \(list(["account"]))
            ], "mechanisms": [\(list(["push", "totp", "hotp"]))],
            "notifications":[\(list(["notification"]))], "unknown": {"a": [1, "]"]}, "deviceToken": null}
            """
    }

    static func account(_ number: Int) -> String {
        #"{"id":"I-\#(number)","issuer":"I","accountName":"\#(number)","timeAdded":1700000000000}"#
    }

    static func mechanism(_ number: Int, nested: Bool) -> String {
        let account = nested ? #","account":\#(account(number))"# : ""
        return """
            {"id":"I-\(number)-totp","issuer":"I","accountName":"\(number)","mechanismUID":"M\(number)",\
            "secret":"GEZDGNBV","type":"otpauth","oathType":"totp","algorithm":"sha1","digits":6,"period":30,\
            "timeAdded":1700000000000\(account)}
            """
    }
}
