import ArgumentParser
import Foundation
import PushBridgeAPNs
import PushBridgeCommandLine
import PushBridgeCore

/// Listens on an address that other machines may reach.
///
/// The command terminates TLS, unless plain HTTP is requested, and forwards requests to a server on this machine.
struct Front: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Listen with TLS for pushbridge simulate --listen.",
        shouldDisplay: false
    )

    @Option(help: "The address to listen at.")
    var address: String

    @Option(help: "The port; 0 selects any free port.")
    var port: UInt16 = 0

    @Option(help: "The port of the server at 127.0.0.1.")
    var to: UInt16

    @Flag(help: "Speak HTTP without TLS.")
    var plain = false

    @Option(help: "A name or address that clients use, for the certificate; may be repeated.")
    var host: [String] = []

    @Option(help: "The certificate, PEM (default: a new one).")
    var certificate: String?

    @Option(help: "The certificate's private key, PEM.")
    var certificateKey: String?

    @Option(help: "The folder in which the certificate is stored, for use in later runs.")
    var keep: String?

    func run() async throws {
        try await perform {
            let files = FrontFiles(keeping: keep)
            defer { files.remove() }
            // From here on, a signal no longer ends the process immediately, so that the command can remove its keys
            // first.
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            let interruptions = Interruption.calls { _ in end.yield() }
            defer { for interruption in interruptions { interruption.cancel() } }
            var members: [String: JSONValue] = [:]
            let identity = try plain ? nil : identity(files, &members)
            let server = try await FrontServer.start(address: address, port: port, to: to, identity: identity)
            members["port"] = .integer(Int(server.port))
            try Terminal.write(JSONValue.object(members).line)
            // This command must end with its parent. The input ends when the parent ends, even if the parent is killed.
            let input = Task {
                for await _ in inputLines {}
                end.yield()
            }
            for await _ in ends { break }
            input.cancel()
            try await server.stop()
        }
    }

    private func identity(_ files: FrontFiles, _ members: inout [String: JSONValue]) throws -> FrontIdentity {
        let place: (certificate: String, key: String)
        if let certificate, let certificateKey {
            // Each file is read first, because the error of this read names a missing file.
            for file in [certificate, certificateKey] { _ = try Data(named: file) }
            place = (certificate, certificateKey)
        } else {
            let made = try files.certificate(for: host)
            place = (made.certificate, made.key)
            members["certificate"] = .string(made.root)
            members["profile"] = .string(made.profile)
        }
        let identity = try FrontIdentity(certificate: place.certificate, privateKey: place.key)
        members["fingerprint"] = .string(identity.fingerprint)
        return identity
    }
}

/// The files of a front's own certificate, in a folder that the user named or in a temporary folder.
private struct FrontFiles {
    struct Made {
        let certificate: String
        let key: String
        let root: String
        let profile: String
    }

    private let folder: URL
    private let isKept: Bool

    init(keeping folder: String?) {
        isKept = folder != nil
        self.folder =
            folder.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("pushbridge-front-\(UUID().uuidString)")
    }

    /// Returns the existing certificate if it covers these hosts and does not expire within a week; otherwise makes a
    /// new certificate.
    func certificate(for hosts: [String]) throws -> Made {
        func place(_ name: String) -> String { folder.appendingPathComponent(name).path }
        let made = Made(
            certificate: place("certificate.pem"),
            key: place("certificate-key.pem"),
            root: place("root.pem"),
            profile: place("PushBridge.mobileconfig")
        )
        let files = FileManager.default
        let all = [made.certificate, made.key, made.root, made.profile]
        if all.allSatisfy(files.fileExists) {
            let pem = String(decoding: try Data(named: made.certificate), as: UTF8.self)
            if FrontCertificate.fits(pem, hosts) { return made }
            let words =
                "does not cover these hosts or expires soon; devices must trust the new one"
            Terminal.diagnose("The certificate in \(folder.path.visible) \(words).\n")
        }
        let new = try FrontCertificate(hosts: hosts)
        do {
            let own: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
            try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: own)
        } catch {
            throw unwritable(folder.path)
        }
        try write(Data(new.keyPEM.utf8), made.key)
        try write(Data(new.chainPEM.utf8), made.certificate)
        try write(Data(new.rootPEM.utf8), made.root)
        try write(new.profile, made.profile)
        return made
    }

    /// Removes the temporary folder, and reports a folder that cannot be removed.
    func remove() {
        guard !isKept, FileManager.default.fileExists(atPath: folder.path) else { return }
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            Terminal.diagnose(
                "\(folder.path.visible) could not be removed. Remove it, because it contains a private key.\n"
            )
        }
    }

    /// Writes a file that only the user may read.
    private func write(_ bytes: Data, _ place: String) throws {
        let own: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: place, contents: bytes, attributes: own) else {
            throw unwritable(place)
        }
    }

    private func unwritable(_ place: String) -> CommandFailure {
        CommandFailure(status: .unwritableOutput, sentence: "\(place) cannot be written.")
    }
}
