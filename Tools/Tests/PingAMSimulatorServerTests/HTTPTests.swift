import FlyingFox
import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// The simulator's behaviour on a socket.
struct HTTPTests {
    /// Returns a device and the server with which the device is registered.
    private func enrolment() async throws -> (Enrolment, SimulatorServer) {
        var server: SimulatorServer?
        let enrolment = try await Enrolment.start { server = try await SimulatorServer.start($0) }
        return (enrolment, try #require(server))
    }

    @Test(arguments: [(Fault.dropConnection, PushState.waiting), (.loseResponse, .approved)])
    func aFaultDropsTheConnectionWithoutAResponse(_ fault: Fault, _ state: PushState) async throws {
        let (enrolment, server) = try await enrolment()
        let push = try enrolment.push()
        server.simulator.withService { $0.arm(fault) }
        let error = await #expect(throws: URLError.self) { try await enrolment.approve(push) }
        // The reply is empty. For an empty reply, Foundation uses different codes on Apple platforms and on
        // Linux.
        #expect(error?.code == .networkConnectionLost || error?.code == .badServerResponse)
        #expect(server.simulator.state(ofPush: push.messageId) == state)
        #expect(server.simulator.journal.map(\.status) == [200, nil])
        await server.stop()
    }

    @Test(arguments: [
        (Fault.serverError, 500, PushState.waiting),
        (.refusal, 400, .waiting),
        (.garbageBody, 200, .approved),
        (.redirect(to: "http://127.0.0.1:9/elsewhere"), 307, .waiting),
        (.delay(.milliseconds(1)), 200, .approved),
    ])
    func faultShowsInTheResponse(_ fault: Fault, _ status: Int, _ state: PushState) async throws {
        let (enrolment, server) = try await enrolment()
        let push = try enrolment.push()
        server.simulator.withService { $0.arm(fault) }
        let answer = try await enrolment.approve(push)
        #expect(answer.status == status)
        if fault == .garbageBody { #expect(answer.body == nil) }
        #expect(server.simulator.state(ofPush: push.messageId) == state)
        await server.stop()
    }

    @Test func theJournalContainsTheRequestAsItWasSent() async throws {
        let (enrolment, server) = try await enrolment()
        _ = try await enrolment.approve(try enrolment.push())
        let entry = try #require(server.simulator.journal.last)
        #expect(entry.method == "POST")
        #expect(entry.target == "/am/json/alpha/push/sns/message?_action=authenticate")
        #expect(entry.headers["host"] == "127.0.0.1:\(server.port)")
        #expect(entry.headers["accept-api-version"] == "resource=1.0, protocol=1.0")
        await server.stop()
    }

    @Test func takenPortIsReported() async throws {
        let first = try await SimulatorServer.start()
        let error = await #expect(throws: SimulatorError.self) {
            try await SimulatorServer.start(port: first.port)
        }
        #expect(error?.code == .portUnavailable)
        await first.stop()
    }

    @Test func bodyThatIsTooLargeIsRefused() async throws {
        let server = try await SimulatorServer.start()
        let body = Data(repeating: 0x20, count: (1 << 20) + 1)
        #expect(try await Wire().send("POST", server.base, body: body).status == 413)
        #expect(server.simulator.journal.isEmpty)
        await server.stop()
    }

    /// Endless bodies are not read, because two of them would block all other clients.
    @Test func endlessBodiesCloseTheirConnections() async throws {
        let server = try await SimulatorServer.start()
        let head = "POST /am HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2000000000\r\n\r\n"
        let clients = try (0..<4).map { _ in try LoopbackClient(port: server.port) }
        for client in clients {
            let body = String(repeating: "x", count: 60_000)
            #expect(await client.send(head + body, keepsOpen: true).hasPrefix("HTTP/1.1 413 "))
        }
        #expect(try await Wire().send("GET", server.base).status != 413)
        // Every connection must end, so the test waits for all of them.
        for client in clients { try #require(await client.isEnded()) }
        await server.stop()
    }

    /// In an earlier version, the handler waited an hour for the rest of the body after the client had left.
    @Test func aRequestEndsIfItsClientLeavesInMidBody() async throws {
        let (arrived, failed) = (Awaited<Bool>(), Awaited<Bool>())
        let listener = try await HTTPListener.start(at: .loopback(port: 0)) { request in
            arrived.provide(true)
            do {
                _ = try await request.body(upTo: 1 << 20)
                failed.provide(false)
            } catch {
                failed.provide(true)
            }
            return HTTPResponse(statusCode: .ok)
        }
        let client = try LoopbackClient(port: listener.port)
        client.begin("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10000\r\n\r\n{")
        #expect(try await arrived.value("the request to arrive"))
        client.end()
        #expect(try await failed.value("the end of the request"))
        await listener.stop()
    }

    /// Each client sends nothing, a part of a head, or a part of a body.
    @Test func unfinishedRequestsAreEndedForNewClients() async throws {
        let listener = try await HTTPListener.start(
            at: .loopback(port: 0),
            connections: ConnectionLimit(4)
        ) { _ in HTTPResponse(statusCode: .ok) }
        let head = "HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        let parts = ["", "GET / HT", "POST / \(head)Content-Length: 32768\r\n\r\n{"]
        let clients = try (0..<40).map { index in
            let client = try LoopbackClient(port: listener.port)
            client.begin(parts[index % parts.count])
            return client
        }
        let answer = await (try LoopbackClient(port: listener.port)).send("GET / \(head)\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        for client in clients.prefix(parts.count) { #expect(await client.isEnded()) }
        for client in clients.dropFirst(parts.count) { client.end() }
        await listener.stop()
    }

    /// A connection whose whole request has arrived is not closed for another connection.
    @Test func aCompleteRequestIsAnsweredBesideUnfinishedRequests() async throws {
        let (arrived, released) = (Awaited<Bool>(), Awaited<Bool>())
        let limit = ConnectionLimit(2)
        let listener = try await HTTPListener.start(at: .loopback(port: 0), connections: limit) { _ in
            arrived.provide(true)
            _ = try await released.value("the first of the other clients to end")
            return HTTPResponse(statusCode: .ok)
        }
        let client = try LoopbackClient(port: listener.port)
        async let answer = client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(try await arrived.value("the request to arrive"))
        let others = try (0..<10).map { _ in try LoopbackClient(port: listener.port) }
        #expect(await others[0].isEnded())
        released.provide(true)
        let text = await answer
        #expect(text.hasPrefix("HTTP/1.1 200 "))
        for other in others.dropFirst() { other.end() }
        await listener.stop()
    }

    /// A head that two programs could read differently is refused.
    ///
    /// The HTTP library itself would use the last of two lines with the same name.
    @Test(arguments: [
        "Host: attacker.example\r\nHost: 127.0.0.1", "Host: 127.0.0.1\r\nhost : attacker.example",
        "Host: 127.0.0.1\r\n:Host: attacker.example", "Host: 127.0.0.1\r\n Host: attacker.example",
        "Host: 127.0.0.1\r\nContent-Length: 0\r\nContent-Length: 5",
        "Host: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked",
        "Host: 127.0.0.1\r\nX: \(String(repeating: "x", count: 1 << 15))",
    ])
    func aHeadThatCanBeReadInTwoWaysIsRefused(_ lines: String) async throws {
        let server = try await SimulatorServer.start()
        let socket = try LoopbackClient(port: server.port)
        #expect(await socket.send("GET /am HTTP/1.1\r\n\(lines)\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
        #expect(server.simulator.journal.isEmpty)
        await server.stop()
    }

    /// In an earlier version, two endless heads kept the CPU busy and blocked all other clients.
    @Test func endlessHeadsDelayNoOtherClient() async throws {
        let server = try await SimulatorServer.start()
        let clients = try (0..<8).map { _ in try LoopbackClient(port: server.port) }
        for client in clients {
            let head = String(repeating: "x", count: 60_000)
            #expect(await client.send(head, keepsOpen: true).hasPrefix("HTTP/1.1 400 "))
        }
        let silent = try (0..<8).map { _ in try LoopbackClient(port: server.port) }
        #expect(try await Wire().send("GET", server.base).status == 404)
        #expect(silent.count == 8)
        await server.stop()
    }

    @Test func aHeadThatIsNotCompleteInTimeIsRefused() async throws {
        let listener = try await HTTPListener.start(at: .loopback(port: 0), patience: .zero) { _ in
            Issue.record("The handler was called, although the head of the request is incomplete.")
            return HTTPResponse(statusCode: .ok)
        }
        let answer = await (try LoopbackClient(port: listener.port)).send("GET / HTTP/1.1\r\nHost")
        #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        await listener.stop()
    }

    /// In an earlier version, one long line blocked the server for half a minute.
    ///
    /// The library needs quadratic time for a long line.
    @Test func longLinesDelayNoOtherClient() async throws {
        let server = try await SimulatorServer.start()
        let long = String(repeating: "x", count: 30_000)
        let heads = [
            "GET /\(long) HTTP/1.1\r\nHost: 127.0.0.1", "GET /?\(long) HTTP/1.1\r\nHost: 127.0.0.1",
            "GET /am HTTP/1.1\r\nHost: 127.0.0.1\r\nX: \(long)",
            "GET /am HTTP/1.1\r\nHost: 127.0.0.1\r\n\(String(repeating: "X: y\r\n", count: 5_000))X: y",
        ]
        for head in heads + heads + heads {
            let answer = await (try LoopbackClient(port: server.port)).send("\(head)\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 404 "))
        }
        for (method, status) in [(long, 400), ("GET", 403)] {
            let head = "\(method) /\(method == "GET" ? long : "") HTTP/1.1\r\nHost: attacker.example"
            let answer = await (try LoopbackClient(port: server.port)).send("\(head)\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        }
        let chunked = "POST /am HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n\(long)"
        #expect(await (try LoopbackClient(port: server.port)).send(chunked).hasPrefix("HTTP/1.1 411 "))
        await server.stop()
    }

    /// On each connection, the server ignores the bytes after the first request, even if `keep-alive` is requested.
    @Test func aConnectionServesOneRequest() async throws {
        let server = try await SimulatorServer.start()
        let socket = try LoopbackClient(port: server.port)
        let request = "GET /am/nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n"
        let answers = await socket.send(request + request.replacing("127.0.0.1", with: "attacker.example"))
        #expect(answers.components(separatedBy: "HTTP/1.1 ").count == 2)
        await server.stop()
    }

    @Test(arguments: [
        ("Host", "attacker.example"), ("Host", "127.0.0.1.attacker.example"), ("Host", "[::1]"),
        ("Origin", "https://attacker.example"), ("Origin", "null"), ("Origin", "http://localhost.example"),
    ])
    func webPageOfAnotherSiteIsRefused(_ name: String, _ value: String) async throws {
        let server = try await SimulatorServer.start(offersControl: true)
        let path = try server.controlPath
        let socket = try LoopbackClient(port: server.port)
        let host = name == "Host" ? value : "127.0.0.1:\(server.port)"
        var request = "GET \(path)/devices HTTP/1.1\r\nHost: \(host)\r\n"
        if name == "Origin" { request += "Origin: \(value)\r\n" }
        #expect(await socket.send("\(request)\r\n").hasPrefix("HTTP/1.1 403 "))
        await server.stop()
    }

    @Test(arguments: ["127.0.0.1", "localhost", "LOCALHOST:8080"])
    func requestsOfThisMachineAreAccepted(_ host: String) async throws {
        let server = try await SimulatorServer.start(offersControl: true)
        let socket = try LoopbackClient(port: server.port)
        let path = try server.controlPath
        let request = "GET \(path)/devices HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://localhost:3000\r\n\r\n"
        #expect(await socket.send(request).hasPrefix("HTTP/1.1 200 "))
        await server.stop()
    }

    @Test(arguments: [
        ("POST /am/json/push/sns/message?_action=dance", "501 Not Implemented"),
        ("GET /am/json/users/demo/devices/2fa/push?_queryFilter=true", "401 Unauthorized"),
        ("POST /am/json/push/sns/message?_action=authenticate", "415 Unsupported Media Type"),
        ("GET /am/nowhere", "404 Not Found"),
    ])
    func statusLineHasTheWordsOfItsStatus(_ request: String, _ words: String) async throws {
        var settings = ServiceSettings()
        if words.hasPrefix("415") { settings.alternatives = [.demandedContentType] }
        let server = try await SimulatorServer.start(Simulator(settings: settings))
        let socket = try LoopbackClient(port: server.port)
        let head = "\(request) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n"
        #expect(await socket.send(head).hasPrefix("HTTP/1.1 \(words)\r\n"))
        await server.stop()
    }

    @Test func serverOffersNoControlUnlessAsked() async throws {
        let server = try await SimulatorServer.start()
        #expect(server.control == nil)
        let address = "http://127.0.0.1:\(server.port)/control/devices"
        #expect(try await Wire().send("GET", address).status == 404)
        await server.stop()
    }

    @Test func theAddressOfControlCannotBeGuessed() async throws {
        let server = try await SimulatorServer.start(offersControl: true)
        let other = try await SimulatorServer.start(offersControl: true)
        let path = try server.controlPath
        #expect(path.count > 32)
        #expect(try await Wire().send("GET", "http://127.0.0.1:\(other.port)\(path)/devices").status == 404)
        #expect(try await Wire().send("GET", "http://127.0.0.1:\(server.port)/control/devices").status == 404)
        #expect(
            try await Wire().send("GET", "http://127.0.0.1:\(server.port)\(path)/devices").status == 200
        )
        await server.stop()
        await other.stop()
    }
}

extension SimulatorServer {
    fileprivate var controlPath: String {
        get throws { try #require(control.flatMap { URL(string: $0)?.path }) }
    }
}
