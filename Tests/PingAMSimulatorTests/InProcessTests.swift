import Foundation
import PingAMSimulator
import PushBridgeCore
import Testing

struct InProcessTests {
    @Test(arguments: [
        ("https://am.example.com:8443/am/json?realm=/%C3%A4&a=1", "/am/json?realm=/%C3%A4&a=1"),
        ("https://am.example.com?a=/b", "?a=/b"), ("https://am.example.com", ""),
    ])
    func pathAndQueryArriveAsSpelled(_ address: String, _ target: String) throws {
        let url = try #require(URL(string: address))
        #expect(SimulatedRequest("POST", url: url, headers: [:], body: Data()).target == target)
    }

    @Test func eachSimulatorHasItsOwnAddress() async throws {
        let (one, other) = (Simulator(), Simulator())
        _ = try await Wire().send(
            "POST",
            "\(one.base)/json/push/sns/message?_action=register",
            body: Data("?".utf8)
        )
        #expect(one.journal.map(\.status) == [400])
        #expect(other.journal.isEmpty)
        #expect(one.base != other.base)
    }

    @Test func transportIgnoresTheHost() async throws {
        let simulator = Simulator()
        let enrolment = try await Enrolment.start()
        let request = enrolment.credential.refreshRequest(device: Enrolment.device)
        #expect(try await simulator.send(request, timeout: 1).status == 400)
        #expect(simulator.journal.map(\.action) == ["refresh"])
    }
}
