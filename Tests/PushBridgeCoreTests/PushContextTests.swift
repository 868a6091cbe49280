import Foundation
import PushBridgeTestSupport
import Testing

@testable import PushBridgeCore

/// The origin of a login, as read from pushes, some of which contain invalid or hostile strings.
@Suite struct PushContextTests {
    /// The example in the legacy SDK's documentation, to which an IP address was added.
    @Test func everyPartOfTheContextIsRead() {
        let context = PushContext(
            """
            {"location": {"latitude": 51.4517076, "longitude": -2.5950234},
             "userAgent": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/100.0.4896.127",
             "remoteIp": "203.0.113.7"}
            """
        )
        #expect(context.location == PushContext.Location(latitude: 51.4517076, longitude: -2.5950234))
        #expect(context.userAgent == "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/100.0.4896.127")
        #expect(context.remoteAddress == "203.0.113.7")
        #expect(!context.isEmpty)
        #expect(context.description == "PushContext(location, userAgent, remoteAddress)")
    }

    @Test(arguments: [
        nil, "", "{  }", "{}", "null", "[]", "7", "no JSON", "{",
        #"{"location":null,"userAgent":null,"remoteIp":null}"#,
        #"{"location":{},"userAgent":"","remoteIp":""}"#, #"{"location":[51,2],"userAgent":7,"remoteIp":{}}"#,
        #"{"location":{"latitude":51}}"#, #"{"location":{"latitude":91,"longitude":0}}"#,
        #"{"location":{"latitude":0,"longitude":-180.1}}"#, #"{"location":{"latitude":true,"longitude":1}}"#,
        #"{"location":{"latitude":"0x1p3","longitude":"1"}}"#,
        #"{"location":{"latitude":"nan","longitude":"1"}}"#,
        #"{"location":{"latitude":"","longitude":" "}}"#, #"{"remoteIp":"1.2.3"}"#,
        #"{"remoteIp":"1.2.3.4\u0000x"}"#,
        #"{"remoteIp":"tap approve"}"#, #"{"remoteIp":"1.2.3.4, 5.6.7.8"}"#,
        #"{"userAgent":"\u0000\u202E\n"}"#,
        "{\"remoteIp\":\"1.2.3.4\"\u{0}}", String(repeating: "[", count: 200),
    ])
    func aTextWithoutAContextIsReadAsAnEmptyContext(_ text: String?) {
        let context = PushContext(text)
        #expect(context.isEmpty)
        #expect(context.description == "PushContext()")
    }

    @Test(arguments: [
        #"{"latitude":"51.5","longitude":" -2.25 "}"#, #"{"latitude":51.5,"longitude":"-225e-2"}"#,
        #"{"latitude":51.5,"longitude":-2.25,"accuracy":12}"#,
    ])
    func coordinatesMayBeText(_ place: String) {
        let expected = PushContext.Location(latitude: 51.5, longitude: -2.25)
        #expect(PushContext(#"{"location":\#(place)}"#).location == expected)
    }

    @Test(arguments: ["::1", "2001:db8::8a2e:370:7334", "::ffff:192.0.2.1", " 198.51.100.1 "])
    func ipv4AndIPv6AddressesAreRead(_ address: String) {
        let expected = address.trimmingCharacters(in: .whitespaces)
        #expect(PushContext(#"{"remoteIp":"\#(address)"}"#).remoteAddress == expected)
    }

    /// If the location or the browser's name is invalid, the address is still read.
    @Test(arguments: [
        #""location":{"latitude":1e999,"longitude":1}"#, #""location":"\u0000""#, #""userAgent":1e-999"#,
        #""location":{"latitude":99999999999999999999999999,"longitude":0}"#,
    ])
    func anUnreadablePartDoesNotHideTheOthers(_ part: String) {
        let context = PushContext(#"{\#(part),"remoteIp":"203.0.113.7"}"#)
        #expect(context.remoteAddress == "203.0.113.7")
        #expect(context.location == nil)
    }

    @Test func theUserAgentIsReducedToOneShortVisibleLine() {
        let name = #"Fire\u202Efox\u0000\n \u200BNightly"#
        #expect(PushContext(#"{"userAgent":"\#(name)"}"#).userAgent == "Firefox Nightly")
        let long = String(repeating: "x", count: 2000)
        #expect(PushContext(#"{"userAgent":"\#(long)"}"#).userAgent?.count == 512)
    }

    /// A huge string is ignored: a push has at most 4,096 bytes, but a stored string may have any length.
    @Test func hugeTextIsIgnored() {
        let filler = String(repeating: "x", count: 1 << 20)
        #expect(PushContext(#"{"remoteIp":"203.0.113.7","x":"\#(filler)"}"#).isEmpty)
    }

    @Test func anyTextIsReadWithoutATrap() {
        let sample = Array(
            #"{"location":{"latitude":51.4,"longitude":"-2"},"userAgent":"a","remoteIp":"::1"}"#.utf8
        )
        let odd: [UInt8] = Array("{}[]\",:\\0-e.\u{0}nt".utf8) + [0xFF, 0xC3]
        var random = SeededGenerator(seed: 23)
        for _ in Sweep.rounds("PushContext", part: 0, of: 1, standard: 10_000) {
            var bytes = sample
            for _ in 0...random.below(4) {
                let place = random.below(bytes.count)
                switch random.below(3) {
                case 0: bytes[place] = odd[random.below(odd.count)]
                case 1: bytes.remove(at: place)
                default: bytes.insert(odd[random.below(odd.count)], at: place)
                }
            }
            let context = PushContext(String(decoding: bytes, as: UTF8.self))
            if let place = context.location {
                #expect(abs(place.latitude) <= 90 && abs(place.longitude) <= 180)
            }
            #expect(context.userAgent?.contains { $0.isNewline || $0 == "\0" } != true)
        }
    }
}
