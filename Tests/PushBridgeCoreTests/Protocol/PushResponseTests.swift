import Foundation
import PushBridgeCore
import Testing

@Suite struct PushResponseTests {
    @Test(arguments: ["{}", "", "OK", "<html>", #"{"message":"fine"}"#])
    func everyBodyOfASuccessIsAccepted(_ body: String) {
        #expect(throws: Never.self) { try PushResponse(status: 200, body: Data(body.utf8)).accepted() }
    }

    @Test(arguments: [200, 201, 202, 204, 206, 299])
    func everyStatusFrom200To299IsSuccess(_ status: Int) {
        #expect(throws: Never.self) { try PushResponse(status: status, body: Data()).accepted() }
    }

    @Test(
        arguments: [
            (
                400, #"{"code":400,"reason":"Bad Request","message":"No."}"#,
                .refused(status: 400, message: "No.")
            ),
            (404, "", .refused(status: 404, message: nil)), (401, "[]", .refused(status: 401, message: nil)),
            (400, #"{"message":7}"#, .refused(status: 400, message: nil)),
            (400, #"{"message":""}"#, .refused(status: 400, message: nil)),
            (301, "", .redirected(status: 301)), (302, "{}", .redirected(status: 302)),
            (307, "", .redirected(status: 307)), (500, "<html>", .serverFault(status: 500, message: nil)),
            (503, #"{"message":"Later."}"#, .serverFault(status: 503, message: "Later.")),
            (300, "", .redirected(status: 300)), (199, "", .unexpected(status: 199)),
            (0, "", .unexpected(status: 0)),
            (600, "", .unexpected(status: 600)),
        ] as [(Int, String, PushResponseError)]
    )
    func everyOtherStatusThrowsASpecificError(_ status: Int, _ body: String, _ error: PushResponseError) {
        #expect(throws: error) { try PushResponse(status: status, body: Data(body.utf8)).accepted() }
    }

    @Test func aHugeBodyIsNotRead() {
        let body = Data(#"{"message":"\#(String(repeating: "x", count: 100_000))"}"#.utf8)
        #expect(throws: PushResponseError.refused(status: 400, message: nil)) {
            try PushResponse(status: 400, body: body).accepted()
        }
    }
}
