/// The delivery of a device token to the servers of some credentials.
///
/// Each server first receives the token for one of its credentials. After the server has responded, it
/// receives the token for its other credentials, unless it accepts no tokens. The caller sends every request
/// that ``next()`` returns, and may send any number of requests at the same time.
package struct TokenUpdate: Sendable {
    private let device: DeviceDescription
    private var waiting: [PushCredential]
    /// The servers that received their first request and have not yet responded.
    private var asked: Set<String> = []
    /// The servers whose first request has a result: a response, or the failure to respond.
    private var known: Set<String> = []
    private var answers: [TokenAnswer] = []
    /// The number of missing results of each server.
    private var open: [String: Int]

    /// Creates the delivery of the token that `device` contains.
    package init(_ device: DeviceDescription, to credentials: [PushCredential]) {
        self.device = device
        waiting = credentials
        open = Dictionary(credentials.map { ($0.serverEndpoint, 1) }, uniquingKeysWith: +)
    }

    /// Returns the next request, in the order of the credentials.
    ///
    /// `nil` if no request is left, or if the next request has to wait for a response.
    package mutating func next() -> TokenRefresh? {
        let free = waiting.firstIndex { !asked.contains($0.serverEndpoint) }
        guard let index = free else { return nil }
        let credential = waiting.remove(at: index)
        if !known.contains(credential.serverEndpoint) { asked.insert(credential.serverEndpoint) }
        return TokenRefresh(credential: credential, device: device)
    }

    /// Adds the result of one request to a server.
    ///
    /// If the server's first response shows that it accepts no tokens, or if it does not respond to the first
    /// request, this result applies to all credentials of the server.
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

    /// Removes and returns all results that were added.
    package mutating func removeAnswers() -> [TokenAnswer] {
        defer { answers = [] }
        return answers
    }

    /// Removes and returns the results of one server.
    ///
    /// The list is empty until there is a result for each credential of the server.
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

/// The operation that sends the device token to the server of one credential.
package struct TokenRefresh: PushOperation {
    package let credential: PushCredential
    let device: DeviceDescription

    package func firstRequest() -> PushRequest { credential.refreshRequest(device: device) }
}

/// The result of sending a device token to the server of a credential.
package struct TokenAnswer: Sendable {
    package let credential: PushCredential
    /// The reason why the server did not accept the token; `nil` if the server accepted it.
    package let failure: PushFailure?

    /// Creates the result for one credential; `failure` is `nil` if the server accepted the token.
    package init(_ credential: PushCredential, _ failure: PushFailure?) {
        self.credential = credential
        self.failure = failure
    }

    /// The status of the server's refusal; `nil` if the server did not refuse.
    var refusal: Int? {
        if case .refused(_, let response, to: _)? = failure { response.status } else { nil }
    }

    /// Whether the result applies to all credentials of the server: the server accepts no tokens, or did not respond.
    var isOfServer: Bool {
        if case .unanswered? = failure { true } else { refusal == 405 || refusal == 501 }
    }
}
