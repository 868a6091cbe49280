public import ArgumentParser
import Foundation
public import PingAMSimulatorServer
import PushBridgeCommandLine
import PushBridgeCore

/// The options for the addresses, the certificate and the access token of a simulated server.
struct ListenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Listen on this address and port, so that phones and other machines can reach the server; host names are not accepted.",
            valueName: "address[:port]"
        )
    )
    var listen: ListenAddress?

    @Option(
        help: ArgumentHelp(
            "The deployment's address in codes, for example the address of a proxy or tunnel: https://am.example.test/am.",
            valueName: "URL"
        )
    )
    var base: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Listen with TLS (default: with --listen, if pushbridge-apns is built)."
    )
    var tls: Bool?

    @Option(
        help: ArgumentHelp(
            "The server's certificate, PEM (default: a certificate that the simulator creates).",
            valueName: "file"
        )
    )
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, PEM.", valueName: "file"))
    var certificateKey: String?

    @Option(
        help: ArgumentHelp(
            "Store the created certificate in this folder and use it again; devices then have to trust it only once.",
            valueName: "folder"
        )
    )
    var tlsFolder: String?

    @Option(
        help: ArgumentHelp(
            "The access token of the control address, or @file (default: a random one).",
            valueName: "token"
        )
    )
    var accessToken: String?

    func validate() throws {
        guard (certificate == nil) == (certificateKey == nil) else {
            throw ValidationError("Use --certificate and --certificate-key together.")
        }
        guard certificate == nil || tlsFolder == nil else {
            throw ValidationError(
                "--tls-folder is for a certificate that the simulator creates, not for --certificate."
            )
        }
        guard tls ?? (listen != nil) || certificate == nil && tlsFolder == nil else {
            throw ValidationError(
                "--certificate and --tls-folder need TLS: --listen or --tls, without --no-tls."
            )
        }
        if let base {
            guard let url = URLComponents(string: base), ["http", "https"].contains(url.scheme),
                !(url.host ?? "").isEmpty, url.query == nil, url.fragment == nil, url.user == nil
            else {
                throw ValidationError(
                    "--base is not the address of a deployment, such as https://am.example.test/am."
                )
            }
        } else if let listen, listen.isEveryAddress {
            throw ValidationError(
                "\(listen.host) stands for all addresses of this machine; choose one of them for registration URIs, such as "
                    + "--base https://192.168.1.10:8443/am with --listen \(listen.urlHost):8443."
            )
        }
    }

    /// Returns the given access token; `nil` if none was given.
    func token() throws -> String? {
        guard let accessToken else { return nil }
        let token = try secretArgument(accessToken)
        let isPlain = token.utf8.allSatisfy { byte in
            let character = Character(UnicodeScalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || "-._~".contains(character))
        }
        guard isPlain, token.utf8.count >= 16 else {
            let reason = "An access token has at least 16 characters: only letters, digits and -._~."
            throw CommandFailure(status: .usage, sentence: reason)
        }
        return token
    }

    /// Opens the address that `--listen` or `--tls` requires, and sets the server's base.
    /// - Returns: The opened address; `nil` if neither `--listen` nor `--tls` is given.
    func open(_ server: SimulatorServer) async throws -> Listening? {
        let given = base.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        guard listen != nil || tls == true else {
            if let given { server.base = given }
            return nil
        }
        let address = listen ?? .loopback(port: 0)
        let isBuilt = Companion.apns.isBuilt
        if tls != false, !isBuilt {
            // If the user requests TLS, a missing executable is an error, because plain HTTP must not be used.
            if tls == true || certificate != nil || tlsFolder != nil { _ = try Companion.apns.executable() }
            Terminal.diagnose(
                "pushbridge-apns is not built, so there is no TLS and no limit for clients: the server listens with plain "
                    + "HTTP, which others on the network can read.\n"
            )
        }
        let hasTLS = tls != false && isBuilt
        // In a URL, an IPv6 address is in brackets. A certificate contains the address without brackets.
        let baseHost = given.flatMap { URLComponents(string: $0)?.host?.trimmingCharacters(in: ["[", "]"]) }
        let hosts = address.isEveryAddress ? [] : [address.host]
        let own = hosts.isEmpty ? [] : [address.urlHost] + (address.isLoopback ? ["localhost"] : [])
        let front =
            isBuilt ? try await front(server, address, hasTLS, [baseHost] + hosts, admitting: own) : nil
        let port: UInt16
        if let front {
            port = front.port
        } else {
            port = try await server.listen(at: address, hosts: Set(own))
        }
        server.base = given ?? "http\(hasTLS ? "s" : "")://\(address.urlHost):\(port)/am"
        if let profile = front?.profile { await server.offer(profile: try Data(named: profile)) }
        return Listening(address: address, port: port, hasTLS: hasTLS, front: front)
    }

    /// Starts `pushbridge-apns front`, a proxy in front of the server.
    ///
    /// The proxy forwards requests to the server's loopback port; if `hasTLS` is true, it terminates TLS.
    private func front(
        _ server: SimulatorServer,
        _ address: ListenAddress,
        _ hasTLS: Bool,
        _ names: [String?],
        admitting own: [String]
    ) async throws -> Listening.Front {
        let inner = try await server.listen(at: .loopback(port: 0), hosts: Set(own))
        var arguments = [
            "front", "--address", address.host, "--port", String(address.port), "--to", String(inner),
        ]
        if !hasTLS { arguments.append("--plain") }
        for name in names.compactMap(\.self) { arguments += ["--host", name] }
        if let certificate, let certificateKey {
            arguments += ["--certificate", certificate, "--certificate-key", certificateKey]
        }
        if let tlsFolder { arguments += ["--keep", tlsFolder] }
        let process = try Companion.apns.start(arguments)
        let line = JSONValue(json: try await process.waitUntilReady())
        guard case .integer(let port)? = line?["port"] else {
            throw CommandFailure(status: .fault, sentence: "pushbridge-apns did not report where it listens.")
        }
        return Listening.Front(
            process: process,
            port: UInt16(clamping: port),
            fingerprint: line?["fingerprint"]?.plainText,
            certificate: line?["certificate"]?.plainText,
            profile: line?["profile"]?.plainText
        )
    }
}

extension ListenAddress: ExpressibleByArgument {
    /// Parses an address.
    public init?(argument: String) { self.init(argument) }
}

/// The address that `--listen` or `--tls` opens for a simulated server.
struct Listening {
    /// The executable in front of the server, with the port and the certificate of this executable.
    struct Front {
        let process: CompanionProcess
        let port: UInt16
        let fingerprint: String?
        /// The root certificate that clients must trust, and a profile that makes iPhones trust it.
        ///
        /// The certificate and the profile are `nil` if the user gave a certificate, or if there is no TLS.
        let certificate: String?
        let profile: String?
    }

    let address: ListenAddress
    let port: UInt16
    let hasTLS: Bool
    let front: Front?

    /// The requests that other machines may send, and the secret that each requires.
    private static let opens: [(path: String, what: String, needs: String)] = [
        (
            "json/…/push/sns/message", "enrolling, answering, updating tokens",
            "the secret of a code or device, as in AM"
        ),
        (
            "json/…/users/…/devices/…", "profiles of devices",
            "a session, which only the control address creates"
        ),
        ("control/…", "codes with their secrets, pushes, sessions", "the access token"),
    ]

    /// Reports the open address, and who can reach it.
    func report() {
        let place = "\(address.urlHost):\(port)"
        let everybody =
            address.isLoopback
            ? "Every program on this machine can reach \(place)"
            : "Use the server only in a network that you trust: anyone who can reach \(place) can request"
        let widths = (Self.opens.map(\.path.count).max() ?? 0, Self.opens.map(\.what.count).max() ?? 0)
        let rows = Self.opens.map { row in
            let path = row.path.padding(toLength: widths.0, withPad: " ", startingAt: 0)
            let what = row.what.padding(toLength: widths.1, withPad: " ", startingAt: 0)
            return "    \(path)  \(what)  needs \(row.needs)\n"
        }
        let plain =
            hasTLS
            ? "" : "Without TLS, others on the network can read all data, including the access token.\n"
        Terminal.diagnose("\(everybody):\n\(rows.joined())\(plain)")
    }

    /// The opened address as JSON.
    var json: JSONValue {
        [
            "address": .string(address.host), "port": .integer(Int(port)), "tls": .bool(hasTLS),
            "fingerprint": .optional(front?.fingerprint), "certificate": .optional(front?.certificate),
            "profile": .optional(front?.profile),
            "opens": .array(
                Self.opens.map { ["path": .string($0.path), "needs": .string($0.needs)] }
            ),
        ]
    }

    /// The lines about the certificate that clients must trust.
    var trust: [(name: String, value: String)] {
        guard let front else { return [] }
        let lines = [
            ("SHA-256", front.fingerprint), ("trust", front.certificate), ("profile", front.profile),
        ]
        return lines.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Waits until the executable in front of the server ends.
    /// - Throws: ``CommandFailure``, because the executable must not end before this process.
    func waitUntilEnded() async throws {
        guard let front else { return }
        for await _ in front.process.lines {}
        guard !Task.isCancelled else { return }
        let sentence = "pushbridge-apns, which listened at \(address.urlHost):\(port), has ended."
        throw CommandFailure(status: .tryAgain, sentence: sentence)
    }
}
