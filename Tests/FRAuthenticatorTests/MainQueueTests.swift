import Dispatch
import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeTestSupport
import Testing

/// The setting that has every callback of the legacy API called on the main queue.
@Suite("Callbacks on the main queue")
struct MainQueueTests {
    #if compiler(>=6.2) && (os(Linux) || os(macOS))
    /// In a child process, because the setting is one for the process.
    @Test func everyCallbackIsOnTheMainQueueIfTheAppAsksForIt() async throws {
        await #expect(processExitsWith: .success) {
            FRAClient.callsBackOnMainQueue = true
            let places = try await callbackPlaces()
            #expect(places.count == 12)
            for (call, isMain) in places { #expect(isMain, "\(call)") }
        }
    }

    @Test func withoutTheSettingNoneOfThemIs() async throws {
        await #expect(processExitsWith: .success) {
            #expect(!FRAClient.callsBackOnMainQueue)
            // The setting of the SDK: `updateDeviceToken` calls back on the main queue.
            let onMain = try await callbackPlaces().filter(\.isMain).map(\.call)
            #expect(Set(onMain).isSubset(of: ["update succeeded", "update failed"]))
        }
    }
    #endif
}

/// Makes a call of each kind, and returns whether its callback was on the main queue.
private func callbackPlaces() async throws -> [(call: String, isMain: Bool)] {
    var places: [(call: String, isMain: Bool)] = []
    let bench = try Bench()
    func note(_ call: String, _ body: (@escaping SuccessCallback, @escaping ErrorCallback) -> Void) async {
        places.append((call, await outcome(body).isOnMainQueue))
    }
    let uri = try #require(URL(string: try Bench.uri()))
    await note("update failed") {
        bench.handler.updateDeviceToken(deviceToken: "00FF", onSuccess: $0, onFailure: $1)
    }
    bench.setToken()
    await note("enrolment succeeded") { succeed, fail in
        bench.client.createMechanismFromUri(uri: uri, onSuccess: { _ in succeed() }, onError: fail)
    }
    await note("enrolment failed") { succeed, fail in
        bench.client.createMechanismFromUri(uri: uri, onSuccess: { _ in succeed() }, onError: fail)
    }
    let mechanism = try #require(bench.client.getAllAccounts().first?.mechanisms.first as? PushMechanism)
    await note("update succeeded") {
        bench.handler.updateDeviceToken(
            mechanism: mechanism,
            deviceToken: "0A0B",
            onSuccess: $0,
            onFailure: $1
        )
    }
    let first = try #require(try bench.deliver(to: mechanism, messageId: "1"))
    await note("approval succeeded") { first.accept(onSuccess: $0, onError: $1) }
    await note("approval failed") { first.accept(onSuccess: $0, onError: $1) }
    let second = try #require(try bench.deliver(to: mechanism, messageId: "2"))
    await note("denial succeeded") { second.deny(onSuccess: $0, onError: $1) }
    let account = try #require(bench.client.getAllAccounts().first)
    let session = Recorder()
    await note("removal succeeded") { succeed, fail in
        bench.client.removeAccount(
            account: account,
            unregistering: { _, answer in
                session.record(nil)
                answer(nil)
            },
            onSuccess: { _ in succeed() },
            onError: fail
        )
    }
    places.append(("session", await session.first().isOnMainQueue))
    await note("retry succeeded") { succeed, fail in
        bench.client.retryOwedRemovals(
            unregistering: { _, answer in answer(nil) },
            onSuccess: { _ in succeed() },
            onError: fail
        )
    }
    for (call, address) in [("request not sent", "no address"), ("request failed", "http://127.0.0.1:9")] {
        await note(call) { succeed, fail in
            let request = Request(url: address, method: .GET, timeoutInterval: 5)
            RestClient.shared.invoke(request: request) { result in
                if case .failure(let error) = result { fail(error) } else { succeed() }
            }
        }
    }
    return places
}
