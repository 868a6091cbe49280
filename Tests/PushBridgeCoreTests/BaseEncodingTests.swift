import Foundation
import PushBridgeCore
import Testing

@Suite struct Base64Tests {
    @Test(arguments: ["++//", "--__", "+-/_", " +-/_\r\n", "++/_"])
    func bothBase64AlphabetsAreRead(_ text: String) {
        #expect(Base64.decode(text) == Data([0xFB, 0xEF, 0xFF]))
    }

    @Test(arguments: ["QQ", "QQ=", "QQ==", "QQ\n=="])
    func thePaddingOfBase64IsOptional(_ text: String) {
        #expect(Base64.decode(text) == Data("A".utf8))
    }

    @Test(arguments: ["Q", "QQ=Q", "QQ===", "Q*==", "QUJDR", "ÄÄ"])
    func invalidBase64IsRefused(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func urlSafeOutputHasNoPadding() {
        #expect(Base64.encodeURLSafe([0xFB, 0xEF, 0xFF, 0x01]) == "--__AQ")
    }

    @Test func dataOfEveryLengthRoundTrips() {
        for count in 0..<70 {
            let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) })
            #expect(Base64.decode(Base64.encodeURLSafe(bytes)) == bytes)
            #expect(Base64.decode(bytes.base64EncodedString()) == bytes)
        }
    }

    @Test func anySequenceOfBytesIsEncoded() {
        let bytes = Data((0..<200).map { UInt8($0) })
        let standard = bytes.base64EncodedString().filter { $0 != "=" }
        let expected = standard.replacing("+", with: "-").replacing("/", with: "_")

        #expect(Base64.encodeURLSafe(bytes) == expected)
        #expect(Base64.encodeURLSafe(AnySequence(bytes)) == expected)
    }
}

@Suite struct Base32Tests {
    /// The vectors of RFC 4648, section 10.
    @Test(arguments: [
        ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
        ("foobar", "MZXW6YTBOI"),
    ])
    func base32MatchesTheStandardVectors(_ plain: String, _ encoded: String) {
        #expect(Base32.encode(plain.utf8) == encoded)
        #expect(Base32.bytes(encoded) == Array(plain.utf8))
    }

    @Test(arguments: [
        "mzxw 6ytb-oi======", "MZXW\t6YTB\r\nOI", "mzxw6ytb0i", "MZXW6YT8O1L".replacing("1L", with: "I"),
    ])
    func lenientSpellingsOfBase32AreRead(_ text: String) {
        #expect(Base32.bytes(text) == Array("foobar".utf8))
    }

    @Test func digitsThatLookLikeLettersAreReadAsLetters() {
        #expect(Base32.bytes("018") == Base32.bytes("OLB"))
    }

    @Test(arguments: ["MZXW9", "MZXW_", "é"])
    func invalidBase32IsRefused(_ text: String) {
        #expect(Base32.bytes(text) == nil)
    }
}
