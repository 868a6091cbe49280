import FRAuthenticator
import PushBridgeCore
import PushBridgePlatform
import Testing

/// Row 30 of the legacy behaviour and its relatives: what a server took is neither reported as failed nor left to be
/// answered again, although the app's storage did not take it.
@Suite("Outcomes that a storage does not take")
struct HeldOutcomeTests {
    private let storage = CountingStorage()
    private let bench: Bench
    private let every = Set(1...1000)

    init() throws {
        bench = try Bench(storage: storage)
    }

    /// Has the storage refuse every change from the moment at which the server is asked.
    private func refuseOnceTheServerIsAsked() {
        let (storage, every) = (storage, every)
        bench.server.willAnswer { _ in
            storage.refuse(every)
            return .ok
        }
    }

    @Test(arguments: [true, false])
    func anAnswerThatTheServerTookCounts(_ isApproval: Bool) async throws {
        let push = try #require(try bench.deliver(to: await bench.enrol()))
        refuseOnceTheServerIsAsked()
        let report = await outcome {
            isApproval ? push.accept(onSuccess: $0, onError: $1) : push.deny(onSuccess: $0, onError: $1)
        }
        #expect(report.error == nil)
        let sent = bench.server.requests.count
        #expect(storage.getAllNotifications().map(\.isPending) == [true])
        let shown = try #require(bench.client.getAllNotifications().first)
        #expect((shown.isPending, shown.isApproved) == (false, isApproval))
        for answered in [push, shown] {
            let again = await outcome { answered.accept(onSuccess: $0, onError: $1) }
            guard case PushNotificationError.notificationInvalidStatus? = again.error else {
                Issue.record("Answered again: \(String(describing: again.error)).")
                return
            }
        }
        #expect(bench.server.requests.count == sent)
        storage.refuse([])
        _ = bench.client.getAllNotifications()
        #expect(storage.getAllNotifications().map(\.isPending) == [false])
        #expect(storage.getAllNotifications().map(\.isApproved) == [isApproval])
    }

    @Test func aRegistrationThatTheServerTookCounts() async throws {
        bench.setToken()
        refuseOnceTheServerIsAsked()
        let mechanism = try await bench.create(Bench.uri())
        #expect(storage.getAllAccounts() == [])
        let listed = bench.client.getAllAccounts().flatMap(\.mechanisms).map(\.mechanismUUID)
        #expect(listed == [mechanism.mechanismUUID])
        storage.refuse([])
        let account = try #require(bench.client.getAllAccounts().first)
        #expect(account.mechanisms.map(\.mechanismUUID) == [mechanism.mechanismUUID])
        #expect(storage.getMechanismsForAccount(account: account).map(\.mechanismUUID) == listed)
    }

    @Test func aTokenThatTheServerTookCounts() async throws {
        try await bench.enrol()
        refuseOnceTheServerIsAsked()
        let report = await outcome {
            bench.handler.updateDeviceToken(deviceToken: "AABB", onSuccess: $0, onFailure: $1)
        }
        #expect(report.error == nil)
        #expect(bench.handler.deviceToken == "AABB")
    }
}
