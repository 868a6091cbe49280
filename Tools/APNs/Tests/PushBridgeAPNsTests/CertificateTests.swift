import Foundation
import NIOHPACK
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import PushBridgeAPNs

/// Certificates that replace provider tokens.
@Suite struct CertificateTests {
    private var world: TestEnvironment
    private let folder: TemporaryFolder
    private let made: (pem: String, keyPEM: String)
    private let certificate: PushCertificate

    init() throws {
        world = try TestEnvironment()
        folder = try TemporaryFolder()
        made = try PushCertificate.make(
            bundles: ["com.example.app"],
            environments: [.sandbox],
            from: TestEnvironment.now - 60
        )
        certificate = try PushCertificate(pem: made.pem)
        world.service.settings.certificates = [certificate]
    }

    /// Returns a request on a connection that has this certificate and no provider token.
    private func request(
        _ bytes: [UInt8]?,
        _ change: (inout APNsRequest) -> Void = { _ in }
    ) -> APNsRequest {
        world.request { request in
            request.headers.set("authorization", nil)
            request.certificate = bytes
            change(&request)
        }
    }

    private mutating func reason(_ request: APNsRequest, at now: Date = TestEnvironment.now) -> APNsReason? {
        world.service.decide(request, at: now).answer.reason
    }

    @Test mutating func certificateReplacesTheProviderToken() {
        #expect(reason(request(certificate.bytes)) == nil)
        // If a connection has a certificate, the service ignores the provider token.
        let beside = request(certificate.bytes) { $0.headers.add(name: "authorization", value: "bearer x") }
        #expect(reason(beside) == nil)
        #expect(reason(request(nil)) == .missingProviderToken)
    }

    @Test mutating func unknownOldAndFutureCertificatesAreRefused() throws {
        let other = try PushCertificate.make(bundles: ["com.example.app"], environments: [.sandbox])
        #expect(reason(request(try PushCertificate(pem: other.pem).bytes)) == .badCertificate)
        #expect(reason(request(certificate.bytes), at: certificate.end) == .badCertificate)
        #expect(reason(request(certificate.bytes), at: certificate.start - 1) == .badCertificate)
        #expect(reason(request([1, 2, 3])) == .badCertificate)
    }

    @Test mutating func certificateIsLimitedToItsTopicsAndEnvironment() {
        world.service.settings.environment = .production
        #expect(reason(request(certificate.bytes)) == .badCertificateEnvironment)
        world.service.settings.environment = .sandbox
        // APNs accepts this topic with the key, but not with the certificate.
        let other = request(certificate.bytes) { $0.headers.set("apns-topic", "com.example.other") }
        #expect(reason(other) == .topicDisallowed)
        #expect(reason(request(certificate.bytes) { $0.headers.set("apns-topic", nil) }) == .missingTopic)
        let call = request(certificate.bytes) { request in
            request.headers.set("apns-push-type", "voip")
            request.headers.set("apns-topic", "com.example.app.voip")
        }
        #expect(reason(call) == nil)
    }

    /// Makes a certificate with openssl, with extensions in the form of Apple's certificates.
    ///
    /// Returns the paths of the certificate and of its private key.
    private func openssl(_ extensions: String, subject: String, days: Int = 30) throws -> [String] {
        let (file, key) = (folder.path("made.pem"), folder.path("made-key.pem"))
        let configuration = try folder.file(
            "made.cnf",
            Data("[req]\ndistinguished_name=dn\nx509_extensions=ext\n[dn]\n[ext]\n\(extensions)".utf8)
        )
        _ = try Self.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-subj", subject, "-days", "\(days)", "-config", configuration.path, "-keyout", key, "-out", file,
        ])
        return [file, key]
    }

    private static func run(_ arguments: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        try process.waitForEnd("\(arguments[0]) to end")
        try #require(process.terminationStatus == 0, "\(arguments)")
        return text
    }

    private static let both = """
        1.2.840.113635.100.6.3.1=DER:0500
        1.2.840.113635.100.6.3.2=DER:0500

        """

    /// If the certificate's subject contains its only topic, requests may omit the topic.
    @Test mutating func certificateForOneTopicNeedsNoHeader() throws {
        let files = try openssl(
            Self.both,
            subject: "/UID=com.example.one/CN=Apple Push Services: com.example.one"
        )
        let one = try PushCertificate(pem: String(contentsOfFile: files[0], encoding: .utf8))
        #expect(one.topics == ["com.example.one"])
        #expect(one.environments == [.sandbox, .production])
        #expect(abs(one.end.timeIntervalSinceNow - 30 * 86400) < 3600)
        world.service.settings.certificates = [one]
        let now = Date()
        let bare = request(one.bytes) { $0.headers.set("apns-topic", nil) }
        let decision = world.service.decide(bare, at: now)
        #expect(decision.answer.status == 200)
        #expect(decision.push?.topic == "com.example.one")
        #expect(reason(request(one.bytes), at: now) == .topicDisallowed)
    }

    /// The topics are read from Apple's certificate extension, which openssl creates here.
    ///
    /// In this extension, each topic is followed by a sequence of its services.
    @Test func topicsAreReadFromApplesExtension() throws {
        let list = """
            1.2.840.113635.100.6.3.6=ASN1:SEQUENCE:topics
            [topics]
            a=UTF8:com.example.app
            b=SEQUENCE:app
            c=UTF8:com.example.app.voip
            d=SEQUENCE:voip
            [app]
            a=UTF8:app
            [voip]
            a=UTF8:voip

            """
        let files = try openssl("1.2.840.113635.100.6.3.2=DER:0500\n\(list)", subject: "/UID=com.example.app")
        let read = try PushCertificate(pem: String(contentsOfFile: files[0], encoding: .utf8))
        #expect(read.topics == ["com.example.app", "com.example.app.voip"])
        #expect(read.listsTopics)
        #expect(read.environments == [.production])
    }

    /// An independent program reads the certificate that was created.
    @Test func opensslReadsTheCreatedCertificate() throws {
        let file = try folder.file("client.pem", Data(made.pem.utf8)).path
        let text = try Self.run(["openssl", "x509", "-noout", "-text", "-in", file])
        #expect(text.contains("UID = com.example.app") || text.contains("UID=com.example.app"))
        #expect(text.contains("1.2.840.113635.100.6.3.1:"))
        #expect(!text.contains("1.2.840.113635.100.6.3.2:"))
        #expect(text.contains("com.example.app.voip"))
        let again = try PushCertificate(pem: made.pem)
        #expect(again.topics.contains("com.example.app"))
        #expect(again.environments == [.sandbox])
    }

    private func refusal(_ certificate: String, _ key: String, at now: Date = Date()) -> String? {
        do {
            let identity = try ClientIdentity(certificate: certificate, privateKey: key, at: now)
            _ = try APNsConnection(host: "localhost", port: 1, certificate: nil, identity: identity)
            return nil
        } catch {
            return error.reason
        }
    }

    /// Each error names the file, and most errors also name the next action.
    @Test func unusableCertificateIsExplained() throws {
        let files = try openssl(Self.both, subject: "/UID=com.example.app")
        let (file, key) = (files[0], files[1])
        #expect(refusal(file, key) == nil)
        #expect(refusal(file, key, at: Date() + 31 * 86400)?.contains(" expired at 20") == true)
        let missing = folder.path("none.pem")
        #expect(refusal(missing, missing) == "There is no file \(missing).")
        #expect(
            refusal(key, key)?.hasPrefix("\(key) has no certificate in PEM; to convert a .p12 file") == true
        )
        #expect(
            refusal(file, file)?.hasPrefix("\(file) has no private key in PEM; to convert a .p12 file")
                == true
        )
        let stranger = try folder.file("stranger.pem", Data(made.keyPEM.utf8)).path
        #expect(
            refusal(file, stranger)
                == "The private key in \(stranger) does not belong to the certificate in \(file)."
        )
        let locked = folder.path("locked.pem")
        _ = try Self.run(["openssl", "pkey", "-in", key, "-aes256", "-passout", "pass:x", "-out", locked])
        #expect(
            refusal(file, locked)?.hasPrefix("The private key in \(locked) is encrypted; decrypt it with")
                == true
        )
    }

    /// The guide's command converts a `.p12` file to one file that contains the certificate and the key.
    @Test func p12BecomesOnePEMFile() throws {
        let files = try openssl(Self.both, subject: "/UID=com.example.app")
        let (p12, pem) = (folder.path("push.p12"), folder.path("push.pem"))
        _ = try Self.run([
            "openssl", "pkcs12", "-export", "-in", files[0], "-inkey", files[1], "-passout", "pass:x", "-out",
            p12,
        ])
        #expect(refusal(p12, p12)?.contains("openssl pkcs12 -in FILE.p12 -nodes -out push.pem") == true)
        _ = try Self.run(["openssl", "pkcs12", "-in", p12, "-nodes", "-passin", "pass:x", "-out", pem])
        #expect(refusal(pem, pem) == nil)
    }

    /// On a real TLS connection, the service receives the client's certificate, and the client receives the answer.
    @Test func serverSeesTheCertificateOfAConnection() async throws {
        let own = try PushCertificate.make(bundles: ["com.example.app"], environments: [.sandbox])
        var service = world.service
        service.settings.certificates = [try PushCertificate(pem: own.pem)]
        let server = try APNsCertificate()
        let files = (
            try folder.file("server.pem", Data(server.pem.utf8)).path,
            try folder.file("server-key.pem", Data(server.keyPEM.utf8)).path
        )
        let running = try await APNsServer.start(service, certificate: files.0, privateKey: files.1)
        func send(_ pem: String?) async throws -> APNsReason? {
            let identity = try pem.map { pem in
                let file = try folder.file("identity.pem", Data(pem.utf8)).path
                return try ClientIdentity(certificate: file, privateKey: file, at: Date())
            }
            let connection = try APNsConnection(
                host: "localhost",
                port: running.port,
                certificate: files.0,
                identity: identity
            )
            let provider = APNsProvider(name: "a", topic: "com.example.app", key: nil, transport: connection)
            return try await provider.send(world.push).answer.reason
        }
        // The server's HTTP/2 settings may arrive together with the end of the handshake. If clients set up HTTP/2
        // only after the handshake, a few of a hundred clients miss the settings and wait for ever.
        for _ in 0..<100 { try #require(try await send(own.pem + own.keyPEM) == nil) }
        #expect(try await send(nil) == .missingProviderToken)
        let stranger = try PushCertificate.make(bundles: ["com.example.app"], environments: [.sandbox])
        #expect(try await send(stranger.pem + stranger.keyPEM) == .badCertificate)
        try await running.stop()
    }
}
