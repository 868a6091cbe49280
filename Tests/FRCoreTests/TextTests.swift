import FRCore
import Foundation
import Testing

@Suite("Helpers of FRCore")
struct TextTests {
    /// RFC 4648, section 10.
    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func base64IsThatOfTheRFC(_ text: String, _ base64: String) {
        #expect(text.base64Encoded() == base64)
        #expect(base64.base64Decoded() == text)
        #expect(base64.filter { $0 != "=" }.base64Pad() == base64)
        #expect(base64.filter { $0 != "=" }.decodeBase64() == Data(text.utf8))
        #expect(base64.isBase64Encoded() == !text.isEmpty)
    }

    @Test func bothAlphabetsAreTranslated() {
        #expect("-_8".urlSafeDecoding() == "+/8")
        #expect("+/8=".urlSafeEncoding() == "-_8")
        #expect("-_8".decodeURL() == Data([0xFB, 0xFF]))
        #expect("???".base64URLSafeEncoded() == "Pz8_")
        #expect(!"-_8".isBase64Encoded())
        #expect("%".decodeBase64() == nil)
    }

    /// FIPS 180-2, appendix B.1.
    @Test func hashesAreThoseOfTheStandard() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect("abc".sha256?.bytesArray.toHexString() == expected)
        #expect(Data("abc".utf8).sha256 == expected.hexData)
        #expect("abc".bytes == [97, 98, 99])
        #expect("00fFa".hexBytes == [0, 255])
    }

    @Test(arguments: [
        ("https://am.example.com:8443/json", true), ("http://a", true), ("am.example.com", false),
        ("", false), ("file:///etc", false),
    ])
    func anAddressOfTheWebIsOne(_ text: String, _ isOne: Bool) {
        #expect(text.isValidUrl == isOne)
    }

    @Test func addressesAreComparedWithoutTheirQuery() throws {
        let url = try #require(URL(string: "https://am.example.com/a?x=1&y=%20&x=2"))
        let other = try #require(URL(string: "https://AM.example.com/b"))
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
