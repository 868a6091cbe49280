import Foundation
import PushBridgeCommandLine
@_spi(PushBridgeTools) import PushBridgeCore
import PushBridgeInternals
import PushBridgeNotifications
import PushParity

/// An event of a phone.
private enum PhoneEvent: Sendable {
    case push(Data)
    case key(String)
    case inputEnded
    case disconnected(String)
}

/// A push that the user can answer.
private struct OpenPush {
    /// The server's identifier of the push.
    let messageId: String
    /// The payload of a push on the lock screen; `nil` if the push is open in the app.
    var payload: JSONValue?
    /// The category that defines the banner's buttons; `nil` if the banner has no buttons.
    var category: PushCategory?
    /// Whether the push arrived in this run.
    var isNew = true
}

/// A phone whose app can be restarted.
struct DemoPhone {
    /// The options for access to APNs.
    private let access: [String]
    private let output: PhoneOutput
    private let open: () throws -> any CredentialStore
    private let app: (any CredentialStore) async throws -> any PhoneApp

    private var running: (any PhoneApp)?
    private var store: (any CredentialStore)?
    private var token = ""
    private var listener: Task<Void, Never>?
    /// The pushes that the user can answer.
    ///
    /// The newest push is the last.
    private var pushes: [OpenPush] = []
    private let events = AsyncStream<PhoneEvent>.makeStream()

    init(
        reaching access: [String],
        _ output: PhoneOutput,
        open: @escaping () throws -> any CredentialStore,
        app: @escaping (any CredentialStore) async throws -> any PhoneApp
    ) {
        self.access = access
        self.output = output
        self.open = open
        self.app = app
    }

    /// Connects to the stand-in for APNs, launches the app, and enrols the phone if a registration URI is given.
    mutating func start(enrolling uri: String?) async throws {
        let store = try open()
        let known = try store.contents().deviceToken?.tokenId.lowercased()
        try await listen(known ?? Self.newToken())
        let event = events.continuation
        // Reading blocks, so it must not run on a thread of the async runtime.
        DispatchQueue(label: "keys").async {
            while let line = readLine() { event.yield(.key(line)) }
            event.yield(.inputEnded)
        }
        try await launch(store)
        var members: [String: JSONValue] = [:]
        if let uri, let running {
            do {
                members["credential"] = .string(try await running.enrol(uri))
            } catch {
                throw CommandFailure(enrolling: error)
            }
        }
        let words = uri == nil ? "waits for pushes" : "enrolled, waits for pushes"
        try output.report(ready: members, token: token, words)
        try listWaiting()
    }

    /// Runs until the user quits, or until all expected pushes have arrived and been answered.
    mutating func run(pressing keys: [String], pushes limit: Int?) async throws {
        var (keys, left, hasInput) = (keys[...], limit, true)
        guard left != 0 else { return }
        for await event in events.stream {
            switch event {
            case .push(let line):
                let isShown = try await receive(JSONValue(json: line)?["payload"] ?? .null)
                if isShown, let key = keys.popFirst(), try await !press(key) { return }
                left = left.map { $0 - 1 }
            case .key(let key):
                guard try await press(key) else { return }
            case .inputEnded: hasInput = false
            case .disconnected(let reason):
                throw CommandFailure(status: .tryAgain, sentence: reason)
            }
            guard let left, left <= 0 else { continue }
            // No more pushes will arrive, so the remaining keys apply to the pushes that are shown.
            while pushes.contains(where: \.isNew), let key = keys.popFirst() {
                guard try await press(key) else { return }
            }
            let unanswered = pushes.count(where: \.isNew)
            guard unanswered > 0 else { return }
            if !hasInput {
                let words = unanswered == 1 ? "1 push was" : "\(unanswered) pushes were"
                throw CommandFailure(status: .needsAttention, sentence: "\(words) not answered.")
            }
        }
    }
}

extension DemoPhone {
    private static func newToken() -> String {
        (0..<32).map { _ in String(format: "%02x", UInt8.random(in: 0...255)) }.joined()
    }

    /// Receives the pushes for a device token, and stops receiving pushes for the previous token.
    private mutating func listen(_ token: String) async throws {
        let apns = try Companion.apns.start(["receive", token] + access)
        try await apns.waitUntilReady()
        listener?.cancel()
        self.token = token
        let event = events.continuation
        listener = Task {
            var reason = "pushbridge-apns has ended."
            for await line in apns.lines {
                if case .string(let end)? = JSONValue(json: line)?["ended"] {
                    reason = end
                } else {
                    event.yield(.push(line))
                }
            }
            apns.end()
            if !Task.isCancelled { event.yield(.disconnected(reason)) }
        }
    }

    private mutating func launch(_ store: any CredentialStore) async throws {
        self.store = store
        running = try await app(store)
        try await register()
    }

    /// Passes the device token to the app.
    ///
    /// If a server fails, the failure is reported, and the phone continues.
    private func register() async throws {
        do {
            try await running?.register(Data(hex: token) ?? Data())
        } catch {
            try output.report(failure: error.sentence)
        }
    }

    /// Lists those pending pushes of the store that are not on the lock screen.
    private mutating func listWaiting() throws {
        guard let contents = try store?.contents() else { return }
        let now = Date()
        for push in contents.notifications where push.pending && !push.isExpired(at: now) {
            guard !pushes.contains(where: { $0.messageId == push.messageId }) else { continue }
            let category = PushCategory(push.pushType)
            pushes.append(OpenPush(messageId: push.messageId, category: category, isNew: false))
            let account = contents.pushCredentials.first { $0.id == push.credentialId }?.account
            let texts = BannerTexts(
                title: account?.issuer ?? "",
                subtitle: account?.accountName ?? "",
                body: push.messageText ?? ""
            )
            try output.report("waiting", texts, category, push.choices)
        }
    }

    /// Shows a push if the app requests it.
    ///
    /// The banner has the server's text and category. If the push requests the service extension, the banner has the
    /// extension's result instead.
    /// - Returns: Whether the push was shown.
    private mutating func receive(_ payload: JSONValue) async throws -> Bool {
        guard let running else { return false }
        let aps = payload["aps"]
        guard aps?["alert"] != nil else {
            // A silent push shows no banner. It wakes the app only if it contains `content-available`.
            let result = payload.isContentAvailable ? await running.wake(payload) : "not woken"
            try output.report("silent", ["result": .string(result)], "a silent push: \(result)")
            return false
        }
        // As on iOS, the service extension runs only if the push requests it. Pushes of servers from 7.3 on
        // contain this request.
        let asksForService = aps?["mutable-content"] == 1
        let content = asksForService ? await content(of: payload) : nil
        let texts =
            content.map { BannerTexts(title: $0.title, subtitle: $0.subtitle, body: $0.body) }
            ?? BannerTexts(alert: aps?["alert"])
        guard let presentation = await running.presentation(of: payload) else {
            // The system shows the push, but the app ignores it.
            let words = "a push from another sender, ignored: \(texts.words)"
            try output.report("foreign", texts.members, words)
            return false
        }
        guard presentation.contains(.banner) else {
            try output.report("hidden", ["body": .string(texts.body)], "not shown: \(texts.body)")
            return false
        }
        let category = content.map(\.category) ?? aps?["category"]?.category
        let id = aps?["messageId"]?.plainText ?? ""
        pushes.removeAll { $0.messageId == id }
        pushes.append(OpenPush(messageId: id, payload: payload, category: category))
        try output.report("banner", texts, category, try stored(id)?.choices ?? [])
        return true
    }

    /// Returns the push with this message id; `nil` if the app did not store it.
    private func stored(_ messageId: String) throws -> StoredPush? {
        try store?.contents().notifications.first { $0.messageId == messageId }
    }

    /// Returns the service extension's result for a push; `nil` if the push is not from PingAM.
    private func content(of payload: JSONValue) async -> PushContent? {
        guard let store else { return nil }
        let service = PushContentService { store }
        return await withCheckedContinuation { continuation in
            service.didReceive(payload.userInfo) { continuation.resume(returning: $0) }
        }
    }

    /// Executes the command of a key, and returns whether the phone continues.
    private mutating func press(_ key: String) async throws -> Bool {
        let key = key.trimmingCharacters(in: .whitespaces).lowercased()
        switch key {
        case "q", "quit": return false
        case "r", "restart":
            await running?.close()
            try await launch(try open())
            try output.report("restarted", [:], "restarted")
            try listWaiting()
        case "t", "token":
            try await listen(Self.newToken())
            try await register()
            try output.report("token", ["token": .string(token)], "has another device token: \(token)")
        case "a", "approve": try await respond(PushAction.Kind.approve.rawValue)
        case "d", "deny": try await respond(PushAction.Kind.deny.rawValue)
        case "o", "open": try await respond(PushActions.defaultAction)
        case "x", "dismiss": try await respond(PushActions.dismissAction)
        case "": break
        case _ where key.allSatisfy(\.isNumber):
            try await respond(PushAction.Kind.enterNumber.rawValue, text: key)
        default: try output.report("unknown", ["key": .string(key)], "\(key) is not a key of this phone")
        }
        return true
    }

    /// Responds to the newest push.
    ///
    /// If the response fails, the push remains.
    private mutating func respond(_ actionId: String, text: String? = nil) async throws {
        guard let running, let push = pushes.popLast() else {
            return try output.report("unknown", [:], "there is no push to answer")
        }
        guard let payload = push.payload else { return try await respond(actionId, text: text, inApp: push) }
        switch await running.perform(actionId, payload, text: text) {
        case .foreign: try output.report("foreign", [:], "a push from another sender, ignored")
        case .open(let id):
            var opened = push
            opened.payload = nil
            if push.category == .biometric && actionId == PushAction.Kind.approve.rawValue {
                return try await respond(actionId, text: text, inApp: opened)
            }
            pushes.append(opened)
            let stored = try stored(push.messageId)
            try output.report(opened: id, stored?.pushType, stored?.choices ?? [], typed: text)
        case .dismissed(let id):
            try output.report("dismissed", ["id": id.map(JSONValue.string) ?? .null], "dismissed")
        case .answered(_, let isApproval): try output.report(isApproval: isApproval)
        case .failed(_, let reason):
            pushes.append(push)
            try output.report(failure: reason)
        case .repeated: break  // Only the system delivers a response twice.
        }
    }

    /// Executes the command of a key for a push that is open in the app.
    private mutating func respond(_ actionId: String, text: String?, inApp push: OpenPush) async throws {
        guard let running, let stored = try stored(push.messageId) else {
            return try output.report(failure: "The push is no longer stored.")
        }
        let id = JSONValue.string(stored.id)
        guard let kind = PushAction.Kind(rawValue: actionId) else {
            guard actionId == PushActions.defaultAction else {
                return try output.report("dismissed", ["id": id], "dismissed")
            }
            pushes.append(push)
            return try output.report(opened: stored.id, stored.pushType, stored.choices)
        }
        do {
            let answer = try stored.answer(kind, number: text)
            try await running.answer(stored, answer.kind, number: answer.number)
        } catch {
            pushes.append(push)
            return try output.report(failure: error.sentence)
        }
        try output.report(isApproval: kind != .deny)
    }
}

extension JSONValue {
    /// The category with this name; `nil` if there is no such category.
    fileprivate var category: PushCategory? { plainText.flatMap(PushCategory.init(rawValue:)) }
}
