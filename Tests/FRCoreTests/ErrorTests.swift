public import FRCore
public import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Errors")
struct ErrorTests {
    @Test(arguments: [
        (NetworkError.invalidResponseDataType, 5_000_003), (.invalidRequest("It is none."), 5_000_005),
        (.apiRequestFailure(nil, nil, nil), 5_000_010),
    ])
    func theNumberAndTheDomainReachNSError(_ error: NetworkError, _ code: Int) {
        let bridged = error as NSError
        #expect(bridged.code == code)
        #expect(bridged.domain == "com.forgerock.ios.frcore.network")
        let text = error.errorUserInfo[NSLocalizedDescriptionKey] as? String
        #expect(text?.hasSuffix(".") == true)
        #expect(bridged.localizedDescription == text)
        #expect((error as any Error).localizedDescription == text)
    }

    @Test func anAppsErrorHasItsOwnCodeDomainAndDescription() {
        let error: any Error = Unfit.tooSmall
        #expect((error as NSError).code == 42)
        #expect((error as NSError).domain == "example.unfit")
        #expect(error.localizedDescription == "It is too small.")
    }

    @Test func anAppCanReplaceTheDescriptionOfAnError() {
        // The test reads `errorDescription`, because on Linux, Foundation ignores this property in
        // `localizedDescription`.
        let error: any Error = SecurityError.failToExtractPublicKey
        #expect((error as? any LocalizedError)?.errorDescription == "Own words.")
    }

    /// The user info contains the server's response, under the keys of the legacy SDK.
    @Test func theUserInfoContainsTheServersAnswer() throws {
        let url = try #require(URL(string: "https://am.example.com"))
        let response = HTTPURLResponse(url: url, statusCode: 401, httpVersion: nil, headerFields: nil)
        let cause = URLError(.timedOut)
        let error = NetworkError.apiRequestFailure(Data("why".utf8), response, cause) as NSError
        let domain = "com.forgerock.ios.frcore.network"
        #expect(error.userInfo["\(domain).responseData"] as? Data == Data("why".utf8))
        #expect((error.userInfo["\(domain).urlresponse"] as? HTTPURLResponse)?.statusCode == 401)
        #expect((error.userInfo["\(domain).error"] as? URLError)?.code == .timedOut)
        let none = NetworkError.apiRequestFailure(nil, nil, nil) as NSError
        #expect(Set(none.userInfo.keys) == [NSLocalizedDescriptionKey])
        #expect((SecurityError.failToExtractPublicKey as NSError).code == 5_100_001)
    }

    @Test func anAppsErrorTypeNeedsNoMembers() {
        struct Plain: FRError {}
        #expect((Plain() as any Error) is any FRError)
        let info = Plain().buildErrorUserInfo(errorMessage: "It is bare.", additionalInfo: ["a": 1])
        #expect(info[NSLocalizedDescriptionKey] as? String == "It is bare.")
        // As in the legacy SDK, all additional information is stored under one key.
        #expect(info.count == 2)
        #expect((info["com.forgerock.auth.errorInfoKey"] as? [String: Any])?["a"] as? Int == 1)
    }

    @Test func aFailureNamesTheStatusOrTheCause() throws {
        let url = try #require(URL(string: "https://am.example.com/?secret"))
        let response = HTTPURLResponse(url: url, statusCode: 400, httpVersion: nil, headerFields: nil)
        let refused = NetworkError.apiRequestFailure(nil, response, nil).localizedDescription
        #expect(refused == "The server refused (HTTP 400).")
        let body = Data(#"{"code":400,"reason":"Bad Request","message":"Too late"}"#.utf8)
        let named = NetworkError.apiRequestFailure(body, response, nil).localizedDescription
        #expect(named == "The server refused (HTTP 400): Too late")
        let failure = HTTPURLResponse(url: url, statusCode: 501, httpVersion: nil, headerFields: nil)
        let failed = NetworkError.apiRequestFailure(nil, failure, nil).localizedDescription
        #expect(failed == "The server failed (HTTP 501).")
        let offline = NetworkError.apiRequestFailure(nil, nil, URLError(.cannotConnectToHost))
            .localizedDescription
        #expect(offline == "The server could not be reached.")
        let registration = try #require(URL(string: "https://am.example.com/json/push?_action=register"))
        let used = HTTPURLResponse(url: registration, statusCode: 400, httpVersion: nil, headerFields: nil)
        let code = NetworkError.apiRequestFailure(nil, used, nil).localizedDescription
        #expect(code == "The code may be too old or already used. The server refused (HTTP 400).")
        let cause = NetworkError.apiRequestFailure(nil, nil, Unfit.tooSmall).localizedDescription
        #expect(cause == "The request failed: It is too small.")
    }
}

private enum Unfit: FRError, LocalizedError, CustomNSError {
    case tooSmall

    static let errorDomain = "example.unfit"
    var errorCode: Int { 42 }
    var errorDescription: String? { "It is too small." }
}

// An app that translates the errors for its users declares that the errors conform to `LocalizedError`.
extension SecurityError: LocalizedError {
    /// A description that differs from the description in PushBridge.
    public var errorDescription: String? { "Own words." }
}
