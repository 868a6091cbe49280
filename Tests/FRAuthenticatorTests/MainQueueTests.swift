import Dispatch
import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestPhone
import PushBridgeTestSupport
import Testing

/// The setting that makes the legacy API call every callback on the main queue.
@Suite("Callbacks on the main queue")
struct MainQueueTests {
    #if compiler(>=6.2) && (os(Linux) || os(macOS))
    /// This test runs in a child process, because `callsBackOnMainQueue` applies to the whole process.
    @Test func everyCallbackIsOnTheMainQueueIfTheAppAsksForIt() async throws {
        await #expect(processExitsWith: .success) {
            FRAClient.callsBackOnMainQueue = true
            let places = try await callbackPlaces()
            #expect(places.count == 23)
            for (call, isMain) in places { #expect(isMain, "\(call)") }
        }
    }

    @Test func withoutTheSettingOnlyFourCallbacksRunOnTheMainQueue() async throws {
        await #expect(processExitsWith: .success) {
            #expect(!FRAClient.callsBackOnMainQueue)
            // In the SDK, an update of all mechanisms' tokens calls back on the main queue. The delivery
            // helpers do the same.
            let onMain = try await callbackPlaces().filter(\.isMain).map(\.call)
            #expect(onMain == ["update failed", "presentation", "background result", "reaction"])
        }
    }
    #endif
}

/// Makes a call of each kind.
///
/// Returns, for each call, whether its callback was on the main queue.
private func callbackPlaces() async throws -> [(call: String, isMain: Bool)] {
    var places: [(call: String, isMain: Bool)] = []
    let fixture = try ClientFixture()
    func record(_ call: String, _ body: (@escaping SuccessCallback, @escaping ErrorCallback) -> Void) async {
        places.append((call, await outcome(body).isOnMainQueue))
    }
    let uri = try #require(URL(string: try ClientFixture.uri()))
    await record("update failed") {
        fixture.handler.updateDeviceToken(deviceToken: "00FF", onSuccess: $0, onFailure: $1)
    }
    fixture.setToken()
    await record("enrolment succeeded") { succeed, fail in
        fixture.client.createMechanismFromUri(uri: uri, onSuccess: { _ in succeed() }, onError: fail)
    }
    await record("enrolment failed") { succeed, fail in
        fixture.client.createMechanismFromUri(uri: uri, onSuccess: { _ in succeed() }, onError: fail)
    }
    let mechanism = try #require(fixture.client.getAllAccounts().first?.mechanisms.first as? PushMechanism)
    await record("update of one succeeded") {
        fixture.handler.updateDeviceToken(
            mechanism: mechanism,
            deviceToken: "0A0B",
            onSuccess: $0,
            onFailure: $1
        )
    }
    fixture.server.willAnswer { _ in .fault }
    await record("update of one failed") {
        fixture.handler.updateDeviceToken(
            mechanism: mechanism,
            deviceToken: "0C0D",
            onSuccess: $0,
            onFailure: $1
        )
    }
    fixture.server.willAnswer { _ in .ok }
    places += try await answerPlaces(fixture, mechanism)
    places += try await deliveryPlaces(fixture, mechanism)
    let account = try #require(fixture.client.getAllAccounts().first)
    let session = Recorder()
    await record("removal succeeded") { succeed, fail in
        fixture.client.removeAccount(
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
    let store = GatedLockableStore(MemoryCredentialStore())
    let locked = try ClientFixture(store)
    store.isLocked.withValue { $0 = true }
    await record("removal failed") { succeed, fail in
        locked.client.removeAccount(
            account: account,
            unregistering: { _, answer in answer(nil) },
            onSuccess: { _ in succeed() },
            onError: fail
        )
    }
    await record("retry failed") { succeed, fail in
        locked.client.retryOwedRemovals(
            unregistering: { _, answer in answer(nil) },
            onSuccess: { _ in succeed() },
            onError: fail
        )
    }
    await record("retry succeeded") { succeed, fail in
        fixture.client.retryOwedRemovals(
            unregistering: { _, answer in answer(nil) },
            onSuccess: { _ in succeed() },
            onError: fail
        )
    }
    for (call, address) in [("request not sent", "no address"), ("request failed", "http://127.0.0.1:9")] {
        await record(call) { succeed, fail in
            let request = Request(url: address, method: .GET, timeoutInterval: 5)
            RestClient.shared.invoke(request: request) { result in
                if case .failure(let error) = result { fail(error) } else { succeed() }
            }
        }
    }
    return places
}

/// Returns, for each answer to a push, whether its callbacks were on the main queue.
///
/// The server accepts the first answer. The second answer fails because the push has already been answered.
private func answerPlaces(
    _ fixture: ClientFixture,
    _ mechanism: PushMechanism
) async throws -> [(call: String, isMain: Bool)] {
    typealias Answer = (FRAuthenticator.PushNotification, @escaping SuccessCallback, @escaping ErrorCallback)
        -> Void
    let answers: [(name: String, claims: JSONValue, answer: Answer)] = [
        ("approval", [:], { $0.accept(onSuccess: $1, onError: $2) }),
        ("denial", [:], { $0.deny(onSuccess: $1, onError: $2) }),
        (
            "number", ["k": "challenge", "n": "34,43,57"],
            { $0.accept(challengeResponse: "43", onSuccess: $1, onError: $2) }
        ),
        (
            "local authentication", ["k": "biometric"],
            { $0.accept(title: "Login", allowDeviceCredentials: true, onSuccess: $1, onError: $2) }
        ),
    ]
    var places: [(call: String, isMain: Bool)] = []
    for (name, claims, answer) in answers {
        let push = try #require(try fixture.deliver(claims, to: mechanism, messageId: name))
        for ending in ["succeeded", "failed"] {
            let report = await outcome { answer(push, $0, $1) }
            #expect((report.error == nil) == (ending == "succeeded"))
            places.append(("\(name) \(ending)", report.isOnMainQueue))
        }
    }
    return places
}

/// Returns, for each helper that an app's delegates call, whether its callback was on the main queue.
private func deliveryPlaces(
    _ fixture: ClientFixture,
    _ mechanism: PushMechanism
) async throws -> [(call: String, isMain: Bool)] {
    let push = try #require(try fixture.deliver(to: mechanism, messageId: "shown"))
    let stored = try fixture.store.read { try $0.pushCredential(id: mechanism.mechanismUUID) }
    let secret = try #require(stored).sharedSecret
    let claims: JSONValue = ["u": .string(mechanism.mechanismUUID), "c": "Y2hhbGxlbmdl"]
    let payload: [AnyHashable: Any] = [
        "aps": ["messageId": push.messageId, "data": secret.signedToken(claims: claims.data)]
    ]
    var places: [(call: String, isMain: Bool)] = []
    func record(_ call: String, _ body: (@escaping () -> Void) -> Bool) async {
        let recorder = Recorder()
        #expect(body { recorder.record(nil) })
        places.append((call, await recorder.first().isOnMainQueue))
    }
    await record("presentation") { done in fixture.handler.presentation(of: payload) { _ in done() } }
    await record("background result") { done in
        fixture.handler.backgroundResult(of: payload) { _ in done() }
    }
    await record("reaction") { done in
        fixture.handler.perform(PushActions.defaultAction, userInfo: payload) { _ in done() }
    }
    return places
}
