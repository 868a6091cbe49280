import Foundation
import NIOHPACK
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import PushBridgeAPNs

/// Tests the stand-in and its clients over a real connection.
@Suite struct ServerTests {
    private let world: TestEnvironment
    private let folder: TemporaryFolder
    private let files: (certificate: String, key: String)

    init() throws {
        world = try TestEnvironment()
        folder = try TemporaryFolder()
        let certificate = try APNsCertificate()
        files = (
            try folder.file("certificate.pem", certificate.pem).path,
            try folder.file("certificate-key.pem", certificate.keyPEM).path
        )
    }

    private func start(port: UInt16 = 0) async throws -> (APNsServer, APNsConnection) {
        let server = try await APNsServer.start(
            world.service,
            certificate: files.certificate,
            privateKey: files.key,
            port: port
        )
        let connection = try APNsConnection(
            host: "localhost",
            port: server.port,
            control: server.control,
            certificate: files.certificate
        )
        return (server, connection)
    }

    /// `waitUntilStopped` also returns if the stand-in has already stopped: a signal may arrive before the caller
    /// waits.
    @Test(.timeLimit(.minutes(1))) func waitingForAStoppedStandInReturns() async throws {
        let (server, _) = try await start()
        try await server.stop()
        await server.waitUntilStopped()
    }

    private static let tooLarge = APNsError(
        code: .noAnswer,
        reason: "The response is larger than 1 MB, so it is not from APNs."
    )

    /// A connection rejects answers and push lines above its limit, so that an endless answer cannot fill the memory.
    @Test func answersAndPushLinesAboveTheLimitAreRejected() async throws {
        let (server, connection) = try await start()
        let limited = try APNsConnection(
            host: "localhost",
            port: server.port,
            control: server.control,
            certificate: files.certificate,
            limit: 10
        )
        var push = world.push
        push.topic = "com.example.unknown"
        await #expect(throws: Self.tooLarge) { try await provider(limited).send(push) }
        let arriving = try await limited.pushes(to: world.push.token, topic: world.push.topic)
        let outcome = try await provider(connection).send(world.push)
        #expect(outcome.answer.status == 200)
        await #expect(throws: Self.tooLarge) { for try await _ in arriving {} }
    }

    /// Only clients that know the secret path reach the endpoints for devices and tests.
    @Test(arguments: ["", "/control", "/00000000000000000000000000000000"])
    func controlEndpointsRequireTheSecretPath(_ path: String) async throws {
        let (server, connection) = try await start()
        let fault = Data(#"{"reason":"Shutdown"}"#.utf8)
        func order(below path: String) async throws -> Int {
            let headers: HPACKHeaders = [
                ":method": "POST", ":scheme": "https", ":path": "\(path)/control/faults",
            ]
            return try await connection.send(APNsRequest(headers: headers, body: fault)).status
        }
        #expect(try await order(below: path) == 404)
        let stranger = try APNsConnection(
            host: "localhost",
            port: server.port,
            control: path,
            certificate: files.certificate
        )
        let error = await #expect(throws: APNsError.self) {
            _ = try await stranger.pushes(to: world.push.token, topic: world.push.topic)
        }
        #expect(error?.code == .noDevices)
        #expect(try await provider(connection).send(world.push).answer.status == 200)
        #expect(try await order(below: server.control) == 200)
    }

    /// The server refuses a body that is larger than any push, even before the client has sent the whole body.
    @Test func aBodyWithoutEndIsRefused() async throws {
        let (server, _) = try await start()
        let curl = Process()
        let output = Pipe()
        curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        curl.arguments = [
            "curl", "--silent", "--http2", "--cacert", files.certificate, "--max-time", "20", "--request",
            "POST",
            "--upload-file", "-", "--output", "/dev/null", "--write-out", "%{http_code}",
            "https://localhost:\(server.port)/3/device/\(world.push.token)",
        ]
        curl.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/zero"))
        curl.standardOutput = output
        try curl.run()
        try curl.waitForEnd("curl to end")
        #expect(curl.terminationStatus != 28, "The body was not refused within the time limit.")
        let status = try #require(try output.fileHandleForReading.readToEnd())
        #expect(status == Data("413".utf8) || status == Data("403".utf8))
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
        let lines: [Data] = try await waitForCall("every push to arrive") { receive in
            Task { receive(try await arriving.prefix(ids.count + 1).reduce(into: []) { $0.append($1) }) }
        }
        let pushes = lines.compactMap { JSONValue(json: $0) }
        #expect(pushes.allSatisfy { $0["payload"] == ["aps": ["alert": "x"]] })
        let arrived = pushes.compactMap { push in
            if case .string(let id)? = push["id"] { id } else { nil }
        }
        #expect(arrived.first == kept.answer.id)
        #expect(arrived.dropFirst().sorted() == ids.sorted())
        try await server.stop()
    }

    @Test func lostConnectionIsReopened() async throws {
        let (first, connection) = try await start()
        let provider = provider(connection)
        #expect(try await provider.send(world.push).answer.status == 200)
        try await first.stop()
        let error = await #expect(throws: APNsError.self) { try await provider.send(world.push) }
        // The client may or may not have noticed that the old connection was lost.
        #expect(error?.code == .unreachable || error?.code == .noAnswer)
        let (second, _) = try await start(port: first.port)
        #expect(try await provider.send(world.push).answer.status == 200)
        try await second.stop()
    }

    /// Returns the reason of the `APNsError` that the body throws; an empty text if the body throws no error.
    private func reason(_ body: () async throws -> Void) async throws -> String {
        do {
            try await body()
        } catch let error as APNsError {
            return error.reason
        }
        return ""
    }

    @Test func failuresAreReportedInOneSentence() async throws {
        let (server, connection) = try await start()
        let host = "localhost:\(server.port)"
        let noDevices = try await reason { _ = try await connection.pushes(to: "0a0b", topic: "com.a") }
        #expect(noDevices == "\(host) has no endpoint for devices; only the stand-in has one.")

        let other = try folder.file("other.pem", try APNsCertificate().pem).path
        let stranger = try APNsConnection(host: "localhost", port: server.port, certificate: other)
        let mistrust = try await reason { _ = try await provider(stranger).send(world.push) }
        #expect(mistrust == "The certificate of \(host) is not the one in \(other).")

        for file in [files.key, folder.path("none")] {
            let noCertificate = try await reason {
                _ = try APNsConnection(host: "localhost", port: server.port, certificate: file)
            }
            #expect(noCertificate == "\(file) is not a certificate in PEM.")
        }
        let misfit = try folder.file("misfit.pem", try APNsCertificate().keyPEM).path
        for (certificate, key, sentence) in [
            (files.key, files.key, "\(files.key) is not a certificate in PEM."),
            (files.certificate, files.certificate, "\(files.certificate) is not a private key in PEM."),
            (files.certificate, misfit, "\(files.certificate) and \(misfit) do not match."),
        ] {
            let error = try await reason {
                _ = try await APNsServer.start(world.service, certificate: certificate, privateKey: key)
            }
            #expect(error == sentence)
        }
        let taken = try await reason { _ = try await start(port: server.port) }
        #expect(
            taken
                == "The port \(server.port) cannot be opened: it is in use, or you do not have permission to open it."
        )
        try await server.stop()
        let gone = try await reason { _ = try await provider(stranger).send(world.push) }
        #expect(gone == "\(host) cannot be reached.")
    }

    @Test func lateAnswerIsAnError() async throws {
        var service = world.service
        var fault = APNsFault(nil)
        fault.seconds = 100
        service.faults = [fault]
        let server = try await APNsServer.start(
            service,
            certificate: files.certificate,
            privateKey: files.key
        )
        let connection = try APNsConnection(
            host: "localhost",
            port: server.port,
            certificate: files.certificate,
            patience: .seconds(1)
        )
        let late = try await reason { _ = try await provider(connection).send(world.push) }
        #expect(late == "localhost:\(server.port) gave no answer within 1 seconds.")
        try await server.stop()
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
            push.payload = TestEnvironment.payload(bytes: bytes)
            answers.append(try await provider.send(push).answer.advice)
        }
        #expect(answers == [nil, .shrink, .shrink])
        try await server.stop()
    }
}
