import Foundation
import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCore
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// A server that listens on addresses besides 127.0.0.1, and has other host names.
struct ListeningTests {
    @Test(
        arguments: [
            ("127.0.0.1", "127.0.0.1", 0, "127.0.0.1"),
            ("192.168.1.10:8443", "192.168.1.10", 8443, "192.168.1.10"),
            ("::1", "::1", 0, "[::1]"), ("[fd00::2]", "fd00::2", 0, "[fd00::2]"),
            ("[fd00::2]:8443", "fd00::2", 8443, "[fd00::2]"), ("0.0.0.0:1", "0.0.0.0", 1, "0.0.0.0"),
        ] as [(String, String, UInt16, String)]
    )
    func aListenAddressIsParsedIntoHostAndPort(
        _ text: String,
        _ host: String,
        _ port: UInt16,
        _ urlHost: String
    ) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.urlHost == urlHost)
    }

    @Test(arguments: [
        "", ":80", "localhost", "am.example.test:80", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:x", "[::1",
        "[::1]x", "[::1]:", "[127.0.0.1]", "[127.0.0.1]:80", "1.2.3", "::1:::", "127.0.0.1:80:80",
    ])
    func invalidAddressIsRejected(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }

    private func status(_ port: UInt16, _ path: String, _ headers: String...) async throws -> String {
        let socket = try LoopbackClient(port: port)
        let lines = headers.map { "\($0)\r\n" }.joined()
        return String(await socket.send("GET \(path) HTTP/1.1\r\n\(lines)\r\n").dropFirst(9).prefix(3))
    }

    /// Each address accepts its own host names, and the host of the server's `base`.
    @Test func aRequestMustNameAHostOfItsAddress() async throws {
        let server = try await SimulatorServer.start(offersControl: true)
        let address = try #require(ListenAddress("127.0.0.1"))
        let other = try await server.listen(at: address, hosts: ["10.9.8.7", "[fd00::2]"])
        server.base = "https://AM.example.test:8443/am"
        let path = "/control/\(try #require(server.control).split(separator: "/").last ?? "")/devices"
        let expected = [
            ("127.0.0.1", "200", "403"), ("localhost:80", "200", "403"), ("10.9.8.7", "403", "200"),
            ("10.9.8.7:8443", "403", "200"), ("[fd00::2]:8443", "403", "200"), ("[fd00::2]", "403", "200"),
            ("am.example.test", "200", "200"), ("am.example.test:1", "200", "200"),
            ("am.example.test.attacker.example", "403", "403"), ("", "403", "403"), ("fd00::2", "403", "403"),
        ]
        for (host, here, there) in expected {
            #expect(try await status(server.port, path, "Host: \(host)") == here, "\(host)")
            #expect(try await status(other, path, "Host: \(host)") == there, "\(host)")
        }
        let origins = [
            ("https://am.example.test:8443", "200"), ("http://10.9.8.7", "200"),
            ("https://attacker.example", "403"),
            ("null", "403"), ("file://am.example.test", "403"),
        ]
        for (origin, there) in origins {
            #expect(
                try await status(other, path, "Host: 10.9.8.7", "Origin: \(origin)") == there,
                "\(origin)"
            )
        }
        await server.stop()
        await #expect(throws: (any Error).self) { try await status(other, path, "Host: 10.9.8.7") }
    }

    #if canImport(Glibc)
    /// A child process can inherit the server's listening socket, but the port must not stay open after `stop()`.
    @Test func aProcessThatInheritsTheSocketDoesNotKeepThePortOpen() async throws {
        let server = try await SimulatorServer.start()
        var arguments = [strdup("sleep"), strdup("600"), nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        try #require(posix_spawn(&process, "/bin/sleep", nil, nil, &arguments, environ) == 0)
        defer {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        #expect(try await status(server.port, "/", "Host: 127.0.0.1") == "404")
        await server.stop()
        #expect(throws: POSIXError.self) { try LoopbackClient(port: server.port) }
    }
    #endif

    @Test func codesAndTheControlAddressUseTheBase() async throws {
        let server = try await SimulatorServer.start(offersControl: true, token: "sixteen-letters-")
        #expect(server.control == "http://127.0.0.1:\(server.port)/control/sixteen-letters-")
        server.base = "https://[fd00::2]:8443/openam"
        let code = try server.simulator.createRegistration(
            RegistrationOrder(issuer: "Forge", account: "demo")
        )
        #expect(code.endpoints.registration.hasPrefix("https://[fd00::2]:8443/openam/json/push/sns/message?"))
        #expect(server.control == "https://[fd00::2]:8443/control/sixteen-letters-")
        #expect(server.localControl == "http://127.0.0.1:\(server.port)/control/sixteen-letters-")
        await server.stop()
    }

    /// If a request does not contain the token, it can reach only the endpoints of PingAM.
    @Test func controlAcceptsTheTokenInThePathOrAHeader() async throws {
        let server = try await SimulatorServer.start(offersControl: true, token: "sixteen-letters-")
        let host = "Host: 127.0.0.1"
        let right = "Authorization: Bearer sixteen-letters-"
        #expect(try await status(server.port, "/control/devices", host, right) == "200")
        #expect(try await status(server.port, "/control/sixteen-letters-/devices", host) == "200")
        for wrong in [
            "Bearer sixteen-letters", "bearer sixteen-letters-", "Bearer ", "Basic sixteen-letters-",
        ] {
            #expect(
                try await status(server.port, "/control/devices", host, "Authorization: \(wrong)") == "404"
            )
        }
        for path in [
            "/control/devices", "/control/sixteen-letters/devices", "/am/control/sixteen-letters-/devices",
        ] {
            #expect(try await status(server.port, path, host) == "404")
        }
        await server.stop()
    }

    @Test func profileRequiresTheToken() async throws {
        let server = try await SimulatorServer.start(offersControl: true)
        let address = "\(try #require(server.control))/profile"
        #expect(try await Wire().send("GET", address).status == 404)
        await server.offer(profile: Data(#"{"a":1}"#.utf8))
        #expect(try await Wire().send("GET", address) == Answer(status: 200, body: ["a": 1]))
        #expect(try await Wire().send("GET", "http://127.0.0.1:\(server.port)/control/profile").status == 404)
        await server.stop()
    }

    @Test func listeningAtAnotherMachinesAddressFails() async throws {
        let server = try await SimulatorServer.start()
        // This address comes from RFC 5737. No machine has it.
        let address = try #require(ListenAddress("192.0.2.1:8443"))
        let error = await #expect(throws: SimulatorError.self) {
            try await server.listen(at: address, hosts: [])
        }
        #expect(error?.code == .portUnavailable)
        #expect(error?.reason.contains("192.0.2.1") == true)
        await server.stop()
    }
}
