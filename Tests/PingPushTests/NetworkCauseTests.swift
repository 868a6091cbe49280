import Foundation
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// If a request fails, the cause in the thrown error is the system's error, as in the successor SDK.
@Suite("Causes of failed requests")
struct NetworkCauseTests {
    enum Call: CaseIterable {
        case enrol, approve, deny, challenge, biometric, setDeviceToken
    }

    /// Prepares a client for a call, and returns the client's fixture and the call.
    private func prepare(_ call: Call) async throws -> (PushClientFixture, @Sendable () async throws -> Void)
    {
        let fixture = try await PushClientFixture()
        let client = fixture.client
        let credential = try await fixture.enrol()
        func push(_ claims: JSONValue = [:]) async throws -> String {
            try await fixture.deliver(claims, to: credential).id
        }
        switch call {
        case .enrol:
            let uri = try PushClientFixture.uri("carl")
            return (fixture, { _ = try await client.addCredentialFromUri(uri) })
        case .approve:
            let id = try await push()
            return (fixture, { _ = try await client.approveNotification(id) })
        case .deny:
            let id = try await push()
            return (fixture, { _ = try await client.denyNotification(id) })
        case .challenge:
            let id = try await push(["k": "challenge", "n": "1,2,3"])
            return (
                fixture, { _ = try await client.approveChallengeNotification(id, challengeResponse: "2") }
            )
        case .biometric:
            let id = try await push(["k": "biometric"])
            return (
                fixture,
                { _ = try await client.approveBiometricNotification(id, authenticationMethod: "face") }
            )
        case .setDeviceToken: return (fixture, { _ = try await client.setDeviceToken("0a0b") })
        }
    }

    @Test(
        arguments: Call.allCases,
        [
            URLError.Code.timedOut, .cannotFindHost, .cannotConnectToHost, .notConnectedToInternet,
            .networkConnectionLost,
        ]
    )
    func aNetworkFailureContainsTheSystemsError(_ call: Call, _ code: URLError.Code) async throws {
        let (fixture, send) = try await prepare(call)
        fixture.server.willAnswer { _ in throw URLError(code) }
        let error = await #expect(throws: PushError.self) { try await send() }
        guard case .networkFailure(_, let cause as URLError)? = error else {
            Issue.record("\(String(describing: error)) is not networkFailure with a URLError.")
            return
        }
        #expect(cause.code == code)
    }

    @Test(arguments: Call.allCases)
    func aNetworkFailureForAServerErrorContainsNoCause(_ call: Call) async throws {
        let (fixture, send) = try await prepare(call)
        fixture.server.willAnswer { _ in .fault }
        let error = await #expect(throws: PushError.self) { try await send() }
        guard case .networkFailure(_, nil)? = error else {
            Issue.record("\(String(describing: error)) is not networkFailure without a cause.")
            return
        }
    }

    /// A call fails with `networkFailure` if its task is cancelled before the request or during the request.
    @Test(arguments: Call.allCases, [true, false])
    func aCancelledTaskIsANetworkFailure(_ call: Call, _ isBefore: Bool) async throws {
        let (fixture, send) = try await prepare(call)
        let sent = fixture.server.requests.count
        fixture.server.willAnswer { _ in
            try await Task.sleep(for: .seconds(60))
            return .ok
        }
        let task = Task {
            if isBefore { withUnsafeCurrentTask { $0?.cancel() } }
            try await send()
        }
        if !isBefore {
            try await waitFor("the request to arrive") { fixture.server.requests.count > sent }
            task.cancel()
        }
        try await expectCancellation(of: task)
    }

    /// A removal fails with `networkFailure` if it is cancelled during its request or in the app's session provider.
    @Test(arguments: [true, false])
    func aCancelledRemovalIsANetworkFailure(_ isInProvider: Bool) async throws {
        let fixture = try await PushClientFixture()
        let (client, server) = (fixture.client, fixture.server)
        let credential = try await fixture.enrol()
        let sent = server.requests.count
        server.willAnswer { _ in
            try await Task.sleep(for: .seconds(60))
            return .ok
        }
        let isAsked = Lock(false)
        let task = Task {
            _ = try await client.deleteCredential(credential.id) { credential in
                isAsked.withValue { $0 = true }
                if isInProvider { try await Task.sleep(for: .seconds(60)) }
                return PushServerSession(value: "session", userId: credential.accountName)
            }
        }
        try await waitFor("the removal to begin") {
            isInProvider ? isAsked.withValue { $0 } : server.requests.count > sent
        }
        task.cancel()
        try await expectCancellation(of: task)
        #expect(try await client.getCredential(credential.id)?.owedRemoval != nil)
    }

    private func expectCancellation(of task: Task<Void, any Error>) async throws {
        let error = await #expect(throws: PushError.self) { try await task.value }
        guard case .networkFailure(_, let cause as URLError)? = error else {
            Issue.record("\(String(describing: error)) is not networkFailure with a URLError.")
            return
        }
        #expect(cause.code.rawValue == -999)
    }
}
