import ArgumentParser
import Foundation
import PushBridgeAPNs
@_spi(PushBridgeTools) import PushBridgeCore
import PushBridgeNotifications
import PushBridgeStore
import PushParity

/// A device for the terminal: enrols, receives, shows banners and answers.
struct Phone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Be a device: enrol, receive pushes from the stand-in for APNs, show banners, answer.",
        discussion: """
            Waits for pushes and takes keys from standard input, one a line: a approves, d denies, a number \
            answers a challenge, o opens the push in the app, x dismisses it, r restarts the app, q ends the \
            phone. Two phones with the same --store are one device that has both APIs.
            """
    )

    enum API: String, CaseIterable, ExpressibleByArgument {
        case legacy
        case async
    }

    @Option(help: "The API: legacy or async.")
    var api: API

    @OptionGroup var apns: APNsOptions

    @OptionGroup var provider: ProviderOptions

    @Option(help: ArgumentHelp("Enrol by this registration URI.", valueName: "URI"))
    var enrol: String?

    @Option(help: ArgumentHelp("The credential database (default: in memory).", valueName: "file"))
    var store: String?

    @OptionGroup var key: KeyOptions

    @Option(help: ArgumentHelp("Press this key at the next banner; may be repeated.", valueName: "key"))
    var press: [String] = []

    @Option(help: ArgumentHelp("End after this many pushes.", valueName: "number"))
    var pushes: Int?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await perform(storeRole: .output) {
            let memory = MemoryCredentialStore()
            var phone = DemoPhone(json: output.json) {
                try store.map { try Destination(path: $0, keyFile: key.keyFile).create() } ?? memory
            } app: { store in
                switch api {
                case .legacy: LegacyPhoneApp(store)
                case .async: try await AsyncPhoneApp(store)
                }
            }
            let access = try provider.access(in: apns.apns)
            try await phone.start(at: access, topic: provider.topic ?? access.topic, enrolling: enrol)
            try await phone.run(pressing: press, pushes: pushes)
        }
    }
}

/// What happens to a phone, in its order.
private enum PhoneEvent: Sendable {
    case push(Data)
    case key(String)
    case disconnected(String)
}

/// A phone with an app that can be restarted.
private struct DemoPhone {
    let json: Bool
    let open: () throws -> any CredentialStore
    let app: (any CredentialStore) async throws -> any PhoneApp

    private var running: (any PhoneApp)?
    private var store: (any CredentialStore)?
    private var token = Data()
    /// The push whose banner is shown, and what can be done with it.
    private var shown: (payload: JSONValue, category: PushCategory?)?
    private let events = AsyncStream<PhoneEvent>.makeStream()

    init(
        json: Bool,
        open: @escaping () throws -> any CredentialStore,
        app: @escaping (any CredentialStore) async throws -> any PhoneApp
    ) {
        self.json = json
        self.open = open
        self.app = app
    }

    /// Launches the app, connects to APNs, and enrols.
    mutating func start(at access: APNsAccess, topic: String, enrolling uri: String?) async throws {
        let store = try open()
        let known = try store.contents().deviceToken?.tokenId.lowercased()
        let token = known ?? (0..<32).map { _ in String(format: "%02x", UInt8.random(in: 0...255)) }.joined()
        self.token = Data(hexadecimal: token)
        let pushes = try await access.connection().pushes(to: token, topic: topic)
        let event = events.continuation
        Task {
            do {
                for try await line in pushes { event.yield(.push(line)) }
                event.yield(.disconnected("APNs ended the connection."))
            } catch {
                event.yield(.disconnected("\((error as? APNsError)?.reason ?? "\(error)")"))
            }
        }
        // Reading blocks, which threads of async code must not.
        DispatchQueue(label: "keys").async {
            while let line = readLine() { event.yield(.key(line)) }
        }
        try await launch(store)
        var members: [String: JSONValue] = ["token": .string(token)]
        if let uri, let running { members["credential"] = .string(try await running.enrol(uri)) }
        try tell("ready", members, uri == nil ? "waits for pushes" : "enrolled, waits for pushes")
    }

    private mutating func launch(_ store: any CredentialStore) async throws {
        self.store = store
        let app = try await app(store)
        try await app.register(token)
        running = app
    }

    /// Goes on until a key or the last push ends it.
    mutating func run(pressing keys: [String], pushes: Int?) async throws {
        var (keys, left) = (keys[...], pushes)
        for await event in events.stream {
            switch event {
            case .push(let line):
                try await receive(JSONValue(json: line)?["payload"] ?? .null)
                if shown != nil, let key = keys.popFirst() { _ = try await press(key) }
                left = left.map { $0 - 1 }
            case .key(let key):
                guard try await press(key) else { return }
            case .disconnected(let reason):
                throw CommandFailure(status: .tryAgain, sentence: reason)
            }
            if let left, left <= 0, shown == nil { return }
        }
    }

    /// Shows a push, if the app says that it is to be shown: with the server's own text and category, or with what the
    /// service extension makes of them where the push asks for it.
    private mutating func receive(_ payload: JSONValue) async throws {
        guard let running else { return }
        let aps = payload["aps"]
        guard aps?["alert"] != nil else {
            // There is nothing to show; the app is woken if the push says so.
            let result = payload.isContentAvailable ? await running.wake(payload) : "not woken"
            return try tell("silent", ["result": .string(result)], "a silent push: \(result)")
        }
        // As iOS does, the extension is started only for a push that asks for it: servers from 7.3 do.
        let asksForService = aps?["mutable-content"] == 1
        let content = asksForService ? await content(of: payload) : nil
        let body = content?.body ?? aps?["alert"]?.plainText ?? ""
        guard let presentation = await running.presentation(of: payload) else {
            return try tell("foreign", [:], "a push of somebody else, left alone")
        }
        guard presentation.contains(.banner) else {
            return try tell("hidden", ["body": .string(body)], "not shown: \(body)")
        }
        let category = content.map(\.category) ?? aps?["category"]?.category
        shown = (payload, category)
        try tell([content?.title ?? "", content?.subtitle ?? "", body], category)
    }

    /// What the service extension makes of a push; `nil` if it is not ours.
    private func content(of payload: JSONValue) async -> PushContent? {
        guard let store else { return nil }
        let service = PushContentService { store }
        return await withCheckedContinuation { told in
            service.didReceive(payload.userInfo) { told.resume(returning: $0) }
        }
    }

    /// Tells title, subtitle and body of a banner, and its buttons.
    private func tell(_ texts: [String], _ category: PushCategory?) throws {
        let actions = category.map(PushActions().actions) ?? []
        let buttons = actions.map { "[\($0.key)] \($0.title)" }.joined(separator: "   ")
        let heading = texts[0].isEmpty ? "" : "\(texts[0]), \(texts[1]): "
        try tell(
            "banner",
            [
                "title": .string(texts[0]), "subtitle": .string(texts[1]), "body": .string(texts[2]),
                "actions": .array(actions.map { .string($0.id) }),
            ],
            "\(heading)\(texts[2])\n    \(buttons)"
        )
    }

    /// Does what a key means, and returns whether the phone goes on.
    private mutating func press(_ key: String) async throws -> Bool {
        let key = key.trimmingCharacters(in: .whitespaces).lowercased()
        switch key {
        case "q", "quit": return false
        case "r", "restart":
            await running?.close()
            try await launch(try open())
            try tell("restarted", [:], "restarted")
        case "a", "approve": try await respond(PushAction.Kind.approve.rawValue)
        case "d", "deny": try await respond(PushAction.Kind.deny.rawValue)
        case "o", "open": try await respond(PushActions.defaultAction)
        case "x", "dismiss": try await respond(PushActions.dismissAction)
        case "": break
        case _ where key.allSatisfy(\.isNumber):
            try await respond(PushAction.Kind.enterNumber.rawValue, text: key)
        default: try tell("unknown", ["key": .string(key)], "\(key) is no key of this phone")
        }
        return true
    }

    private mutating func respond(_ actionId: String, text: String? = nil) async throws {
        guard let banner = shown, let running else {
            return try tell("unknown", [:], "there is no banner to answer")
        }
        shown = nil
        switch await running.perform(actionId, banner.payload, text: text) {
        case .foreign: try tell("foreign", [:], "a push of somebody else, left alone")
        case .open(let id)
        where banner.category == .biometric && actionId == PushAction.Kind.approve.rawValue:
            let isApproved = try await running.approve(id)
            let words = isApproved ? "approved in the app" : "not approved"
            try tell("answered", ["approved": .bool(isApproved)], words)
        case .open(let id):
            // The app, once it is open, knows the type of a push whose category does not tell it.
            shown = (banner.payload, await content(of: banner.payload)?.category)
            try tell("opened", ["id": .string(id)], "opened in the app")
        case .dismissed(let id): try tell("dismissed", ["id": id.map(JSONValue.string) ?? .null], "dismissed")
        case .answered(_, let isApproval):
            try tell("answered", ["approved": .bool(isApproval)], isApproval ? "approved" : "denied")
        case .failed(_, let reason): try tell("failed", ["reason": .string(reason)], "failed: \(reason)")
        }
    }

    private func tell(_ event: String, _ members: [String: JSONValue], _ words: String) throws {
        guard json else { return try Terminal.write("phone: \(words)\n") }
        let all = members.merging(["event": .string(event)]) { own, _ in own }
        try Terminal.write("\(JSONValue.object(all).text)\n")
    }
}

extension JSONValue {
    /// The text, of a member that is text.
    fileprivate var plainText: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The category that a push names.
    fileprivate var category: PushCategory? { plainText.flatMap(PushCategory.init(rawValue:)) }
}

extension PushAction {
    /// What is pressed for it.
    fileprivate var key: String {
        switch kind {
        case .approve: "a"
        case .deny: "d"
        case .enterNumber: "number"
        }
    }
}

extension Data {
    fileprivate init(hexadecimal text: String) {
        self.init(
            stride(from: 0, to: text.count - 1, by: 2).compactMap { offset in
                let start = text.index(text.startIndex, offsetBy: offset)
                return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16)
            }
        )
    }
}
