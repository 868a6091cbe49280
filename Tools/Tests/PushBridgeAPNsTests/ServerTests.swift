import Foundation
import PushBridgeCore
import PushBridgeToolsTestSupport
import Testing

@testable import PushBridgeAPNs

/// The stand-in and its clients over a real connection.
@Suite struct ServerTests {
    private let world: Surroundings
    private let folder: TemporaryFolder
    private let files: (certificate: String, key: String)

    init() throws {
        world = try Surroundings()
        folder = try TemporaryFolder()
        let certificate = try APNsCertificate()
        files = (
            try folder.file("certificate.pem", certificate.pem).path,
            try folder.file("certificate-key.pem", certificate.keyPEM).path
        )
    }

    private func start(port: Int = 0) async throws -> (APNsServer, APNsConnection) {
        let server = try await APNsServer.start(
            world.service,
            certificate: files.certificate,
            privateKey: files.key,
            port: port
        )
        let connection = try APNsConnection(
            host: "localhost",
            port: server.port,
            certificate: files.certificate
        )
        return (server, connection)
    }

    private func provider(_ connection: APNsConnection) -> APNsProvider {
        APNsProvider(name: "main", topic: world.push.topic, key: world.key, transport: connection)
    }

    @Test func everyPushReachesItsDeviceOnce() async throws {
        let (server, connection) = try await start()
        let (provider, push) = (provider(connection), world.push)
        let kept = try await provider.send(push)
        #expect(kept.answer.status == 200)
        let arriving = try await connection.pushes(to: push.token, topic: push.topic)
        let ids = (0..<250).map { _ in UUID().uuidString }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in ids {
                group.addTask {
                    var push = push
                    push.id = id
                    let outcome = try await provider.send(push)
                    #expect(outcome == APNsOutcome(answer: APNsAnswer(id: id), attempts: 1))
                }
            }
            try await group.waitForAll()
        }
        var arrived: [String] = []
        for try await line in arriving {
            let json = try #require(JSONValue(json: line))
            #expect(json["payload"] == ["aps": ["alert": "x"]])
            guard case .string(let id)? = json["id"] else { continue }
            arrived.append(id)
            if arrived.count == ids.count + 1 { break }
        }
        #expect(arrived.first == kept.answer.id)
        #expect(arrived.dropFirst().sorted() == ids.sorted())
        try await server.stop()
    }

    @Test func connectionThatWasLostIsOpenedAgain() async throws {
        let (first, connection) = try await start()
        let provider = provider(connection)
        #expect(try await provider.send(world.push).answer.status == 200)
        try await first.stop()
        await #expect(throws: APNsError.self) { try await provider.send(world.push) }
        let (second, _) = try await start(port: first.port)
        #expect(try await provider.send(world.push).answer.status == 200)
        try await second.stop()
    }

    @Test(arguments: [("alert", "", 4096), ("voip", ".voip", 5120)])
    func payloadIsLimitedByItsChannel(_ type: String, _ suffix: String, _ limit: Int) async throws {
        let (server, connection) = try await start()
        let provider = provider(connection)
        var push = world.push
        push.type = type
        push.topic += suffix
        var answers: [APNsAdvice?] = []
        for bytes in [limit, limit + 1, 1 << 20] {
            push.payload = Surroundings.payload(bytes: bytes)
            answers.append(try await provider.send(push).answer.advice)
        }
        #expect(answers == [nil, .shrink, .shrink])
        try await server.stop()
    }
}
