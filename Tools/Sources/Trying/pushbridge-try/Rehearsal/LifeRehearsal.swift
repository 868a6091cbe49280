import Foundation
import PingAMSimulator
import PingPush
import PushBridgeCommandLine
import PushBridgeCore
import PushBridgeStore
import PushParity

/// A login test with a sample credential at a simulated server.
///
/// The test enrols the credential, answers each type of push, and sends a new device token.
struct LifeRehearsal {
    private let server: Simulator
    private let version: ServerVersion

    init(_ version: ServerVersion) {
        var settings = ServiceSettings()
        settings.version = version
        server = Simulator(settings: settings)
        self.version = version
    }

    /// Performs all steps with a temporary store.
    func steps() async throws -> [LifeRehearsalReport.Step] {
        let home = try StoreHome(.sqlite)
        do {
            let client = try await PushClient.createClient { configuration in
                configuration.transport = server
                configuration.storage = CredentialStoreStorage(home.store)
                configuration.logger = LogManager.none
            }
            let steps = try await steps(with: client)
            try home.close()
            return steps
        } catch {
            try home.close()
            throw error
        }
    }

    private func steps(with client: PushClient) async throws -> [LifeRehearsalReport.Step] {
        let (enrolment, credential) = try await enrol(client)
        var steps = [enrolment]
        for type in PushType.allCases {
            steps.append(try await answer(type, true, credential, client))
            steps.append(try await answer(type, false, credential, client))
        }
        steps.append(try await answerAgain(client))
        steps.append(try await changeToken(of: credential, client))
        await client.close()
        return steps
    }

    private func enrol(
        _ client: PushClient
    ) async throws -> (LifeRehearsalReport.Step, PushCredential) {
        let order = RegistrationOrder(issuer: "PushBridge", account: "demo")
        let code = try server.createCode(order)
        try await client.setDeviceToken("00ff")
        let (credential, sent) = try await watching { try await client.addCredentialFromUri(code.uri) }
        let device = server.withService { $0.devices[credential.id] }
        let step = LifeRehearsalReport.Step(
            step: "enrol with the registration URI",
            sent: sent,
            server: device == nil ? "unknown device" : "registered",
            isRight: device?.account == credential.account.key
        )
        return (step, credential)
    }

    private func answer(
        _ type: PushType,
        _ approves: Bool,
        _ credential: PushCredential,
        _ client: PushClient
    ) async throws -> LifeRehearsalReport.Step {
        // The login test chooses the numbers. The simulator's login page shows the first number.
        let order = PushOrder(mechanismUid: credential.id, type: type, numbers: "34,43,57")
        let push = try server.createPush(order)
        let message = push.payload.text
        guard let notification = try await client.processNotification(message: message) else {
            throw CommandFailure(status: .fault, sentence: "A push was not recognised.")
        }
        let (_, sent) = try await watching {
            let number = notification.numbers.first.map(String.init) ?? ""
            let kind = approves ? Step.AnswerKind(approving: notification.pushType) : .deny
            return try await client.answer(notification.id, kind, number: number)
        }
        let state = server.state(ofPush: push.messageId)
        return LifeRehearsalReport.Step(
            step: "\(approves ? "approve" : "deny") a push of type \(type.rawValue)",
            sent: sent,
            server: state?.rawValue ?? "unknown push",
            isRight: state == (approves ? .approved : .denied)
        )
    }

    private func answerAgain(_ client: PushClient) async throws -> LifeRehearsalReport.Step {
        let answered = try await client.getAllNotifications().first { $0.approved }
        guard let answered else {
            throw CommandFailure(status: .fault, sentence: "The approved push is not stored as approved.")
        }
        let (isSent, sent) = try await watching { try await client.denyNotification(answered.id) }
        let state = server.state(ofPush: answered.messageId)
        return LifeRehearsalReport.Step(
            step: "deny the approved push",
            sent: sent,
            server: state?.rawValue ?? "unknown push",
            isRight: !isSent && sent.isEmpty && state == .approved
        )
    }

    private func changeToken(
        of credential: PushCredential,
        _ client: PushClient
    ) async throws -> LifeRehearsalReport.Step {
        let (_, sent) = try await watching { await setToken("0a0b", client) }
        let token = server.withService { $0.devices[credential.id]?.deviceToken }
        let state = try await client.tokenState(of: credential.id)
        guard version.takesNewTokens else {
            // The state `unsupported` means that the client retries in an hour, and that the app can inform its user.
            let isKnownSo = if case .unsupported = state { true } else { false }
            return LifeRehearsalReport.Step(
                step: "send a new device token",
                sent: sent,
                server: "does not accept the token",
                isRight: isKnownSo && token == "00ff"
            )
        }
        return LifeRehearsalReport.Step(
            step: "send a new device token",
            sent: sent,
            server: token == "0a0b" ? "accepts the token" : "has another token",
            isRight: token == "0a0b" && state == .known
        )
    }

    /// Sets the device token.
    ///
    /// An error is ignored, because the credential's state contains the result.
    private func setToken(_ token: String, _ client: PushClient) async {
        do {
            try await client.setDeviceToken(token)
        } catch {
            return
        }
    }

    /// Runs `body`, and returns its result and the requests that the server received, in words.
    private func watching<Value>(_ body: () async throws -> Value) async throws -> (Value, [String]) {
        let before = server.journal.count
        let value = try await body()
        return (value, server.journal.dropFirst(before).map(\.words))
    }
}

extension Step.AnswerKind {
    /// Creates the approval of a push.
    init(approving type: PushType) {
        self =
            switch type {
            case .default: .approve
            case .challenge: .challenge
            case .biometric: .biometric
            }
    }
}

extension JournalEntry {
    /// The action of the request, and the claims `challengeResponse` and `deny` if the request has them.
    fileprivate var words: String {
        let answer = ["challengeResponse", "deny"].compactMap { name in
            claims?[name].map { "\(name) \($0.text)" }
        }
        return ([action] + answer).joined(separator: ", ")
    }
}

/// The report of `rehearse` without a database.
struct LifeRehearsalReport: Report, Encodable {
    var schema = 1
    var command = "rehearse"
    private(set) var steps: [Step] = []

    /// One step and its result.
    struct Step: Encodable {
        /// The version of the server; `nil` until the step is added to a report.
        fileprivate(set) var version: String?
        let step: String
        /// The requests, in words.
        let sent: [String]
        let server: String
        let isRight: Bool
    }

    /// Adds the steps for a version of the server.
    mutating func add(_ steps: [Step], _ version: ServerVersion) {
        self.steps += steps.map { step in
            var step = step
            step.version = version.rawValue
            return step
        }
    }

    var status: ExitStatus { steps.allSatisfy(\.isRight) ? .success : .needsAttention }

    var text: String {
        var table = Table(("AM", .left), ("Step", .left), ("Sent", .left), ("Server says", .left))
        for step in steps {
            let sent = step.sent.isEmpty ? "nothing" : step.sent.joined(separator: "; ")
            let verdict = step.isRight ? step.server : "\(step.server) (wrong)"
            table.add(step.version ?? "", step.step, sent, verdict)
        }
        let wrong = steps.filter { !$0.isRight }.count
        return """
            rehearse: a sample account at a simulated service

            \(table.text)
            \(wrong == 0 ? "Every step had the expected result." : "\(wrong) of \(steps.count) steps had a wrong result.")

            """
    }
}
