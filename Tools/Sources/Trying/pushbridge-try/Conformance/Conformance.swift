import Foundation
import PingAMSimulator
import PushBridgeCommandLine
import PushBridgeCore

/// Tests those parts of a push service that can be tested without an administrator.
///
/// Compares the responses with the known responses of each version of PingAM.
struct Conformance {
    /// The seconds after which the page of a code has certainly noticed the device.
    ///
    /// Pages poll every few seconds.
    static let patience = 10

    /// The server's URL, followed by `/json` and the path of the realm.
    let base: String
    let environment: ConformanceEnvironment
    /// The registration URI for the enrolment; `nil` if no registration URI was given.
    var code: String?
    /// The device token.
    var deviceToken = EnrolledDevice.noToken
    /// The pushes whose form is checked.
    var pushes: [ObservedPush] = []
    /// The supply of pushes for the new device; `nil` if pushes must not be answered.
    var supply: (any PushSupply)?
    /// The seconds between a push and a late answer; `nil` if no late answer is tested.
    var lateness: Int?
    /// ``base`` with another realm, which has no push service; `nil` if no such realm was given.
    var otherBase: String?
    /// A user who approved a login, and a session of the user; `nil` if no user was given.
    var owner: (user: String, session: String)?

    var candidates = ServerCandidate.all
    private(set) var findings: [Finding] = []
    /// The options with which the simulator produces the observed refusals.
    private var forms: Set<ServerAlternative> = []
    /// A sentence for each skipped test, with the reason.
    var untried: [String] = []
    /// The checks that were completed, so that hints do not mention them.
    var settled: Set<ConformanceReport.Decider> = []
    private var isPushService = false
    /// The reason why the run ended early; `nil` if it did not end early.
    private var interruption: String?

    init(base: String, _ environment: ConformanceEnvironment) {
        self.base = base
        self.environment = environment
    }

    /// Runs all tests.
    ///
    /// If the run cannot be completed, the findings so far are reported.
    ///
    /// - Throws: Before the first finding: `URLError` if the service cannot be reached, or ``CommandFailure`` for an
    ///   invalid code.
    mutating func run() async throws -> ConformanceReport {
        do {
            try await tryAll()
        } catch let error as URLError where !findings.isEmpty && !Task.isCancelled {
            interruption = "The server no longer responds: \(error.localizedDescription)"
        } catch let error as CommandFailure where !findings.isEmpty {
            interruption = error.sentence
        } catch {
            guard !findings.isEmpty, Task.isCancelled else { throw error }
            interruption = "The run was interrupted."
        }
        if !isPushService { candidates = [] }
        return report
    }

    private mutating func tryAll() async throws {
        let registration = try code.map(registration(of:))
        let unknown = try await tryRefusals()
        guard isPushService else { return }
        for push in pushes { checkForm(of: push) }
        var device: EnrolledDevice?
        if let registration, let code {
            for check in FormCheck<CodeText>.all { record(check, CodeText(code)) }
            settled.insert(.code)
            device = try await tryDevice(registration, unknown)
        } else {
            untried.append("Enrolment and token updates need a registration URI of a test user (--code).")
        }
        if supply == nil {
            untried.append("Answers need the consent of a test user (--answer, with --code and --push).")
        }
        if pushes.isEmpty, supply == nil {
            untried.append("A check of the form of pushes needs a push (--push).")
        }
        if let owner {
            try await lookAtProfiles(of: owner.user, session: owner.session, device)
        } else {
            untried.append("The checks of profiles need a user and a session (--user, --session).")
        }
    }

    private mutating func tryDevice(
        _ registration: PushRegistration,
        _ unknown: String
    ) async throws -> EnrolledDevice? {
        guard var device = try await enrol(registration) else { return nil }
        try await update(&device, unknown)
        if let supply { try await answerPushes(to: &device, from: supply) }
        return device
    }

    private var report: ConformanceReport {
        ConformanceReport(
            findings: findings,
            candidates: candidates,
            forms: forms,
            untried: untried,
            settled: settled,
            isPushService: isPushService,
            interruption: interruption
        )
    }

    /// Sends requests that require no device, and returns the words of the response to an unknown action.
    ///
    /// If no version of PingAM gives this response, the method returns `501 not supported` instead.
    private mutating func tryRefusals() async throws -> String {
        let place = "\(base)/push/sns/message?_action="
        let stranger = SharedSecret.random()
        let token = stranger.signedToken(claims: Data(#"{"response":"AAAA"}"#.utf8))
        func message(_ id: String) -> JSONValue { ["messageId": .string(id), "jwt": .string(token)] }
        let unknownId = "AUTHENTICATE:\(UUID().uuidString.lowercased())1600000000000"
        try await ask(.noMessage, Question("\(place)authenticate", [:]))
        try await ask(.unknownMessage, Question("\(place)authenticate", message(unknownId)))
        try await ask(.noKind, Question("\(place)authenticate", message("none")))
        var dance = Question("\(place)dance", [:])
        let found = try await ask(.unknownAction, dance)
        dance.version = nil
        try await ask(.noVersion(found), dance)
        (dance.version, dance.content) = ("1.0", "text/plain")
        try await ask(.otherContent(found), dance)
        // If no version gives this response, a gateway may have sent it. The checks below then expect the server's 501.
        let unknown = ConformanceCheck.unknownAction.fitting(found).isEmpty ? "501 not supported" : found
        var other = Question("\(place)authenticate", [:])
        other.version = "2.0"
        try await ask(.otherVersion, other)
        let someone = JSONValue.string(UUID().uuidString)
        let update: [String: JSONValue] = ["mechanismUid": someone, "jwt": .string(token)]
        try await ask(.updateWithoutUser(unknown), Question("\(place)refresh", .object(update)))
        let named = update.merging(["username": someone]) { _, new in new }
        try await ask(.updateForUnknownUser(unknown), Question("\(place)refresh", .object(named)))
        if let otherBase {
            let address = "\(otherBase)/push/sns/message?_action=authenticate"
            try await ask(.otherRealm, Question(address, message(unknownId)))
        } else {
            untried.append("The test of a realm without a push service needs --other-realm.")
        }
        return unknown
    }

    /// Parses a code.
    ///
    /// The code must belong to this server, because other servers must not receive requests.
    private func registration(of code: String) throws -> PushRegistration {
        let registration: PushRegistration
        do {
            registration = try PushRegistration(uri: code)
        } catch {
            throw CommandFailure(
                status: .unreadableInput,
                sentence: "The code is not a registration URI for push."
            )
        }
        let own = Self.authority(base)
        let endpoints = registration.endpoints
        let other = [endpoints.registration, endpoints.authentication].map(Self.authority).first { $0 != own }
        if let other {
            throw CommandFailure(status: .usage, sentence: "The code belongs to another server, \(other).")
        }
        return registration
    }

    /// Returns the host and the port of a URL.
    private static func authority(_ address: String) -> String {
        let parts = URLComponents(string: address)
        let port = parts?.port ?? (parts?.scheme?.lowercased() == "https" ? 443 : 80)
        return "\(parts?.host?.lowercased() ?? ""):\(port)"
    }
}

// MARK: - Recording

extension Conformance {
    /// Sends a request, compares the response with the check's outcomes, and returns the response in words.
    @discardableResult
    mutating func ask(_ check: ConformanceCheck, _ question: Question) async throws -> String {
        await environment.report("trying \(check.name)")
        return record(check, try await environment.ask(question))
    }

    /// Compares a response with a check's outcomes, and returns the response in words.
    @discardableResult
    mutating func record(_ check: ConformanceCheck, _ answer: Answer) -> String {
        isPushService = isPushService || answer.isOfAPushService
        forms.formUnion(answer.readings)
        record(check, answer.words)
        return answer.words
    }

    /// Compares an observation with a check's outcomes.
    ///
    /// Only the candidates that match the observation remain.
    ///
    /// If no version matches, the observation is reported but excludes no candidate, because a gateway may
    /// have caused it.
    mutating func record(_ check: ConformanceCheck, _ found: String) {
        guard !findings.contains(where: { $0.check.name == check.name && $0.found == found }) else { return }
        let finding = Finding(check, found)
        findings.append(finding)
        if finding.isRight { candidates.formIntersection(finding.fitting) }
    }

    mutating func record<Subject>(_ form: FormCheck<Subject>, _ subject: Subject) {
        if let found = form.found(subject) { record(form.check, found) }
    }

    /// Checks the form of a push.
    mutating func checkForm(of push: ObservedPush) {
        for check in FormCheck<ObservedPush>.all { record(check, push) }
        settled.insert(.push)
    }
}
