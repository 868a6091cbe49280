/// The delivery of a device token to the servers of some credentials.
///
/// Each server receives it for the first of its credentials, and for the others after its answer. A driver may have any
/// number of requests in flight: it performs each that ``next()`` returns.
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

    /// Creates the delivery of the token in `device`.
    package init(_ device: DeviceDescription, to credentials: [PushCredential]) {
        self.device = device
        waiting = credentials
        open = Dictionary(credentials.map { ($0.serverEndpoint, 1) }, uniquingKeysWith: +)
    }

    /// The next request to send, in the order of the credentials; `nil` if there is none, or if the next one has to
    /// wait for an answer.
    package mutating func next() -> TokenRefresh? {
        let free = waiting.firstIndex { !asked.contains($0.serverEndpoint) }
        guard let index = free else { return nil }
        let credential = waiting.remove(at: index)
        if !known.contains(credential.serverEndpoint) { asked.insert(credential.serverEndpoint) }
        return TokenRefresh(credential: credential, device: device)
    }

    /// Adds the answer of a server.
    ///
    /// If the first answer shows that the server accepts no tokens, or if it does not answer, the answer applies to all
    /// of its credentials.
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

    /// Removes and returns all stored answers.
    package mutating func removeAnswers() -> [TokenAnswer] {
        defer { answers = [] }
        return answers
    }

    /// Removes and returns the answers of one server; returns nothing until it has answered for all of its credentials.
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

    /// Whether the answer applies to all credentials of the server: it accepts no tokens, or does not answer.
    var isOfServer: Bool {
        if case .unanswered? = failure { true } else { refusal == 405 || refusal == 501 }
    }
}
