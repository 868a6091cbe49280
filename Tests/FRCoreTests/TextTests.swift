import FRCore
import Foundation
import Testing

@Suite("Helpers of FRCore")
struct TextTests {
    /// The vectors of RFC 4648, section 10.
    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func base64MatchesTheRFC(_ text: String, _ base64: String) {
        #expect(text.base64Encoded() == base64)
        #expect(base64.base64Decoded() == text)
        #expect(base64.filter { $0 != "=" }.base64Pad() == base64)
        #expect(base64.filter { $0 != "=" }.decodeBase64() == Data(text.utf8))
        #expect(base64.isBase64Encoded())
        #expect(base64.filter { $0 != "=" }.base64Decoded() == text)
    }

    @Test func bothAlphabetsAreTranslated() {
        #expect("-_8".urlSafeDecoding() == "+/8")
        #expect("+/8=".urlSafeEncoding() == "-_8")
        #expect("-_8".decodeURL() == Data([0xFB, 0xFF]))
        #expect("???".base64URLSafeEncoded() == "Pz8_")
        #expect(!"-_8".isBase64Encoded())
        #expect("%".decodeBase64() == nil)
    }

    /// The example of FIPS 180-2, appendix B.1.
    @Test func hashesMatchTheStandard() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect("abc".sha256?.bytesArray.toHexString() == expected)
        #expect(Data("abc".utf8).sha256 == expected.hexData)
        #expect("abc".bytes == [97, 98, 99])
    }

    /// Hexadecimal text is read as in the legacy SDK.
    @Test(
        arguments: [
            ("00fF", [0, 255]), ("0a1", [10, 1]), ("0x1f", []), ("+f0a", []), ("", []), ("f", [15]),
        ]
            as [(String, [UInt8])]
    )
    func hexadecimalIsReadInPairs(_ text: String, _ bytes: [UInt8]) {
        #expect(text.hexBytes == bytes)
        #expect(text.hexData == Data(bytes))
    }

    @Test(arguments: [
        ("https://am.example.com", "https://am.example.com/", true),
        ("https://am.example.com", "https://AM.example.com", false),
        ("https://am.example.com/a//", "https://am.example.com/a", false),
        ("https://am.example.com/a/", "https://am.example.com/a", true),
        ("https://am.example.com/a", "https://am.example.com/A", false),
        ("https://am.example.com:443", "https://am.example.com", false),
        ("https://am.example.com", "http://am.example.com", false),
    ])
    func theComparisonOfAddressesIgnoresATrailingSlash(_ one: String, _ other: String, _ areSame: Bool) throws
    {
        #expect(try #require(URL(string: one)).isSame(#require(URL(string: other))) == areSame)
    }

    @Test(arguments: [
        ("https://am.example.com:8443/json", true), ("http://a", true), ("am.example.com", false),
        ("", false), ("file:///etc", false),
    ])
    func onlyAWebAddressIsAValidURL(_ text: String, _ isOne: Bool) {
        #expect(text.isValidUrl == isOne)
    }

    @Test func theComparisonOfAddressesCanIgnoreThePath() throws {
        let url = try #require(URL(string: "https://am.example.com/a?x=1&y=%20&x=2"))
        let other = try #require(URL(string: "https://am.example.com/b"))
        #expect(url.isSame(other, shouldCheckPath: false) && !url.isSame(other))
        #expect(url.valueOf("x") == "1" && url.valueOf("y") == " " && url.valueOf("z") == nil)
    }

    @Test func recoveryCodesAreFoundInTheirScript() {
        let script = #"""
            html = "<h4>Keep these.</h4>\n" +
              "<div class=\"text-center\">\n" +
              "aJ7dt84QGe\n" +
              "</div>\n" +
              "<div class=\"text-center\">\n" +
              "0OvGtmBYGp\n" +
              "</div>\n" + "<p>Done.</p>";
            """#
        #expect(script.extractRecoveryCodes() == ["aJ7dt84QGe", "0OvGtmBYGp"])
        #expect("<p>None.</p>".extractRecoveryCodes() == nil)
    }
}
