import FRCore
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Requests")
struct RequestTests {
    private let address = "https://am.example.com/json?realm=%2Falpha&_action=register"

    @Test func aPostCarriesJSONAndTheFieldsOfTheLegacyAPI() throws {
        let request = Request(url: address, method: .POST, bodyParams: ["b": "x/y", "a": 1])
        let built = try #require(request.build())
        #expect(built.url?.absoluteString == address)
        #expect(built.httpMethod == "POST")
        #expect(built.timeoutInterval == 60)
        #expect(built.httpBody == Data(#"{"a":1,"b":"x/y"}"#.utf8))
        let fields = (built.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }
        #expect(
            Dictionary(uniqueKeysWithValues: fields) == [
                "accept": "application/json", "content-type": "application/json",
                "x-requested-platform": "ios", "x-requested-with": "forgerock-sdk",
            ]
        )
    }

    @Test func queryItemsFollowThoseOfTheAddress() throws {
        let request = Request(url: "\(address)#top", method: .GET, urlParams: ["q": "a&b=c d", "p": "1"])
        let built = try #require(request.build())
        #expect(built.url?.absoluteString == "\(address)&p=1&q=a%26b%3Dc%20d#top")
        #expect(built.httpBody == nil)
        #expect(built.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let plain = Request(url: "https://am.example.com/", method: .GET, urlParams: ["p": "1"])
        #expect(plain.build()?.url?.absoluteString == "https://am.example.com/?p=1")
    }

    @Test func aFormIsEncodedAsOne() throws {
        let request = Request(
            url: address,
            method: .POST,
            headers: ["accept": "text/html"],
            bodyParams: ["token": "a+b", "n": 2],
            requestType: .urlEncoded
        )
        let built = try #require(request.build())
        #expect(built.httpBody == Data("n=2&token=a%2Bb".utf8))
        #expect(built.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        #expect(built.value(forHTTPHeaderField: "Accept") == "text/html")
    }

    @Test(arguments: [(Request.ContentType.json, #"{"a":1}"#), (.plainText, "a=1")])
    func aDeletionHasItsBody(_ type: Request.ContentType, _ body: String) throws {
        let request = Request(url: address, method: .DELETE, bodyParams: ["a": 1], requestType: type)
        #expect(try #require(request.build()).httpBody == Data(body.utf8))
        let empty = Request(url: address, method: .POST)
        #expect(try #require(empty.build()).httpBody == Data("{}".utf8))
    }

    @Test func headersOfTheAppReplaceTheSDKs() throws {
        let request = Request(url: address, method: .GET, headers: ["X-Requested-With": "my-app"])
        let built = try #require(request.build())
        #expect(built.value(forHTTPHeaderField: "x-requested-with") == "my-app")
        #expect(built.value(forHTTPHeaderField: "x-requested-platform") == "ios")
    }

    @Test(arguments: ["", "am.example.com", "file:///etc/passwd", "https://", "javascript:alert(1)"])
    func requestsWithoutAWebAddressAreNotBuilt(_ url: String) {
        #expect(Request(url: url, method: .GET).build() == nil)
    }

    @Test func requestsWithABodyThatIsNotJSONAreNotBuilt() {
        #expect(Request(url: address, method: .POST, bodyParams: ["date": Date()]).build() == nil)
        #expect(Request(url: address, method: .POST, bodyParams: ["n": Double.nan]).build() == nil)
    }

    @Test func aHeaderIsReplacedIfItsNameDiffersOnlyInCase() {
        let original = Request(url: address, method: .POST, headers: ["Cookie": "a=1", "X": "1"])
        var request = original
        request.updateHeader(headers: ["cookie": "a=2", "Y": "2"])
        #expect(request.headers == ["cookie": "a=2", "X": "1", "Y": "2"])
        #expect(original.headers == ["Cookie": "a=1", "X": "1"])
    }

    @Test func aPrintedRequestShowsNoSecret() {
        let request = Request(
            url: "\(address)&token=hidden",
            method: .POST,
            headers: ["Cookie": "hidden"],
            bodyParams: ["jwt": "hidden"]
        )
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped] {
            #expect(text.contains("POST https://am.example.com/json"))
            #expect(!text.contains("hidden"))
        }
    }
}
