import ArgumentParser
import Foundation
import PushBridgeAPNs
import PushBridgeCommandLine
@_spi(PushBridgeTools) import PushBridgeCore

/// Sends one push.
struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send one push through APNs or its stand-in, and print the answer.",
        discussion: """
            APNs may fail to deliver a push that it accepted, and does not report this. For a refusal, prints its cause, \
            who can correct it, and what to do. Waits and tries again after 429 (except for \
            TooManyProviderTokenUpdates), 500 and 503. Later runs reuse the provider token for 55 minutes, from a file \
            in the user's cache folder that only the user may read. For Apple's hosts, the --apns file contains \
            "host" (api.push.apple.com or api.sandbox.push.apple.com), topic, and either keyFile, keyId and teamId, or \
            clientCertificate and clientKey. Only sending to the stand-in was tested, because Apple's hosts require a \
            key or a certificate of a team. To convert a .p12 file to PEM, run: openssl pkcs12 -in FILE.p12 -nodes -out \
            push.pem. Exit status: 0 accepted by APNs; 1 refused; 64 an invalid push; 66 the host is not trusted, or a \
            key or certificate cannot be used; 75 the host cannot be reached, or the stand-in has ended.
            """
    )

    @OptionGroup var apns: APNsOptions

    @Argument(help: "The device token, such as the token that pushbridge phone prints.")
    var token: String

    @Option(
        help: ArgumentHelp(
            "A JSON file with the whole payload, or a file for simctl push (default: an alert).",
            valueName: "file"
        )
    )
    var payload: String?

    @OptionGroup(title: "Parts of a payload") var parts: PayloadOptions

    @OptionGroup var provider: ProviderOptions

    @Option(
        help: ArgumentHelp("Connect with this PEM certificate instead of a key.", valueName: "file")
    )
    var certificate: String?

    @Option(
        help: ArgumentHelp(
            "The certificate's private key, unencrypted PEM (default: in the certificate's file).",
            valueName: "file"
        )
    )
    var privateKey: String?

    @Option(
        help:
            "The push type (default: alert, or background for a silent payload made from options)."
    )
    var type: String?

    @Option(
        help:
            "The priority: 10, 5 or 1 (default: none, or 5 for a silent payload made from options)."
    )
    var priority: String?

    @Option(help: "The time when APNs stops trying, in seconds since 1970; with 0, APNs tries only once.")
    var expiration: String?

    @Option(help: "The collapse id: pushes with the same collapse id replace each other.")
    var collapseId: String?

    @Option(help: "The id of this push, a UUID.")
    var id: String?

    @Flag(help: "Print the request and the payload, and send nothing.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard payload == nil || parts.names.isEmpty else {
            let names = parts.names.joined(separator: ", ")
            throw ValidationError(
                "\(names) cannot be combined with --payload; write the values into the payload's file."
            )
        }
        guard certificate != nil || privateKey == nil else {
            throw ValidationError("--private-key needs --certificate.")
        }
    }

    func run() async throws {
        try await perform {
            let access = try provider.access(in: apns.apns)
            // The certificate may belong to a stand-in that has ended and has removed the certificate.
            try access.checkThatItIsThere()
            let identity = try certificate.map {
                try ClientIdentity(certificate: $0, privateKey: privateKey ?? $0, at: Date())
            }
            let sender = try access.provider(as: identity)
            let push = try push(to: sender.topic)
            try push.check()
            guard !dryRun else {
                return try show(push, at: access, authorization: access.authorization(as: identity))
            }
            let outcome = try await sender.send(push)
            if output.json {
                try Terminal.write(outcome.json.line)
            } else {
                let isAccepted = outcome.answer.status == 200
                let sent = isAccepted ? [] : ["    sent   to \(access.place), topic \(push.topic)"]
                let lines = [outcome.words] + outcome.explanation + sent
                try Terminal.write(lines.map { "\($0.visible)\n" }.joined())
            }
            if !sender.keepsToken {
                let words =
                    "The provider token could not be stored, so the next run signs a new token, and APNs may refuse it as too early."
                Terminal.diagnose("\(words)\n")
            }
            if outcome.answer.status != 200 { try ExitStatus.needsAttention.exit() }
        }
    }

    private func push(to bundle: String) throws -> APNsPush {
        let built = try parts.payload()
        let isSilent = payload == nil && (built.isSilent || built.isEmpty && type == "background")
        let type = type ?? (isSilent ? "background" : "alert")
        let topic = provider.topic ?? APNsService.topic(ofType: type, bundle: bundle)
        var push = APNsPush(to: token, topic: topic, payload: try body(built, isSilent: isSilent))
        push.type = type
        push.priority = priority ?? (isSilent ? "5" : nil)
        push.expiration = expiration
        push.collapseId = collapseId
        push.id = id
        return push
    }

    private func body(_ built: APNsPayload, isSilent: Bool) throws -> Data {
        if let payload { return PushChannel.payload(ofFile: try Data(named: payload)) }
        guard built.isEmpty else { return built.data }
        return Data(
            (isSilent ? #"{"aps":{"content-available":1}}"# : #"{"aps":{"alert":"PushBridge"}}"#).utf8
        )
    }

    private func show(_ push: APNsPush, at access: APNsAccess, authorization: String) throws {
        var headers = APNsRequest(push, providerToken: nil).headers.map { ($0.name, $0.value) }
        headers.insert(("authorization", authorization), at: 3)
        let largest = (push.type == PushChannel.voIP.rawValue ? PushChannel.voIP : .alert).largestPayload
        let bytes = push.payload.count
        if output.json {
            let request = headers.reduce(into: [:]) { $0[$1.0] = JSONValue.string($1.1) }
            let dry: JSONValue = [
                "sent": false, "host": .string(access.place), "request": .object(request),
                "payload": JSONValue(json: push.payload)
                    ?? .string(String(decoding: push.payload, as: UTF8.self)),
                "bytes": .integer(bytes), "largest": .integer(largest),
            ]
            return try Terminal.write(dry.line)
        }
        let path = headers.first { $0.0 == ":path" }?.1 ?? ""
        var lines = ["POST \(path)", "host: \(access.place)"]
        lines += headers.filter { !$0.0.hasPrefix(":") }.map { "\($0.0): \($0.1)" }
        lines += ["", String(decoding: push.payload, as: UTF8.self), ""]
        lines.append("\(bytes) of at most \(largest) bytes; nothing was sent.")
        try Terminal.write(lines.map { "\($0.visible)\n" }.joined())
    }
}

/// The options for the parts that make up a payload.
struct PayloadOptions: ParsableArguments {
    @Option(help: "The first line of the banner.")
    var title: String?

    @Option(help: "The second line of the banner.")
    var subtitle: String?

    @Option(help: "The text of the banner.")
    var body: String?

    @Option(help: "The number on the app's icon; 0 removes the number.")
    var badge: UInt32?

    @Option(help: "The name of the sound; the name default selects the system's default sound.")
    var sound: String?

    @Option(help: "The category that defines the banner's buttons, such as authentication.")
    var category: String?

    @Option(help: "The identifier by which the system groups banners.")
    var thread: String?

    @Option(
        help: ArgumentHelp(
            "The interruption level, for Focus: passive, active, time-sensitive or critical.",
            valueName: "level"
        )
    )
    var interruptionLevel: String?

    @Option(
        help: ArgumentHelp(
            "A text for the app, as a member beside aps; may be repeated.",
            valueName: "name=text"
        )
    )
    var data: [String] = []

    @Flag(help: "Let the service extension change the banner.")
    var mutableContent = false

    @Flag(help: "Wake the app in the background.")
    var contentAvailable = false

    /// The options that take a text: each option's name, its text, and the part of the payload that it sets.
    private var texts: [(option: String, text: String?, part: WritableKeyPath<APNsPayload, String?>)] {
        [
            ("--title", title, \.title), ("--subtitle", subtitle, \.subtitle), ("--body", body, \.body),
            ("--sound", sound, \.sound), ("--category", category, \.category), ("--thread", thread, \.thread),
            ("--interruption-level", interruptionLevel, \.interruptionLevel),
        ]
    }

    /// The names of the options that were given.
    var names: [String] {
        let others = [
            ("--badge", badge != nil), ("--data", !data.isEmpty), ("--mutable-content", mutableContent),
            ("--content-available", contentAvailable),
        ]
        return texts.filter { $0.text != nil }.map(\.option) + others.filter(\.1).map(\.0)
    }

    func validate() throws {
        let levels = ["passive", "active", "time-sensitive", "critical"]
        if let interruptionLevel, !levels.contains(interruptionLevel) {
            throw ValidationError("\(interruptionLevel) is not one of \(levels.joined(separator: ", ")).")
        }
        _ = try members()
    }

    func payload() throws -> APNsPayload {
        var payload = APNsPayload()
        for (_, text, part) in texts { payload[keyPath: part] = text }
        payload.badge = badge.map(Int.init(clamping:))
        payload.custom = try members()
        payload.isMutable = mutableContent
        payload.wakesApp = contentAvailable
        return payload
    }

    private func members() throws -> [String: JSONValue] {
        try data.reduce(into: [:]) { members, text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[0] != "aps" else {
                throw ValidationError(
                    "--data \(text) must have the form NAME=TEXT, with a name other than aps."
                )
            }
            members[String(parts[0])] = .string(String(parts[1]))
        }
    }
}
