import Foundation
import PushBridgeTestSupport
import Testing

@testable import PushBridgeAPNs

/// The front, which makes a simulated server reachable from other machines, and the front's certificate.
@Suite struct FrontTests {
    private static let request = "GET /am HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Starts a front whose backend echoes the forwarded bytes, and calls `play` with the front's port and the backend.
    private func exchange(
        _ limits: FrontLimits = FrontLimits(),
        _ play: (UInt16, Echo) async throws -> Void
    ) async throws {
        let echo = try await Echo.start()
        let front = try await FrontServer.start(
            address: "127.0.0.1",
            port: 0,
            to: echo.port,
            identity: nil,
            limits: limits
        )
        try await play(front.port, echo)
        try await front.stop()
        try await echo.stop()
    }

    /// The front forwards a request once its head is complete, even if the head arrives in parts.
    ///
    /// The front forwards the bytes that follow the head unchanged.
    @Test func requestIsForwardedOnceItsHeadIsComplete() async throws {
        try await exchange { port, echo in
            let slow = try await Client.connect(port)
            try await slow.send("GET /am HTTP/1.1\r\nHost: a\r")
            // The front has one thread, so it reads the first bytes before it answers the second client.
            let quick = try await Client.connect(port)
            try await quick.send(Self.request)
            #expect(try await quick.read(until: "\r\n\r\n") == Self.request)
            #expect(echo.clients == 1)
            try await slow.send("\n\r\nrest")
            #expect(try await slow.read(until: "rest") == "GET /am HTTP/1.1\r\nHost: a\r\n\r\nrest")
            #expect(echo.clients == 2)
            try await slow.close()
            try await quick.close()
        }
    }

    @Test(arguments: [
        ("GET /am HTTP/1.1\r\nX: y\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n"),
        ("GET /am HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n"),
        ("GET /am HTTP/1.1\r\nHost: a\r\nHost : b\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n"),
        ("GET /am HTTP/1.1\r\nX: \(String(repeating: "x", count: 1 << 15))\r\n\r\n", "HTTP/1.1 431 "),
        (String(repeating: "x", count: (1 << 15) + 1), "HTTP/1.1 431 "),
    ])
    func invalidHeadIsRefused(_ head: String, _ answer: String) async throws {
        try await exchange { port, echo in
            let client = try await Client.connect(port)
            try await client.send(head)
            #expect(try await client.read(until: nil).hasPrefix(answer))
            #expect(echo.clients == 0)
        }
    }

    @Test(.timeLimit(.minutes(2))) func clientThatSendsNoHeadIsDisconnected() async throws {
        var limits = FrontLimits()
        limits.headSeconds = 1
        try await exchange(limits) { port, echo in
            let client = try await Client.connect(port)
            #expect(try await client.read(until: nil) == "")
            #expect(echo.clients == 0)
        }
    }

    @Test(.timeLimit(.minutes(2))) func clientThatStaysTooLongIsDisconnected() async throws {
        var limits = FrontLimits()
        limits.headSeconds = 100
        limits.seconds = 2
        try await exchange(limits) { port, _ in
            let start = Date()
            let client = try await Client.connect(port)
            try await client.send(Self.request)
            // On a busy machine, the connection may end before the echo arrives.
            let echo = try await client.read(until: nil)
            #expect(Self.request.hasPrefix(echo))
            #expect(Date().timeIntervalSince(start) >= 1.9)
        }
    }

    @Test func clientThatSendsTooMuchIsDisconnected() async throws {
        var limits = FrontLimits()
        limits.bytes = 1000
        try await exchange(limits) { port, _ in
            let client = try await Client.connect(port)
            try await client.send(Self.request)
            try await client.send(String(repeating: "x", count: 1000))
            #expect(try await client.read(until: nil).utf8.count <= 1000)
        }
    }

    /// The front serves a new client even if 100 others have each sent only part of a request body.
    @Test(.timeLimit(.minutes(5))) func unfinishedRequestsAreEndedForNewClients() async throws {
        var limits = FrontLimits()
        limits.connectionsOfOne = 8
        try await exchange(limits) { port, _ in
            var slow: [Client] = []
            for _ in 0..<100 {
                let client = try await Client.connect(port)
                try await client.send("POST /am HTTP/1.1\r\nHost: a\r\nContent-Length: 32768\r\n\r\n{")
                slow.append(client)
            }
            let normal = try await Client.connect(port)
            try await normal.send(Self.request)
            #expect(try await normal.read(until: "\r\n\r\n") == Self.request)
            // The oldest connections have ended.
            for client in slow.prefix(93) { _ = try await client.read(until: nil) }
        }
    }

    /// A connection whose whole request has arrived is not closed to admit a new connection.
    ///
    /// The name of the header for the body's length can be in upper or lower case.
    @Test func completeRequestsAreNotReplaced() async throws {
        var limits = FrontLimits()
        limits.connectionsOfOne = 1
        try await exchange(limits) { port, _ in
            let first = try await Client.connect(port)
            let head = "POST /am HTTP/1.1\r\nHost: a\r\ncontent-length : 4\r\n\r\n"
            for part in [head, "ab", "cd"] {
                try await first.send(part)
                #expect(try await first.read(until: part) == part)
            }
            let second = try await Client.connect(port)
            #expect(try await second.read(until: nil) == "")
            try await first.send("e")
            #expect(try await first.read(until: "e") == "e")
        }
    }

    /// Each client address has a limited number of open connections.
    ///
    /// After a connection has been closed, the address can open another connection.
    @Test func addressHasALimitedNumberOfConnections() async throws {
        var limits = FrontLimits()
        limits.connectionsOfOne = 2
        try await exchange(limits) { port, _ in
            let first = try await Client.connect(port)
            let second = try await Client.connect(port)
            // A response proves that the front has counted the connection.
            for client in [first, second] {
                try await client.send(Self.request)
                #expect(try await client.read(until: "\r\n\r\n") == Self.request)
            }
            let third = try await Client.connect(port)
            #expect(try await third.read(until: nil) == "")
            try await first.close()
            // The front notices the closed connection with a delay.
            var isIn = false
            for _ in 0..<100 where !isIn {
                let fourth = try await Client.connect(port)
                // The front may reject the client before the client has sent anything.
                do { try await fourth.send(Self.request) } catch { continue }
                isIn = try await fourth.read(until: "\r\n\r\n") == Self.request
                if !isIn { try await Task.sleep(for: .milliseconds(20)) }
            }
            #expect(isIn)
        }
    }

    @Test func occupiedAddressIsReported() async throws {
        try await exchange { port, echo in
            let error = await #expect(throws: APNsError.self) {
                try await FrontServer.start(address: "127.0.0.1", port: port, to: echo.port, identity: nil)
            }
            #expect(error?.code == .portUnavailable)
        }
    }

    // MARK: - The certificate

    @Test func certificateCoversOnlyItsHosts() throws {
        let certificate = try FrontCertificate(hosts: ["192.168.1.10", "fd00::2", "am.example.test"])
        for hosts in [["192.168.1.10"], ["am.example.test", "fd00::2"], []] {
            #expect(FrontCertificate.fits(certificate.chainPEM, hosts))
        }
        for hosts in [["192.168.1.11"], ["am.example.test", "other.example.test"]] {
            #expect(!FrontCertificate.fits(certificate.chainPEM, hosts))
        }
        #expect(!FrontCertificate.fits("no certificate", []))
    }

    /// OpenSSL trusts the certificate for a TLS server, and only for the hosts in the certificate.
    ///
    /// OpenSSL finds the root that signed the certificate, and follows the rules of RFC 5280.
    @Test(arguments: [
        (["-verify_ip", "192.168.1.10"], true), (["-verify_hostname", "am.example.test"], true),
        (["-verify_ip", "192.168.1.11"], false), (["-verify_hostname", "example.test"], false),
    ])
    func opensslTrustsTheCertificateByItsRoot(_ arguments: [String], _ isTrusted: Bool) throws {
        let folder = try TemporaryFolder()
        let certificate = try FrontCertificate(hosts: ["192.168.1.10", "am.example.test"])
        let root = try folder.file("root.pem", certificate.rootPEM)
        let chain = try folder.file("chain.pem", certificate.chainPEM)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-no-CApath", "-CAfile",
                root.path,
            ]
            + arguments + [chain.path]
        (process.standardOutput, process.standardError) = (Pipe(), Pipe())
        try process.run()
        try process.waitForEnd("openssl to end")
        #expect((process.terminationStatus == 0) == isTrusted)
    }

    @Test func profileContainsOnlyTheRootCertificate() throws {
        let certificate = try FrontCertificate(hosts: ["am.example.test"])
        let profile = try #require(
            try PropertyListSerialization.propertyList(from: certificate.profile, format: nil)
                as? [String: Any]
        )
        #expect(profile["PayloadType"] as? String == "Configuration")
        #expect(profile["PayloadVersion"] as? Int == 1)
        #expect(UUID(uuidString: profile["PayloadUUID"] as? String ?? "") != nil)
        let payloads = try #require(profile["PayloadContent"] as? [[String: Any]])
        #expect(payloads.map { $0["PayloadType"] as? String } == ["com.apple.security.root"])
        let bytes = try #require(payloads.first?["PayloadContent"] as? Data)
        let pem = certificate.rootPEM.split(separator: "\n").dropFirst().dropLast().joined()
        #expect(bytes == Data(base64Encoded: pem))
        #expect(!String(decoding: certificate.profile, as: UTF8.self).contains("PRIVATE"))
    }

    @Test func eachCertificateHasANewRootWithoutItsPrivateKey() throws {
        let one = try FrontCertificate(hosts: ["am.example.test"])
        let other = try FrontCertificate(hosts: ["am.example.test"])
        #expect(one.rootPEM != other.rootPEM)
        // The result contains only one private key: the key of the server, not the key of the root.
        #expect(one.chainPEM.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
        #expect(one.keyPEM.components(separatedBy: "BEGIN PRIVATE KEY").count == 2)
    }

    @Test func mismatchedFilesAreReported() throws {
        let folder = try TemporaryFolder()
        let (one, other) = (try FrontCertificate(hosts: ["a"]), try FrontCertificate(hosts: ["a"]))
        let certificate = try folder.file("certificate.pem", one.chainPEM).path
        let (own, foreign) = (
            try folder.file("own.pem", one.keyPEM).path, try folder.file("o.pem", other.keyPEM).path
        )
        let empty = try folder.file("empty.pem", "").path
        let identity = try FrontIdentity(certificate: certificate, privateKey: own)
        #expect(identity.fingerprint.wholeMatch(of: /([0-9A-F]{2}:){31}[0-9A-F]{2}/) != nil)
        for (certificate, key) in [(certificate, foreign), (empty, own), (certificate, empty)] {
            let error = #expect(throws: APNsError.self) {
                try FrontIdentity(certificate: certificate, privateKey: key)
            }
            #expect(error?.code == .unreadableKey)
        }
    }
}
