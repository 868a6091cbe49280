/// A device token on its way to the servers of some credentials.
///
/// Each server receives it for the first of its credentials, and for the others after its answer. A driver may have any
/// number of requests on their way: it performs each that ``next()`` returns.
package struct TokenTelling: Sendable {
    private let device: DeviceDescription
    private var waiting: [PushCredential]
    /// The servers whose first answer is awaited.
    private var asked: Set<String> = []
    /// The servers that gave their first answer.
    private var known: Set<String> = []
    private var answers: [TokenAnswer] = []
    /// The number of missing answers of each server.
    private var open: [String: Int]

    /// Makes the way of a token, which `device` holds.
    package init(_ device: DeviceDescription, to credentials: [PushCredential]) {
        self.device = device
        waiting = credentials
        open = Dictionary(credentials.map { ($0.serverEndpoint, 1) }, uniquingKeysWith: +)
    }

    /// The requests to send now, in the order of the credentials; `nil` if there are none, or none before an answer.
    package mutating func next() -> TokenRefresh? {
        let free = waiting.firstIndex { !asked.contains($0.serverEndpoint) }
        guard let index = free else { return nil }
        let credential = waiting.remove(at: index)
        if !known.contains(credential.serverEndpoint) { asked.insert(credential.serverEndpoint) }
        return TokenRefresh(credential: credential, device: device)
    }

    /// Takes what came of telling a server; the first answer of one that takes no tokens, or its silence, stands for
    /// all of its credentials.
    package mutating func take(_ answer: TokenAnswer) {
        let server = answer.credential.serverEndpoint
        add(answer)
        guard asked.remove(server) != nil else { return }
        known.insert(server)
        guard answer.isOfServer else { return }
        let others = waiting.filter { $0.serverEndpoint == server }
        waiting.removeAll { $0.serverEndpoint == server }
        for credential in others { add(TokenAnswer(credential, answer.failure)) }
    }

    /// Removes and returns all answers that are held.
    package mutating func removeAnswers() -> [TokenAnswer] {
        defer { answers = [] }
        return answers
    }

    /// Removes and returns the answers of one server; none before it answered for all of its credentials.
    package mutating func removeCompleteAnswers(of server: String) -> [TokenAnswer] {
        guard open[server] == 0 else { return [] }
        let isOfServer = { (answer: TokenAnswer) in answer.credential.serverEndpoint == server }
        defer { answers.removeAll(where: isOfServer) }
        return answers.filter(isOfServer)
    }

    private mutating func add(_ answer: TokenAnswer) {
        answers.append(answer)
        open[answer.credential.serverEndpoint, default: 1] -= 1
    }
}

/// Tells the server of one credential the device token.
package struct TokenRefresh: PushOperation {
    package let credential: PushCredential
    let device: DeviceDescription

    package func firstRequest() -> PushRequest { credential.refreshRequest(device: device) }
}

/// The result of sending a device token to the server of a credential.
package struct TokenAnswer: Sendable {
    package let credential: PushCredential
    /// Why the server did not take the token; `nil` if it did.
    package let failure: PushFailure?

    /// Notes the result.
    package init(_ credential: PushCredential, _ failure: PushFailure?) {
        self.credential = credential
        self.failure = failure
    }

    /// The status of an answer that refuses.
    var refusal: Int? {
        if case .refused(_, let response, to: _)? = failure { response.status } else { nil }
    }

    /// Whether it stands for all credentials of the server, which need not ask then: it takes no tokens at all, or
    /// it does not answer.
    var isOfServer: Bool {
        if case .unanswered? = failure { true } else { refusal == 405 || refusal == 501 }
    }
}
