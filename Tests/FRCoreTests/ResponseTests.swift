import FRCore
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Responses")
struct ResponseTests {
    @Test(arguments: [200, 201, 302])
    func aSuccessfulResponseReturnsItsJSON(_ status: Int) throws {
        let outcome = try response(status, #"{"code":7}"#).parseReponse()
        guard case .success(let result, let http) = outcome else {
            Issue.record("The outcome is \(outcome) instead of success.")
            return
        }
        #expect(result["code"] as? Int == 7)
        #expect((http as? HTTPURLResponse)?.statusCode == status)
    }

    @Test func aResponseWithoutABodyReturnsAnEmptyObject() throws {
        guard case .success(let result, _) = try response(204, "").parseReponse() else {
            Issue.record("A response without a body was reported as a failure.")
            return
        }
        #expect(result.isEmpty)
    }

    @Test(arguments: ["<html>", "[1]", "{"])
    func aBodyThatIsNotAJSONObjectReturnsAnError(_ body: String) throws {
        guard case .failure(NetworkError.invalidResponseDataType) = try response(200, body).parseReponse()
        else {
            Issue.record("The body \(body) did not cause the error invalidResponseDataType.")
            return
        }
    }

    @Test(arguments: [303, 400, 401, 500])
    func theErrorOfARejectionContainsTheBodyAndTheStatus(_ status: Int) throws {
        let outcome = try response(status, "why").parseReponse()
        guard case .failure(NetworkError.apiRequestFailure(let body, let http, nil)) = outcome else {
            Issue.record("The outcome is \(outcome) instead of apiRequestFailure.")
            return
        }
        #expect(body == Data("why".utf8))
        #expect((http as? HTTPURLResponse)?.statusCode == status)
    }

    @Test func aMissingResponseReturnsItsCause() {
        let outcome = Response(data: nil, response: nil, error: URLError(.timedOut)).parseReponse()
        guard case .failure(let cause as URLError) = outcome else {
            Issue.record("The outcome is \(outcome) instead of a URLError.")
            return
        }
        #expect(cause.code == .timedOut)
    }

    private func response(_ status: Int, _ body: String) throws -> Response {
        let url = try #require(URL(string: "https://am.example.com/"))
        let http = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        return Response(data: Data(body.utf8), response: http, error: nil)
    }
}
