import Foundation
import PingAMSimulator
import PushBridgeCore
import PushBridgeTestSupport
import Testing

struct Faults {
    @Test(arguments: [(Fault.dropConnection, PushState.waiting), (.loseResponse, .approved)])
    func aFaultDropsTheConnectionBeforeOrAfterTheAnswerIsHandled(_ fault: Fault, _ state: PushState)
        async throws
    {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        enrolment.server.withService { $0.arm(fault) }
        let error = await #expect(throws: URLError.self) { try await enrolment.answer(.approve, to: push) }
        #expect(error?.code == .networkConnectionLost)
        #expect(enrolment.server.state(ofPush: push.messageId) == state)
        #expect(enrolment.server.journal.map(\.status) == [200, nil])
    }

    @Test(arguments: [
        (Fault.serverError, 500, PushState.waiting),
        (.refusal, 400, .waiting),
        (.garbageBody, 200, .approved),
        (.redirect(to: "http://127.0.0.1:9/elsewhere"), 307, .waiting),
        (.delay(.milliseconds(1)), 200, .approved),
    ])
    func faultShowsInTheResponse(_ fault: Fault, _ status: Int, _ state: PushState) async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        enrolment.server.withService { $0.arm(fault) }
        let answer = try await enrolment.answer(.approve, to: push)
        #expect(answer.status == status)
        if fault == .garbageBody { #expect(answer.body == nil) }
        #expect(enrolment.server.state(ofPush: push.messageId) == state)
    }

    @Test func delayedResponseIsLate() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        enrolment.server.withService { $0.arm(.delay(.milliseconds(200))) }
        let elapsed = try await ContinuousClock().measure {
            _ = try await enrolment.answer(.approve, to: push)
        }
        #expect(elapsed >= .milliseconds(200))
    }

    @Test func aFaultAppliesOnlyToItsActionAndItsNumberOfRequests() async throws {
        let enrolment = try await Enrolment.start()
        enrolment.server.withService { $0.arm(.serverError, times: 2, action: .authenticate) }
        let refresh = enrolment.credential.refreshRequest(device: Enrolment.device)
        #expect(try await enrolment.wire.send(refresh) == .accepted)
        let push = try enrolment.push()
        #expect(try await enrolment.answer(.approve, to: push).status == 500)
        #expect(try await enrolment.answer(.approve, to: push).status == 500)
        #expect(try await enrolment.answer(.approve, to: push) == .accepted)
    }
}

struct Seeds {
    @Test func sameSeedCreatesTheSameCode() throws {
        #expect(try registration(seed: 7) == registration(seed: 7))
        #expect(try registration(seed: 7) != registration(seed: 8))
        #expect(try registration(seed: nil) != registration(seed: nil))
    }

    private func registration(seed: UInt64?) throws -> PushRegistration {
        var settings = ServiceSettings()
        settings.seed = seed
        var service = SimulatedService(settings: settings)
        let order = RegistrationOrder(issuer: "Forge", account: "demo")
        return try service.createCode(order, at: Date(timeIntervalSince1970: 0)).registration
    }
}

struct HeldResponses {
    @Test func aHeldRequestIsHandledAtOnceAndAnsweredAfterItsRelease() async throws {
        let enrolment = try await Enrolment.start()
        let push = try enrolment.push()
        enrolment.server.holdResponses()
        async let answer = enrolment.answer(.approve, to: push)
        try await waitFor("the answer to arrive") { enrolment.server.journal.count == 2 }
        #expect(enrolment.server.state(ofPush: push.messageId) == .approved)
        enrolment.server.releaseResponses()
        #expect(try await answer == .accepted)
        #expect(enrolment.server.journal.last?.method == "POST")
        #expect(
            enrolment.server.journal.last?.target == "/am/json/alpha/push/sns/message?_action=authenticate"
        )
    }
}
