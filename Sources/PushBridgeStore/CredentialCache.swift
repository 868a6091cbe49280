import PushBridgePlatform

/// What a client keeps in memory: whether it is open, and, if it is to, credentials once they were read by id.
package final class CredentialCache<Credential: Sendable>: Sendable {
    private let isEnabled: Bool
    private let state = Lock(State())

    package init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    /// Whether the client is closed.
    package var isClosed: Bool { state.withValue(\.isClosed) }

    /// Closes the client and forgets everything; answers whether it was open.
    package func close() -> Bool {
        state.withValue { state in
            defer { state = State(isClosed: true, generation: state.generation + 1) }
            return !state.isClosed
        }
    }

    /// Forgets the credentials.
    package func forget() {
        state.withValue { state in
            state.credentials = [:]
            state.generation += 1
        }
    }

    /// The credential with an id, if it is kept, and what ``keep(_:id:readIn:)`` needs if it is not.
    package func credential(id: String) -> (credential: Credential?, generation: Int) {
        state.withValue { ($0.credentials[id], $0.generation) }
    }

    /// Keeps a credential, unless something was forgotten since it was read.
    package func keep(_ credential: Credential, id: String, readIn generation: Int) {
        guard isEnabled else { return }
        state.withValue { state in
            if state.generation == generation, !state.isClosed { state.credentials[id] = credential }
        }
    }

    private struct State {
        var isClosed = false
        var credentials: [String: Credential] = [:]
        /// Counts how often everything was forgotten.
        var generation = 0
    }
}
